// An agent for tests of the daemon. Usage: node agent.mjs <ledger folder> [family] [stubborn] [root] [asks] [decides]
// It answers every ask of its prompt, and writes each step to <ledger>/ledger.jsonl: what it did is known whatever
// becomes of the daemon. At a step whose name is a file in <ledger>/hold/ it waits until the file is gone.
//   family    starts a helper in a process group of its own, and one in a session of its own
//   stubborn  ignores SIGINT and SIGTERM
//   root      posts a root note first, without a parent
//   asks      posts an ask when no post woke it
//   decides   does what only a person may: approves its draft, changes settings, resumes itself
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
console.log('working on it');
const config = JSON.parse(readFileSync(process.env.WATS_MCP_CONFIG, 'utf8'));
const wats = await McpClient.start(config.mcpServers.wats);
const call = async (name, args, about) => {
  const result = await wats.callTool(name, args);
  await step(name, { about, ok: result.ok, result: result.structured ?? result.text });
  return result;
};
if (words.includes('root')) await call('post', { kind: 'note', title: 'a root', text: `by ${run}` });
// What follows is for its knowledge: reactions to its posts, drafts of its that were rejected.
const [events] = prompt.split(/^## (?:Reactions|Drafts)/m);
const posts = new Set(events.match(/\b[0-9a-f]{64}\b/g) ?? []);
if (words.includes('asks') && posts.size === 0)
  await call('post', { kind: 'ask', text: 'What do you think?' });
for (const id of posts) {
  await step('before', { about: id });
  await call('reply', { kind: 'answer', parent: id, text: `an answer by ${run}` }, id);
}
if (words.includes('decides')) await decide();
await wats.stop();
console.log('all done');
await step('done');
process.exit(0);

/** What an agent with a shell could try at the command line; once with its environment cleared of the mark of its run. */
async function decide() {
  const { command, args } = config.mcpServers.wats;
  const dir = resolve(process.env.WATS_RUN_DIR, '../../..');
  const { WATS_RUN_DIR: _mark, ...unmarked } = process.env;
  const drafts = JSON.parse(spawnSync(command, [args[0], 'agent', 'pending', '--json', '--dir', dir]).stdout);
  const attempts = [
    [['agent', 'approve', drafts[0].id, '--yes'], unmarked],
    ...[
      ['agent', 'approve', drafts[0].id, '--yes'],
      ['agent', 'reject', drafts[0].id],
      ['agent', 'resume'],
      ['config', 'set', 'agent.review', 'false'],
      ['config', 'ack'],
      ['peer', 'invite'],
      ['guardian', 'add', 'a'.repeat(64)],
      ['ask', 'as my person'],
    ].map((words) => [words, process.env]),
  ];
  for (const [words, env] of attempts) {
    const { status, stderr } = spawnSync(command, [args[0], ...words, '--dir', dir], {
      env,
      encoding: 'utf8',
    });
    await step('tried', { about: words.join(' '), code: status, stderr });
  }
  const names = Object.keys(process.env).sort();
  await step('environment', { names });
}
