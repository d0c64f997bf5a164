// An agent for tests of the daemon. Usage: node agent.mjs <ledger folder> [family] [stubborn] [root]
// It answers every ask of its prompt, and writes each step to <ledger>/ledger.jsonl: what it did is known whatever
// becomes of the daemon. At a step whose name is a file in <ledger>/hold/ it waits until the file is gone.
//   family    starts a helper in a process group of its own, and one in a session of its own
//   stubborn  ignores SIGINT and SIGTERM
//   root      posts a root note first, without a parent
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { McpClient } from '../../../integrations/example-agent/mcp-client.mjs';

const [ledger, ...words] = process.argv.slice(2);
const run = process.env.WATS_RUN_ID;

async function step(name, more = {}) {
  appendFileSync(
    join(ledger, 'ledger.jsonl'),
    `${JSON.stringify({ run, pid: process.pid, step: name, ...more })}\n`,
  );
  while (existsSync(join(ledger, 'hold', name))) await sleep(5);
}

if (words.includes('stubborn')) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
const pids = [];
if (words.includes('family')) {
  const script = 'while :; do sleep 0.05; done';
  pids.push(spawn('bash', ['-c', `set -m; (${script}) & wait`], { stdio: 'ignore' }).pid);
  pids.push(spawn('sh', ['-c', script], { stdio: 'ignore', detached: true }).pid);
}
await step('started', { pids });
const prompt = await readAll(process.stdin);
await step('prompted', { prompt });
const config = JSON.parse(readFileSync(process.env.WATS_MCP_CONFIG, 'utf8'));
const wats = await McpClient.start(config.mcpServers.wats);
const call = async (name, args, about) => {
  const result = await wats.callTool(name, args);
  await step(name, { about, ok: result.ok, result: result.structured ?? result.text });
  return result;
};
if (words.includes('root')) await call('post', { kind: 'note', title: 'a root', text: `by ${run}` });
for (const id of new Set(prompt.match(/\b[0-9a-f]{64}\b/g) ?? [])) {
  await step('before', { about: id });
  await call('reply', { kind: 'answer', parent: id, text: `an answer by ${run}` }, id);
}
await wats.stop();
await step('done');
process.exit(0);
