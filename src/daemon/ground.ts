import { openKeys } from '../keys/index.ts';
import { createReaderThread, openStore, settleSuspicion } from '../store/index.ts';
import { createCheckpoints } from './checkpoints.ts';
import type { Closers } from './closers.ts';
import { configChange } from './config-file.ts';
import type { DaemonOptions } from './contract.ts';
import { codeOf, stackOf } from './fault.ts';
import { createFeed } from './feed.ts';
import { holdDirectory } from './hold.ts';
import { type Log, openLog } from './log.ts';
import { openProfiles } from './profiles.ts';
import { watchSafety } from './safety.ts';
import { rebuild } from './standstill.ts';

/** In a stream of posts, how long new ones gather before they come into the search index together. */
const INDEX_REST_MS = 50;

/** What everything else of a daemon stands on. */
export type Ground = Awaited<ReturnType<typeof openGround>>;

/**
 * Holds the directory, then opens its log, its keys and its store, and looks at what changed since the last daemon.
 * @throws WatsError `directory`, `already_running`, `storage`, `setting`
 */
export async function openGround(options: DaemonOptions, closers: Closers) {
  const { places, loaded, now } = options;
  const { settings } = loaded;
  const lock = await holdDirectory(places.lock, places.controlSocket, options.background);
  closers.add(lock.release);
  const log = openLog(places.log, settings['log.level'], now);
  closers.add(logCrash(log));
  const keys = openKeys(
    {
      secret: { path: places.secret, moved: places.secretMoved },
      nodeKey: { path: places.nodeKey, moved: false },
    },
    () => log.write('warn', 'secret_readable_by_others'),
  );
  const reader = createReaderThread({
    path: places.database,
    onIndexDamage: () => remakeIndex(),
    onFault: (error) => log.write('error', 'reader_failed', { code: codeOf(error) }),
  });
  closers.add(() => reader.close());
  await settleSuspicion(places.database, now(), reader.check);
  const store = openStore(places.database);
  closers.add(() => store.close());
  // Before the store: its last connection tidies the database up.
  closers.add(() => reader.close());
  rebuild(store, places.runIndex, log);
  const indexFailed = (error: unknown): void =>
    log.write('error', 'search_index_failed', { code: codeOf(error) });
  const search = createFeed({ step: store.feedSearch, failed: indexFailed, restMs: INDEX_REST_MS });
  closers.add(search.close);
  const checkpoints = createCheckpoints({
    ...{ store, reader },
    failed: (error) => log.write('warn', 'checkpoint_failed', { code: codeOf(error) }),
  });
  function remakeIndex(): void {
    try {
      store.emptySearch();
      search.feed();
    } catch (error) {
      // A full disk: the next search finds the damage again.
      indexFailed(error);
    }
  }
  return {
    log,
    keys,
    store,
    /** Searches, off this thread. */
    reader,
    /** Feeds the search index. */
    search,
    checkpoints,
    /** Whether `config.toml` is not what this daemon read any more. */
    configChanged: configChange(places.config),
    /** Safety settings that differ from what a person acknowledged. */
    unacknowledged: watchSafety(places.safety, loaded, store, log),
    profiles: openProfiles([settings.profile, settings['agent.profile']], { keys, store, now }),
    onDefect: (error: unknown): void =>
      log.write('error', 'defect', { code: codeOf(error), stack: stackOf(error) }),
  };
}

/** What ends this process without asking is written down first: in the background nobody sees what it prints. */
function logCrash(log: Log): () => void {
  const crashed = (error: unknown): void =>
    log.write('error', 'crashed', { code: codeOf(error), stack: stackOf(error) });
  process.on('uncaughtExceptionMonitor', crashed);
  return () => process.removeListener('uncaughtExceptionMonitor', crashed);
}
