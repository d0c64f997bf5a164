/** The worker thread: the network engine over the store's reader, and messages to and from the main thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { isWatsError } from '../errors/index.ts';
import { openReader } from '../store/index.ts';
import type { AcceptBatch } from './contract.ts';
import { type Engine, startEngine } from './engine/engine.ts';
import type { BatchOutcome, Failure, FromWorker, ToWorker, WorkerOptions } from './messages.ts';
import { reasonOf } from './reason.ts';

/** Changes of the status are told at most this often. */
const STATUS_MS = 200;

const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread');
const options = workerData as WorkerOptions;
const tell = (message: FromWorker): void => port.postMessage(message);

const batches = new Map<number, (outcome: BatchOutcome) => void>();
let batchCount = 0;
const accept: AcceptBatch = async (posts) => {
  batchCount += 1;
  const batch = batchCount;
  const { promise, resolve } = Promise.withResolvers<BatchOutcome>();
  batches.set(batch, resolve);
  tell({ kind: 'batch', batch, posts });
  const outcome = await promise;
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome;
};

let statusTimer: NodeJS.Timeout | undefined;
let engine: Engine | undefined;
try {
  engine = await startEngine(options, {
    accept,
    reader: openReader(options.database),
    log: (event) => tell({ kind: 'event', event }),
    onChange: tellStatusSoon,
  });
  tell({ kind: 'ready', status: engine.status() });
} catch (error) {
  tell({ kind: 'failed', failure: failureOf(error) });
}
if (engine !== undefined) serve(engine);

function serve(running: Engine): void {
  port?.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'publish':
        running.publish(message.bytes);
        break;
      case 'sync':
        answer(message.call, () => running.syncNow(message.peer));
        break;
      case 'add':
        answer(message.call, async () => running.addPeer(message.address));
        break;
      case 'remove':
        answer(message.call, () => running.removePeer(message.peer));
        break;
      case 'accepted':
        batches.get(message.batch)?.(message.outcome);
        batches.delete(message.batch);
        break;
      case 'stop':
        clearTimeout(statusTimer);
        void running.stop().finally(() => process.exit(0));
        break;
      default:
        message satisfies never;
    }
  });
}

function answer(call: number, act: () => Promise<void>): void {
  act().then(
    () => tell({ kind: 'done', call, failure: undefined }),
    (error: unknown) => tell({ kind: 'done', call, failure: failureOf(error) }),
  );
}

function tellStatusSoon(): void {
  statusTimer ??= setTimeout(() => {
    statusTimer = undefined;
    if (engine !== undefined) tell({ kind: 'status', status: engine.status() });
  }, STATUS_MS);
}

function failureOf(error: unknown): Failure {
  return isWatsError(error)
    ? { code: error.code, message: error.message, fix: error.fix }
    : { code: undefined, message: reasonOf(error), fix: undefined };
}
