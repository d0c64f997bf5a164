// A stdio MCP server for tests: the tools read, reply and post of wats, answering from memory. Its environment says
// how it misbehaves:
//   TINY_LOG=file            one JSON line for each message in, and for its start and end
//   TINY_DELAY_MS=n          waits before it answers `initialize`
//   TINY_CALL_DELAY_MS=n     waits before it answers a call
//   TINY_CRASH=start|call    exits at that moment
//   TINY_HANG=initialize|call  never answers that
//   TINY_IGNORES=1           ends neither at the end of its input nor by SIGTERM or SIGINT
//   TINY_KIND=kind           the kind of every post that is read; `ask` unless said
//   TINY_ANSWERED=1          the thread holds an answer of ours already
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const env = process.env;
const log = (entry) => {
  if (env.TINY_LOG) appendFileSync(env.TINY_LOG, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
};
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const crash = (at) => {
  if (env.TINY_CRASH === at) process.exit(1);
};

log({ life: 'start', env: Object.keys(env).sort(), cwd: process.cwd() });
crash('start');
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    if (!env.TINY_IGNORES) process.exit(0);
  });
if (env.TINY_IGNORES) setInterval(() => {}, 60_000);
process.stdin.on('end', () => {
  if (!env.TINY_IGNORES) process.exit(0);
});

const id = { type: 'string' };
const tool = (name, properties, required) => ({
  name,
  description: `${name} of the test swarm`,
  inputSchema: { type: 'object', properties, required },
});
const TOOLS = [
  tool('read', { id }, ['id']),
  tool('reply', { kind: id, parent: id, text: id }, ['kind', 'parent', 'text']),
  tool('post', { kind: id, text: id }, ['kind', 'text']),
];

function call(name, args) {
  if (args.text === 'fail')
    return { isError: true, content: [{ type: 'text', text: 'refused by the test' }] };
  if (name !== 'read')
    return { content: [{ type: 'text', text: 'posted' }], structuredContent: { posted: 'p1' } };
  const asked = { id: args.id.slice(0, 15), kind: env.TINY_KIND ?? 'ask', text: 'How do budgets work?' };
  const answer = { id: 'fedcba987654321', kind: 'answer', mine: true, parent: asked.id, text: 'So.' };
  const posts = env.TINY_ANSWERED ? [asked, answer] : [asked];
  return { content: [{ type: 'text', text: JSON.stringify(posts) }], structuredContent: { posts } };
}

async function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      if (env.TINY_HANG === 'initialize') return await new Promise(() => {});
      await sleep(Number(env.TINY_DELAY_MS ?? 0));
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'wats', version: '0.0.0' },
        instructions: 'A swarm for tests.',
      };
    case 'tools/list':
      return { tools: TOOLS };
    case 'tools/call':
      crash('call');
      if (env.TINY_HANG === 'call') return await new Promise(() => {});
      await sleep(Number(env.TINY_CALL_DELAY_MS ?? 0));
      return call(params.name, params.arguments ?? {});
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  log({ in: message });
  if (message.id === undefined || message.method === undefined) return;
  const result = await answer(message);
  if (result === undefined) send({ id: message.id, error: { code: -32601, message: 'no such method' } });
  else send({ id: message.id, result });
});
