import { Worker } from 'node:worker_threads';
import { type ErrorCode, WatsError } from '../../errors/index.ts';
import { workerScript } from '../../paths/index.ts';
import type { Found } from '../posts.ts';
import type { SearchQuery } from '../search.ts';
import type { FromReader, ReaderFailure, Results, Task, ToReader } from './messages.ts';

/** Long work on the database that changes nothing in it, off the caller's thread. */
export interface ReaderThread {
  /** @throws WatsError `storage`, `directory`; `failed` when the thread could not do it */
  search(query: SearchQuery): Promise<Found>;
  /** A whole copy at `target`, which must be an empty file or none, also while others write. */
  copy(target: string): Promise<void>;
  /** Moves the write-ahead log into the database file, as far as nobody still reads what was before. */
  checkpoint(): Promise<void>;
  /** Whether the whole database is sound. */
  check(): Promise<boolean>;
  /** Whether the thread is there now. */
  isRunning(): boolean;
  /** Ends the thread; what it still works on fails. Safe to repeat. */
  close(): Promise<void>;
}

export interface ReaderThreadOptions {
  readonly path: string;
  /** A search found the index damaged: make it again. */
  readonly onIndexDamage?: () => void;
  /** The thread ended by itself: for the log. */
  readonly onFault?: (error: unknown) => void;
  /** How long the thread stays without work, in ms. Default: a minute. */
  readonly idleMs?: number;
  readonly script?: URL;
}

const IDLE_MS = 60_000;
/** A page of posts and their statements; more is a defect, and costs the thread, not the daemon. */
const HEAP_MB = 256;
const NURSERY_MB = 4;

interface Pending {
  readonly done: (result: Results[Task['kind']]) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * A worker thread that is started by the first task and ended when it had none for a minute: a node on which nobody
 * searches pays nothing for it. Tasks are done one after the other. A thread that dies fails its tasks; the next one
 * starts another.
 */
export function createReaderThread(options: ReaderThreadOptions): ReaderThread {
  const idleMs = options.idleMs ?? IDLE_MS;
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  /** Threads that were told to end and have not yet. */
  const ending = new Set<Worker>();
  let idle: NodeJS.Timeout | undefined;
  let calls = 0;
  let isClosed = false;

  function start(): Worker {
    const script = options.script ?? workerScript(import.meta.url, './worker.ts', 'store-reader.js');
    const started = new Worker(script, {
      name: 'wats-reader',
      workerData: options.path,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: NURSERY_MB },
    });
    let cause: unknown;
    started.on('message', (message: FromReader) => hear(message));
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', (code) => {
      ending.delete(started);
      if (worker !== started) return;
      worker = null;
      clearTimeout(idle);
      const fault = cause ?? new Error(`the reader thread ended with ${code}`);
      if (!isClosed) options.onFault?.(fault);
      failAll(stopped(fault));
    });
    return started;
  }

  function hear(message: FromReader): void {
    const waiting = pending.get(message.call);
    pending.delete(message.call);
    if (pending.size === 0) idle = setTimeout(endIdle, idleMs).unref();
    if ('result' in message) {
      waiting?.done(message.result);
      return;
    }
    const { failure } = message;
    if (failure.isIndexDamage) options.onIndexDamage?.();
    waiting?.failed(errorOf(failure));
  }

  function endIdle(): void {
    if (worker === null) return;
    ending.add(worker);
    worker.postMessage({ kind: 'end' } satisfies ToReader);
    worker = null;
  }

  function failAll(error: unknown): void {
    const all = [...pending.values()];
    pending.clear();
    for (const { failed } of all) failed(error);
  }

  async function ask<K extends Task['kind']>(task: Extract<Task, { kind: K }>): Promise<Results[K]> {
    if (isClosed) throw stopped(undefined);
    clearTimeout(idle);
    worker ??= start();
    calls += 1;
    const call = calls;
    const { promise, resolve, reject } = Promise.withResolvers<Results[Task['kind']]>();
    pending.set(call, { done: resolve, failed: reject });
    worker.postMessage({ call, task } satisfies ToReader);
    // The worker answers each kind of task with the result of that kind.
    return (await promise) as Results[K];
  }

  return {
    search: (query) => ask({ kind: 'search', query }),
    async copy(target) {
      await ask({ kind: 'copy', target });
    },
    async checkpoint() {
      await ask({ kind: 'checkpoint' });
    },
    check: () => ask({ kind: 'check' }),
    isRunning: () => worker !== null,
    async close() {
      isClosed = true;
      clearTimeout(idle);
      const all = [...ending, ...(worker === null ? [] : [worker])];
      await Promise.all(all.map((each) => each.terminate()));
    },
  };
}

function stopped(cause: unknown): WatsError {
  return new WatsError(
    'failed',
    'the thread that searches and copies the store ended before it had answered',
    {
      fix: 'try it once more; if it fails again, wats.log says why',
      cause,
    },
  );
}

function errorOf({ code, message, fix }: ReaderFailure): Error {
  if (code === undefined) return new Error(message);
  // The code is one of ours: it was a WatsError in the worker.
  return new WatsError(code as ErrorCode, message, fix === undefined ? {} : { fix });
}
