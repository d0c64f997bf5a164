// Claude Code's `mcp` command as it was seen to behave (2.1.197, 2.1.332), on the file that it keeps.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
appendFileSync(join(process.env.HOME, 'claude.calls'), `${JSON.stringify(args)}\n`);

const scopeAt = args.indexOf('--scope');
const dashes = args.indexOf('--');
const scope = scopeAt !== -1 && (dashes === -1 || scopeAt < dashes) ? args[scopeAt + 1] : 'local';
const file = scope === 'project' ? join(process.cwd(), '.mcp.json') : join(process.env.HOME, '.claude.json');
const settings = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const servers = settings.mcpServers ?? {};
const save = () => writeFileSync(file, JSON.stringify({ ...settings, mcpServers: servers }, null, 2));
const fail = (text) => {
  process.stderr.write(`${text}\n`);
  process.exit(1);
};

const [group, action, name] = args;
if (group === '--version') process.stdout.write('2.1.332 (Claude Code)\n');
else if (group === 'auth') {
  process.stdout.write(`${JSON.stringify({ loggedIn: existsSync(join(process.env.HOME, 'logged-in')) })}\n`);
  if (!existsSync(join(process.env.HOME, 'logged-in'))) process.exit(1);
} else if (existsSync(join(process.env.HOME, `refuse-${action}`))) fail(`Cannot ${action} now`);
else if (action === 'add') {
  if (Object.hasOwn(servers, name)) fail(`MCP server ${name} already exists in ${scope} config`);
  const [command, ...rest] = args.slice(dashes + 1);
  servers[name] = { type: 'stdio', command, args: rest, env: {} };
  save();
} else if (action === 'add-json') {
  servers[name] = JSON.parse(args[3]);
  save();
} else if (action === 'remove') {
  if (!Object.hasOwn(servers, name)) fail(`No MCP server named "${name}" in ${scope} scope`);
  delete servers[name];
  save();
} else fail(`error: unknown command ${group}`);
