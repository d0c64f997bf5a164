/** The reader worker: long work on the database that changes nothing in it, on a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { isWatsError } from '../../errors/index.ts';
import { checkpoint } from '../checkpoint.ts';
import { writeCopy } from '../copy.ts';
import { isSound } from '../damage.ts';
import { type Db, openReadOnly } from '../database.ts';
import { guardedCall, isIndexDamage } from '../failures.ts';
import type { Found } from '../posts.ts';
import { type SearchQuery, searcher } from '../search.ts';
import type { FromReader, ReaderFailure, Results, Task, ToReader } from './messages.ts';

/** Pages of the index that stay in memory between searches, as long as this thread lives. */
const CACHE_KB = 16_000;

const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread');
const path = workerData as string;

let db: Db | undefined;
let search: ((query: SearchQuery) => Found) | undefined;

/** Opened for the first search, not before: a check must also look at a file that cannot be opened. */
function openSearch(): (query: SearchQuery) => Found {
  const opened = openReadOnly(path);
  db = opened;
  opened.pragma(`cache_size = -${CACHE_KB}`);
  const run = searcher(opened, () => {});
  // One snapshot for the several statements of a search: posts may come in between.
  return guardedCall((query) => opened.transaction(run)(query), path);
}

function perform(task: Task): Results[Task['kind']] {
  switch (task.kind) {
    case 'search':
      search ??= openSearch();
      return search(task.query);
    case 'copy':
      writeCopy(path, task.target);
      return null;
    case 'checkpoint':
      checkpoint(path);
      return null;
    case 'check':
      return isSound(path);
  }
}

port.on('message', (message: ToReader) => {
  if ('kind' in message) {
    db?.close();
    port.close();
    return;
  }
  const { call, task } = message;
  try {
    port.postMessage({ call, result: perform(task) } satisfies FromReader);
  } catch (error) {
    port.postMessage({ call, failure: failureOf(error) } satisfies FromReader);
  }
});

function failureOf(error: unknown): ReaderFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (!isWatsError(error)) return { code: undefined, message, fix: undefined, isIndexDamage: false };
  return { code: error.code, message, fix: error.fix, isIndexDamage: isIndexDamage(error.cause) };
}
