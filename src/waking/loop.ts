/**
 * The newest post of a thread before a seq by another author than the given one, grafts left out; `null` when
 * there is none. One indexed look-up. `notAuthor` is `null` for the newest post of anybody.
 */
export type NewestByOther = (
  seqBefore: number,
  notAuthor: string | null,
) => { readonly seq: number; readonly author: string } | null;

/** `turns` stops at limit + 1: what lies further back decides nothing. */
export type LoopVerdict =
  | { readonly kind: 'off' }
  | { readonly kind: 'clear'; readonly turns: number; readonly limit: number; readonly other: string | null }
  | { readonly kind: 'paused'; readonly turns: number; readonly limit: number; readonly other: string };

/**
 * Counts the turns that the agent and one other author took in a row at the end of a thread. The other is the
 * first author met going back who is not the agent; consecutive posts by one author are one turn; the count
 * ends at the first third author. More than `limit` turns pause the thread until a third author posts
 * (ADR 0011, addendum of 2026-10-18). Each look-up finds one turn, so there are at most limit + 1 of them,
 * however many posts a turn has and however long the thread is.
 *
 * @param agentAuthor author key of the agent's profile
 * @param limit the setting `agent.loop_max_exchanges`; 0 is off
 */
export function detectLoop(newestByOther: NewestByOther, agentAuthor: string, limit: number): LoopVerdict {
  if (limit === 0) return { kind: 'off' };
  let other: string | null = null;
  let turns = 0;
  let turn = newestByOther(Number.MAX_SAFE_INTEGER, null);
  while (turn !== null) {
    if (turn.author !== agentAuthor) {
      if (other !== null && turn.author !== other) break;
      other = turn.author;
    }
    turns += 1;
    if (turns > limit && other !== null) return { kind: 'paused', turns, limit, other };
    turn = newestByOther(turn.seq, turn.author);
  }
  return { kind: 'clear', turns, limit, other };
}

/** The line that the log shows once for a thread that was paused. */
export function loopLine(root: string, limit: number): string {
  return `agent wake paused: loop detected in thread ${root} (agent.loop_max_exchanges = ${limit})`;
}
