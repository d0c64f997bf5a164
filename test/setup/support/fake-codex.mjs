// Codex's `mcp` command as it was seen to behave (0.171.0): it writes the whole entry anew, without a word.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'smol-toml';

const args = process.argv.slice(2);
appendFileSync(join(process.env.HOME, 'codex.calls'), `${JSON.stringify(args)}\n`);
process.stderr.write('WARNING: proceeding, even though we could not create PATH aliases\n');

const file = join(process.env.HOME, '.codex/config.toml');
const settings = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {};
settings.mcp_servers ??= {};
const save = () => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stringify(settings));
};

const [group, action, name] = args;
if (group === '--version') process.stdout.write('codex-cli 0.171.0\n');
else if (group === 'login') {
  process.stderr.write('Not logged in\n');
  process.exit(1);
} else if (action === 'add') {
  const [command, ...rest] = args.slice(args.indexOf('--') + 1);
  settings.mcp_servers[name] = { command, args: rest };
  save();
  process.stdout.write(`Added global MCP server '${name}'.\n`);
} else if (action === 'remove') {
  delete settings.mcp_servers[name];
  save();
}
