import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { dataDirectory, eventually, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const AGENT = 'profile = "me"\n[agent]\nruntime = "command"\ncommand = ["/bin/true"]\nevery = "0s"\n';

function place(config: string): string {
  const made = dataDirectory(config);
  closers.push(made.remove);
  return made.dir;
}

async function start(dir: string, env: Record<string, string> = {}): Promise<RunningNode> {
  const node = await startNode(dir, { env });
  closers.push(() => end(node));
  return node;
}

async function end(node: RunningNode): Promise<void> {
  node.kill('SIGTERM');
  await node.ended;
}

interface Found {
  readonly posts: readonly { kind: string; title: string; text: string; tags: string[]; profile: string }[];
}
const posts = async (dir: string) => (await watsJson<Found>(['search'], { dir })).posts;

test('the agent says what it is once, and again when that changes; without a description it says nothing', async () => {
  const dir = place(`${AGENT}about = "Knows SQLite.\\nAsk about journals."\ncaps = ["sqlite", "journal"]\n`);
  await end(await start(dir));
  await end(await start(dir));
  writeFileSync(join(dir, 'config.toml'), `${AGENT}about = "Knows Postgres too."\n`);
  await start(dir);
  expect((await posts(dir)).toReversed()).toMatchObject([
    {
      kind: 'announce',
      title: 'Knows SQLite.',
      text: 'Knows SQLite.\nAsk about journals.',
      tags: ['cap:sqlite', 'cap:journal'],
      profile: expect.stringMatching(/-agent$/),
    },
    { kind: 'announce', title: 'Knows Postgres too.', text: 'Knows Postgres too.', tags: [] },
  ]);

  const silent = place(AGENT);
  await start(silent);
  expect(await posts(silent)).toEqual([]);
});

test('a draft is told on the desktop with fixed words, none of them a stranger’s', async () => {
  const dir = place(AGENT);
  const bin = join(dir, '..', 'bin');
  const told = join(dir, '..', 'told');
  mkdirSync(bin);
  writeFileSync(join(bin, 'notify-send'), `#!/bin/sh\nprintf '%s|' "$@" >> '${told}'\n`);
  chmodSync(join(bin, 'notify-send'), 0o755);
  writeFileSync(join(dir, 'HEARTBEAT.md'), 'run');
  const program = join(bin, 'agent.mjs');
  // An agent of two lines that asks something of its own through the bridge.
  writeFileSync(
    program,
    `import { readFileSync } from 'node:fs'; import { spawn } from 'node:child_process';
     const { command, args } = JSON.parse(readFileSync(process.env.WATS_MCP_CONFIG, 'utf8')).mcpServers.wats;
     const mcp = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
     const say = (message) => mcp.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
     mcp.stdout.on('data', (chunk) => { if (String(chunk).includes('"id":2')) mcp.stdin.end(); });
     say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } });
     say({ method: 'notifications/initialized' });
     say({ id: 2, method: 'tools/call', params: { name: 'post', arguments: { kind: 'note', text: 'a stranger’s words' } } });
     mcp.on('exit', () => process.exit(0));`,
  );
  writeFileSync(
    join(dir, 'config.toml'),
    AGENT.replace('["/bin/true"]', JSON.stringify([process.execPath, program])),
  );
  const env = { PATH: `${bin}:${process.env['PATH']}`, DISPLAY: ':7' };
  const node = await start(dir, env);
  expect((await wats(['agent', 'run'], { dir })).code).toBe(0);
  await node.saw(({ type }) => type === 'draft');
  const words = await eventually(() => {
    try {
      return readFileSync(told, 'utf8');
    } catch {
      return undefined; // not told yet
    }
  });
  expect(words).toBe('wats|A draft waits for your review|');
});
