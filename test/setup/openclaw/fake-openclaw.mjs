// OpenClaw's command line as reference/openclaw.md saw it, on a settings file in $HOME/.openclaw: answers, exit codes,
// merging, redaction. Every call is recorded with its stdin in $HOME/calls.jsonl; $HOME/faults.json makes calls fail.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const home = process.env.HOME;
const file = process.env.OPENCLAW_CONFIG_PATH ?? `${home}/.openclaw/openclaw.json`;
const args = process.argv.slice(2);
const line = args.join(' ');
const input = args.includes('--stdin') ? await text(process.stdin) : '';
appendFileSync(`${home}/calls.jsonl`, `${JSON.stringify({ args, input, home: process.env.HOME })}\n`);
const faults = existsSync(`${home}/faults.json`)
  ? JSON.parse(readFileSync(`${home}/faults.json`, 'utf8'))
  : {};
const fault = Object.entries(faults).find(([prefix]) => line.startsWith(prefix))?.[1];
if (fault?.hang) await new Promise(() => setInterval(() => {}, 1000));
if (fault && !fault.after) end(fault.code ?? 1, fault.stdout ?? '', fault.stderr ?? 'it failed');

const read = () =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/gm, '')) : {};
const write = (value) => {
  writeFileSync(
    file,
    `${JSON.stringify({ ...value, meta: { lastTouchedVersion: '2026.9.6' } }, null, 2)}\n`,
    { mode: 0o600 },
  );
  if (fault?.after) end(fault.code ?? 1, '', fault.stderr ?? 'it failed after it had written');
};

function end(code, stdout = '', stderr = '') {
  if (stdout) process.stdout.write(`${stdout}\n`);
  if (stderr) process.stderr.write(`${stderr}\n`);
  process.exit(code);
}
const fail = (message) =>
  end(
    1,
    args.includes('--json') ? JSON.stringify({ ok: false, error: { type: 'cli_error', message } }) : '',
    message,
  );

function merge(into, patch) {
  const out = { ...into };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else if (typeof value === 'object' && !Array.isArray(value))
      out[key] = merge(typeof out[key] === 'object' && !Array.isArray(out[key]) ? out[key] : {}, value);
    else out[key] = value;
  }
  return out;
}

function redact(value, path = []) {
  if (Array.isArray(value) || value === null || typeof value !== 'object') {
    return path.at(-1) === 'token' || path.at(-2) === 'env' ? '__OPENCLAW_REDACTED__' : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, redact(inner, [...path, key])]),
  );
}

function checked(value) {
  const ids = value.hooks?.allowedAgentIds;
  if (ids !== undefined && !Array.isArray(ids))
    fail('Config validation failed: hooks.allowedAgentIds: Invalid input: expected array, received string');
  if (value.hooks?.bogus !== undefined) fail('Config validation failed: hooks: Unrecognized key: "bogus"');
  return value;
}

function patched() {
  const patch = JSON.parse(input);
  if (Object.keys(patch).length === 0) fail('input patch did not contain any config updates');
  const before = read();
  const after = checked(merge(before, patch));
  for (const id of Object.keys(before.agents?.entries ?? {}))
    if (!after.agents?.entries?.[id])
      fail(`Config write would drop agent roster entries without an explicit deletion: ${id}.`);
  return after;
}

if (line === '--version') end(0, `OpenClaw ${process.env.FAKE_VERSION ?? '2026.9.6'} (eb377ac)`);
if (line === 'config file') end(0, file);
if (line.startsWith('config validate')) {
  if (!existsSync(file)) fail(`Config file not found: ${file}`);
  const broken = read().broken !== undefined;
  end(broken ? 1 : 0, JSON.stringify({ valid: !broken, path: file, warnings: [] }));
}
if (line.startsWith('config get ')) {
  const value = args[2].split('.').reduce((at, key) => at?.[key], redact(read()));
  if (value === undefined) fail(`Config path is valid but unset: ${args[2]}.`);
  end(0, JSON.stringify(value));
}
if (process.env.OPENCLAW_CONFIG_READONLY) fail('Config is externally managed (`OPENCLAW_CONFIG_READONLY=1`)');
if (line.startsWith('config patch --stdin --dry-run')) {
  patched();
  end(0, 'Dry run successful');
}
if (line.startsWith('config patch --stdin')) {
  write(patched());
  end(0, 'Applied 5 config update(s).');
}
const name = args[2];
if (line.startsWith('mcp set ')) {
  write(merge(read(), { mcp: { servers: { [name]: null } } }));
  write(merge(read(), { mcp: { servers: { [name]: JSON.parse(args[3]) } } }));
  end(0, `Saved MCP server "${name}" to ${file}.`);
}
const server = read().mcp?.servers?.[name];
if (line.startsWith('mcp show '))
  server ? end(0, JSON.stringify(server)) : fail(`No MCP server named "${name}" in ${file}.`);
if (line.startsWith('mcp unset ')) {
  if (!server) fail(`No MCP server named "${name}" in ${file}.`);
  write(merge(read(), { mcp: { servers: { [name]: null } } }));
  end(0, `Removed MCP server "${name}" from ${file}.`);
}
if (line.startsWith('mcp probe '))
  end(server ? 0 : 1, JSON.stringify({ tools: server ? [`${name}__reply`] : [], diagnostics: [] }));
if (line.startsWith('agents delete ')) {
  if (!read().agents?.entries?.[name]) fail(`no agent ${name}`);
  const value = read();
  delete value.agents.entries[name];
  if (Object.keys(value.agents.entries).length === 1) delete value.agents.ownership;
  write(value);
  end(0, JSON.stringify({ agentId: name, removed: [] }));
}
end(1, '', `unknown command: ${line}`);
