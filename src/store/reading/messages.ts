import type { Found } from '../posts.ts';
import type { SearchQuery } from '../search.ts';

/** What the reader worker can be asked for. */
export type Task =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  /** A whole copy of the database. @see writeCopy */
  | { readonly kind: 'copy'; readonly target: string }
  /** Moves the write-ahead log into the database file. @see checkpoint */
  | { readonly kind: 'checkpoint' }
  /** Whether the whole database is sound. Takes seconds a gigabyte. */
  | { readonly kind: 'check' };

export interface Results {
  readonly search: Found;
  readonly copy: null;
  readonly checkpoint: null;
  readonly check: boolean;
}

/** To the worker; `end` when nobody needs it any more. */
export type ToReader = { readonly call: number; readonly task: Task } | { readonly kind: 'end' };

export type FromReader =
  | { readonly call: number; readonly result: Results[Task['kind']] }
  | { readonly call: number; readonly failure: ReaderFailure };

/** An error as it crosses threads; `code` is `undefined` for what is no `WatsError`. */
export interface ReaderFailure {
  readonly code: string | undefined;
  readonly message: string;
  readonly fix: string | undefined;
  /** The search index is damaged: who writes makes it again. */
  readonly isIndexDamage: boolean;
}
