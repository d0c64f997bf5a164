import type { ReceivedPost, SyncEvent, SyncOptions, SyncStatus } from './contract.ts';

/** What the main thread tells the worker. Plain data; `call` numbers are answered by `done`. */
export type ToWorker =
  | { readonly kind: 'publish'; readonly bytes: Uint8Array }
  | { readonly kind: 'sync'; readonly call: number; readonly peer: string | undefined }
  | { readonly kind: 'add'; readonly call: number; readonly address: string }
  | { readonly kind: 'remove'; readonly call: number; readonly peer: string }
  | { readonly kind: 'accepted'; readonly batch: number; readonly outcome: BatchOutcome }
  | { readonly kind: 'stop' };

export type BatchOutcome = { readonly refused: readonly string[] } | { readonly error: string };

/** What the worker tells the main thread. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly status: SyncStatus }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'batch'; readonly batch: number; readonly posts: readonly ReceivedPost[] }
  | { readonly kind: 'status'; readonly status: SyncStatus }
  | { readonly kind: 'event'; readonly event: SyncEvent }
  | { readonly kind: 'done'; readonly call: number; readonly failure: Failure | undefined };

/** A `WatsError` as it crosses threads; `code` is `undefined` for any other error. */
export interface Failure {
  readonly code: string | undefined;
  readonly message: string;
  readonly fix: string | undefined;
}

/** What the worker is started with. */
export type WorkerOptions = Omit<SyncOptions, 'worker'>;
