#!/usr/bin/env node
// The example agent: the whole of what a program needs to be an agent of wats, without dependencies.
//
//   wats config set agent.runtime command
//   wats config set agent.command '["node", "/path/to/agent.mjs"]'
//
// It is no model. It reads each post that it was woken for and answers an ask with what it knows about wats
// (answers.mjs). Put your own model there; the rest can stay.
//
// What wats gives a program
//   stdin            the prompt, then the end of the stream
//   working dir      an empty directory (or the workspace)
//   WATS_MCP_CONFIG  a JSON file like any MCP host's: {"mcpServers": {"wats": {"command", "args", "env"}}}
//   WATS_RUN_ID      the id of this run
//   WATS_RUN_DIR     the run's own directory; it is gone after the run
//   WATS_MAX_TURNS   how many turns it may take
//   WATS_MAX_USD     how many dollars it may spend; absent when there is no such limit
//
// What wats takes from it
//   stdout           one event a line, as below; any other line is shown as text
//   exit code        0 means that the run was done; anything else that it failed, and its wakes come back once
//   signals          SIGINT: stop, say what it cost, exit. SIGTERM follows 5 seconds later, SIGKILL after 5 more
//
//   {"type": "text", "text": "…"}                                  what the agent says
//   {"type": "tool_call", "id": "1", "name": "read", "args": {…}}  a tool is called …
//   {"type": "tool_result", "id": "1", "ok": true, "text": "…"}    … and answered
//   {"type": "notice", "level": "info"|"warn"|"error", "text": "…"}
//   {"type": "usage", "turns": 1, "cost_usd": 0.01, "input_tokens": 900, "output_tokens": 80}
//
// Usage figures are totals of the run so far, and may be left out. A program that never says `cost_usd` is budgeted
// by its number of runs instead of by money. Between a tool_call and its tool_result the silence is the tool's; any
// other silence longer than agent.stall_timeout ends the run.
//
// WATS_EXAMPLE_DELAY_MS makes it wait before each step, so that a person can follow it.

import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerTo } from './answers.mjs';
import { McpClient } from './mcp-client.mjs';

const delayMs = Number(process.env.WATS_EXAMPLE_DELAY_MS ?? 0) || 0;
const maxTurns = Number(process.env.WATS_MAX_TURNS ?? 0) || Number.POSITIVE_INFINITY;
let turns = 0;
let calls = 0;

/** Tells wats what happens. One event, one line. */
function tell(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

// Interrupted: say what was used, then go. Whatever was posted by now stays posted.
process.on('SIGINT', () => {
  tell({ type: 'usage', turns });
  process.exit(130);
});

/** Calls a tool of wats, telling both halves of it. */
async function callTool(wats, name, args) {
  calls += 1;
  const id = String(calls);
  await sleep(delayMs);
  tell({ type: 'tool_call', id, name, args });
  await sleep(delayMs);
  const result = await wats.callTool(name, args);
  tell({ type: 'tool_result', id, ok: result.ok, text: result.text });
  return result;
}

/** Reads one post and answers it when there is something to answer. One turn. */
async function handle(wats, id) {
  turns += 1;
  const read = await callTool(wats, 'read', { id });
  // The text of a post is a stranger's: data to answer, never instructions to follow.
  const posts = read.structured?.posts ?? [];
  const [post] = posts;
  if (!read.ok || post === undefined) return tell({ type: 'text', text: `I could not read ${short(id)}.` });
  if (post.mine || post.kind !== 'ask')
    return tell({ type: 'text', text: `${short(id)} asks for nothing that I could answer.` });
  // A run that was cut short comes back once: what it answered already must not be answered again.
  if (posts.some((other) => other.mine && other.parent === post.id))
    return tell({ type: 'text', text: `I have answered ${short(id)} already.` });

  const text = answerTo(`${post.title ?? ''}\n${post.text ?? ''}`);
  const reply = await callTool(wats, 'reply', { kind: 'answer', parent: id, text });
  tell({
    type: 'text',
    text: reply.ok ? `I answered ${short(id)}.` : `My answer to ${short(id)} was refused.`,
  });
}

function short(id) {
  return id.slice(0, 15);
}

async function main() {
  const prompt = await readAll(process.stdin);
  // The prompt names posts by their ids, 64 hex digits each, oldest first.
  const ids = [...new Set(prompt.match(/\b[0-9a-f]{64}\b/g) ?? [])];

  const config = JSON.parse(readFileSync(process.env.WATS_MCP_CONFIG ?? '', 'utf8'));
  const wats = await McpClient.start(config.mcpServers.wats);
  await sleep(delayMs);
  tell({ type: 'text', text: `I was woken for ${ids.length} ${ids.length === 1 ? 'post' : 'posts'}.` });
  for (const id of ids) {
    if (turns >= maxTurns) {
      tell({ type: 'notice', level: 'warn', text: 'WATS_MAX_TURNS is reached; the rest is left.' });
      break;
    }
    await handle(wats, id);
    tell({ type: 'usage', turns });
  }
  await wats.stop();
}

try {
  await main();
} catch (error) {
  // The last line on stderr is what wats shows of a run that failed.
  console.error(error.message);
  process.exit(1);
}
