import type { RowRun } from '../support/row.ts';

export interface RowEntry {
  readonly name: string;
  readonly about: string;
  readonly load: () => Promise<{ readonly run: RowRun }>;
}

/** Every row there is, in the order of the table. */
export const ROWS: readonly RowEntry[] = [
  {
    name: 'ingest',
    about: 'signed 1 KB posts a second: verify, store, index, judge; beside bare crypto.verify',
    load: () => import('./ingest.ts'),
  },
  {
    name: 'hold',
    about: 'how long storing, judging and indexing hold the main thread at 1,000,000 posts',
    load: () => import('./hold.ts'),
  },
  {
    name: 'bridge',
    about: '`wats mcp`, spawn to first answer byte; beside `node -e 0`, spawn to exit',
    load: () => import('./bridge.ts'),
  },
  {
    name: 'light',
    about: 'first light: start and memory of daemon, bridge and commands',
    load: () => import('./light.ts'),
  },
  {
    name: 'spawn',
    about: 'stored post to the agent’s program spawned; beside a bare spawn',
    load: () => import('./spawn.ts'),
  },
  {
    name: 'run',
    about: 'wats’ own time on a run that does nothing',
    load: () => import('./run.ts'),
  },
  {
    name: 'reads',
    about: 'thread, loop check and inbox at 1,000,000 posts; beside 10,000',
    load: () => import('./reads.ts'),
  },
  {
    name: 'search',
    about: 'full-text search at 1,000,000 posts; beside a bare FTS5 query',
    load: () => import('./search.ts'),
  },
  {
    name: 'queue',
    about: '10,000 queued wakes: daemon ready, one decision',
    load: () => import('./queue.ts'),
  },
  {
    name: 'idle',
    about: 'an idle minute: with the screen, without, with a peer',
    load: () => import('./idle.ts'),
  },
  {
    name: 'screen',
    about: 'the live screen over 100,000 lines with 100 new ones a second',
    load: () => import('./screen.ts'),
  },
  {
    name: 'keys',
    about: 'a key press to the frame that shows it, at rest and while a run streams',
    load: () => import('./keys.ts'),
  },
  {
    name: 'start',
    about: '`wats` in a terminal, spawn to its first whole frame; beside `node -e 0`',
    load: () => import('./start.ts'),
  },
  {
    name: 'reconcile',
    about: 'bytes to repair 10 posts missing among 100,000',
    load: () => import('./reconcile.ts'),
  },
  {
    name: 'chaos',
    about: 'six nodes, 2,000 posts, six kills: the same posts everywhere',
    load: () => import('./chaos.ts'),
  },
];
