import type { QueueRow, View } from '../control/index.ts';
import { loopOf, oldestWakes } from '../runner/index.ts';
import type { Store } from '../store/index.ts';
import { shortKey } from '../text/index.ts';
import type { AgentSources } from './view.ts';
import { postRef } from './view-rows.ts';
import { reasonText, verdictText } from './words.ts';

/** Rows of each list; the totals say how many there are. */
const ROWS = 50;

/** Threads that the loop detector holds, one row each however many wakes wait in them. */
export function pausedView(
  { settings }: Pick<AgentSources, 'settings'>,
  store: Pick<Store, 'wakes' | 'turnBefore' | 'posts'>,
): View['paused'] {
  const rows = store.wakes.loopingThreads(settings.agent, ROWS).flatMap((root) => {
    const loop = loopOf(root, settings, store);
    // A third author may have posted since; the next look at the queue will find its wakes free.
    if (loop.kind !== 'paused') return [];
    const title = postRef(store, root)?.title ?? '';
    return [
      { root, title, author: shortKey(loop.other), turns: loop.turns, limit: settings.loopMaxExchanges },
    ];
  });
  return { total: rows.length, rows };
}

/** The oldest queued wakes with what keeps each, and why nothing starts now. */
export function queueView(agent: AgentSources, store: Store, now: number): View['queue'] {
  const verdict = agent.runner.verdict();
  return {
    total: store.wakes.queuedCount(agent.settings.agent),
    verdict: verdictText(verdict, now),
    until: verdict.kind === 'wait' ? verdict.until : null,
    rows: queueRows(agent, store, now),
  };
}

function queueRows(agent: AgentSources, store: Store, now: number): QueueRow[] {
  const shown = oldestWakes(agent.settings, agent.ports, ROWS, now);
  const posts = new Map(store.wakes.load(shown.map(({ wake }) => wake.id)).map(({ id, post }) => [id, post]));
  return shown.map(({ wake, hold }) => ({
    id: String(wake.id),
    cause: wake.cause,
    about: postRef(store, posts.get(wake.id)?.post.id ?? null),
    author: wake.author === null ? null : shortKey(wake.author),
    queuedAt: wake.queuedAt,
    hold: hold === null ? null : reasonText(hold, now),
  }));
}
