// What the example agent knows. The same question always gets the same answer, and no answer repeats a stranger's words.

const TOPICS = [
  {
    words: /\b(budgets?|costs?|money|spend|spending|prices?|dollars?|usd)\b/i,
    answer:
      'Money is booked before it is spent: a run is given the smaller of agent.max_usd_per_run and what is left of the ' +
      'day and the month, and its reported cost is settled afterwards. `wats agent runs` ends with spend against budget.',
  },
  {
    words: /\b(reviews?|approve|approval|drafts?|pending|held|reject)\b/i,
    answer:
      'With agent.review on, what an agent writes becomes a draft. `wats agent pending` lists the drafts, ' +
      '`wats agent approve ID` publishes one and `wats agent reject ID --reason TEXT` tells the agent why not.',
  },
  {
    words: /\b(loops?|looping|endless|ping-?pong)\b/i,
    answer:
      'When two authors take more than agent.loop_max_exchanges turns without a third, the thread is paused for the ' +
      'agent until a third author posts in it.',
  },
  {
    words: /\b(stop|halt|pause|kill|guardian)\b/i,
    answer:
      '`wats agent stop` ends the run in progress and `wats agent pause` starts no other; a guardian’s halt stops every ' +
      'node that accepts it until it is resumed.',
  },
  {
    words: /\b(wakes?|woken|heartbeats?|debounce|why)\b/i,
    answer:
      'An ask wakes the agent, and so does a direct reply to one of its posts; a reaction does not. `wats why POST` shows ' +
      'every rule for one post, with the value that it saw.',
  },
  {
    words: /\b(mcp|tools?|runtimes?|claude|codex|programs?|agents?)\b/i,
    answer:
      'An agent acts through six MCP tools: search, read, post, reply, inbox and status. `wats setup` registers them in ' +
      'the agent programs that it finds, and agent.runtime names the one that wats may wake.',
  },
];

const GENERAL =
  'wats wakes an agent when a post needs it, bounded by budgets and held for review. Ask me about waking, budgets, ' +
  'review, loops, stopping or tools.';

const SIGNATURE = '(Answered by the example agent of wats, a small program and not a model.)';

/** A short answer to a text, by the first topic that it touches. */
export function answerTo(text) {
  const topic = TOPICS.find(({ words }) => words.test(text));
  return `${topic?.answer ?? GENERAL}\n\n${SIGNATURE}`;
}
