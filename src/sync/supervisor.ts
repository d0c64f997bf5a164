import { Worker } from 'node:worker_threads';
import { type ErrorCode, WatsError } from '../errors/index.ts';
import { workerScript } from '../paths/index.ts';
import { parsePeerAddress } from './address.ts';
import type { Sync, SyncOptions, SyncPorts, SyncStatus } from './contract.ts';
import type { Failure, FromWorker, ToWorker, WorkerOptions } from './messages.ts';
import { nodeIdOf } from './node-id.ts';
import { reasonOf } from './reason.ts';

const FIRST_RESTART_MS = 1_000;
const MAX_RESTART_MS = 60_000;
/** A worker that lasted this long was a good one: the next restart starts from the shortest pause. */
const STABLE_MS = 60_000;
const STOP_MS = 5_000;
/** The worker holds ids of a day or two and a few frames; more is a flood, and costs the worker, not the daemon. */
const HEAP_MB = 512;
/** A small nursery: 7 MB less resident memory, measured, for a thread that is idle most of the time. */
const NURSERY_MB = 4;

/**
 * Starts replication in its worker thread. The network engine is loaded there and nowhere else.
 * A worker that dies later is started again, with a growing pause; what it missed is reconciled.
 *
 * @throws WatsError `setting` when it can't start at all: an address that can't be listened on, a bad peer
 */
export async function startSync(options: SyncOptions, ports: SyncPorts): Promise<Sync> {
  const supervisor = new Supervisor(options, ports);
  await supervisor.begin();
  return supervisor;
}

class Supervisor implements Sync {
  readonly #options: SyncOptions;
  readonly #ports: SyncPorts;
  readonly #script: URL;
  readonly #peers: Map<string, Set<string>>;
  readonly #calls = new Map<number, (failure: Failure | undefined) => void>();
  readonly #listeners: (() => void)[] = [];
  #callCount = 0;
  #worker: Worker | undefined;
  #status: SyncStatus;
  #restart: NodeJS.Timeout | undefined;
  #starting: Promise<void> | undefined;
  #pauseMs = FIRST_RESTART_MS;
  #isStopped = false;

  constructor(options: SyncOptions, ports: SyncPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#script = options.worker ?? workerScript(import.meta.url, './worker.ts', 'sync-worker.js');
    this.#peers = new Map();
    for (const address of options.peers) this.#name(address);
    this.#status = {
      nodeId: nodeIdOf(options.nodeSeed),
      listening: [],
      peers: [],
      relays: [],
      serving: null,
    };
  }

  /** Resolves when the first worker is ready. */
  async begin(): Promise<void> {
    const failure = await this.#spawn();
    if (failure === undefined) return;
    this.#isStopped = true;
    throw errorOf(failure);
  }

  publish(bytes: Uint8Array): void {
    const copy = new Uint8Array(bytes);
    this.#worker?.postMessage({ kind: 'publish', bytes: copy } satisfies ToWorker, [copy.buffer]);
  }

  async syncNow(peerId?: string): Promise<void> {
    await this.#call((call) => ({ kind: 'sync', call, peer: peerId }));
  }

  async addPeer(address: string): Promise<void> {
    const { peerId } = parsePeerAddress(address);
    if (peerId === this.#status.nodeId) {
      throw new WatsError('usage', 'this address is the one of this node itself', {
        fix: 'Give the address that `wats peer invite` prints on the other node.',
      });
    }
    this.#name(address);
    await this.#call((call) => ({ kind: 'add', call, address }));
  }

  async removePeer(peerId: string): Promise<void> {
    this.#peers.delete(peerId);
    await this.#call((call) => ({ kind: 'remove', call, peer: peerId }));
  }

  status(): SyncStatus {
    return this.#status;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    clearTimeout(this.#restart);
    await this.#starting;
    const worker = this.#worker;
    if (worker === undefined) return;
    const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'stop' } satisfies ToWorker);
    const patience = setTimeout(() => void worker.terminate(), STOP_MS);
    await gone;
    clearTimeout(patience);
  }

  /** One worker, from its start to its ready. Answers why it couldn't start. */
  async #spawn(): Promise<Failure | undefined> {
    const startedAt = performance.now();
    const { worker: _, ...rest } = this.#options;
    const peers = [...this.#peers.values()].flatMap((addresses) => [...addresses]);
    const worker = new Worker(this.#script, {
      name: 'wats-sync',
      workerData: { ...rest, peers } satisfies WorkerOptions,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: NURSERY_MB },
    });
    const { promise, resolve } = Promise.withResolvers<Failure | undefined>();
    let crash: unknown;
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        this.#worker = worker;
        this.#changed(message.status);
        resolve(undefined);
      } else if (message.kind === 'failed') {
        resolve(message.failure);
      } else {
        this.#hear(worker, message);
      }
    });
    worker.on('error', (error) => {
      crash = error;
    });
    worker.on('exit', (code) => {
      resolve({ code: undefined, message: reasonOf(crash ?? `exit code ${code}`), fix: undefined });
      if (this.#worker === worker) this.#lost(crash ?? `exit code ${code}`, performance.now() - startedAt);
    });
    const failure = await promise;
    if (failure !== undefined) await worker.terminate();
    return failure;
  }

  #hear(worker: Worker, message: FromWorker): void {
    switch (message.kind) {
      case 'batch':
        void this.#accept(worker, message);
        break;
      case 'status':
        this.#changed(message.status);
        break;
      case 'event':
        this.#ports.log(message.event);
        break;
      case 'done':
        this.#calls.get(message.call)?.(message.failure);
        this.#calls.delete(message.call);
        break;
      case 'ready':
      case 'failed':
        break;
      default:
        message satisfies never;
    }
  }

  async #accept(worker: Worker, { batch, posts }: Extract<FromWorker, { kind: 'batch' }>): Promise<void> {
    let answer: ToWorker;
    try {
      answer = { kind: 'accepted', batch, outcome: await this.#ports.accept(posts) };
    } catch (error) {
      answer = { kind: 'accepted', batch, outcome: { error: reasonOf(error) } };
    }
    worker.postMessage(answer);
  }

  #lost(cause: unknown, lastedMs: number): void {
    this.#worker = undefined;
    for (const settle of this.#calls.values()) settle(undefined);
    this.#calls.clear();
    if (this.#isStopped) return;
    this.#changed({
      ...this.#status,
      listening: [],
      peers: this.#status.peers.map((peer) =>
        peer.state === 'connected' ? { ...peer, state: 'connecting', relayed: false } : peer,
      ),
      relays: this.#status.relays.map(({ seed }) => ({ seed, state: 'waiting', reason: null })),
      serving: null,
    });
    if (lastedMs >= STABLE_MS) this.#pauseMs = FIRST_RESTART_MS;
    this.#startAgain(reasonOf(cause));
  }

  #startAgain(reason: string): void {
    const restartInMs = this.#pauseMs;
    this.#pauseMs = Math.min(MAX_RESTART_MS, restartInMs * 2);
    this.#ports.log({ kind: 'worker_failed', reason, restartInMs });
    this.#restart = setTimeout(() => {
      this.#starting = this.#spawn().then((failure) => {
        this.#starting = undefined;
        if (this.#isStopped) return;
        if (failure === undefined) this.#ports.log({ kind: 'worker_restarted' });
        else this.#startAgain(failure.message);
      });
    }, restartInMs);
  }

  /** Asks the worker; at once when there is none: the next one starts with all that is known here. */
  async #call(message: (call: number) => ToWorker): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#callCount += 1;
    const call = this.#callCount;
    const { promise, resolve } = Promise.withResolvers<Failure | undefined>();
    this.#calls.set(call, resolve);
    worker.postMessage(message(call));
    const failure = await promise;
    if (failure !== undefined) throw errorOf(failure);
  }

  #name(address: string): void {
    const { peerId } = parsePeerAddress(address);
    const addresses = this.#peers.get(peerId) ?? new Set();
    this.#peers.set(peerId, addresses.add(address));
  }

  #changed(status: SyncStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}

function errorOf({ code, message, fix }: Failure): WatsError {
  // The code is one of ours: it was a WatsError in the worker.
  return new WatsError(
    (code as ErrorCode | undefined) ?? 'failed',
    message,
    fix === undefined ? {} : { fix },
  );
}
