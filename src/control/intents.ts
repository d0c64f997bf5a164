import type { DraftPage, SearchPage, ThreadPage, TranscriptEntry, View, WhyPage } from './view.ts';

/** What a person asks of the daemon. Each carries an id of the asker's making: repeated, it is answered, not done again. */
export type Intent =
  | { readonly do: 'approve'; readonly draft: string; readonly sha256: string; readonly text?: string }
  | { readonly do: 'reject'; readonly draft: string; readonly reason: string }
  | { readonly do: 'unreject'; readonly draft: string }
  | {
      readonly do: 'post';
      readonly kind: string;
      readonly parent: string | null;
      readonly title: string;
      readonly text: string;
      readonly tags: readonly string[];
    }
  | { readonly do: 'run' }
  | { readonly do: 'stop' }
  | { readonly do: 'pause' }
  | { readonly do: 'resume' }
  | { readonly do: 'quit'; readonly how: 'drain' | 'now' };

/** How an intent ended. `text` is a sentence for a person, already visible. */
export type IntentResult =
  | { readonly ok: true; readonly text: string; readonly postId?: string }
  | { readonly ok: false; readonly code: string; readonly text: string; readonly fix: string | null };

export type PageRequest =
  | { readonly page: 'draft'; readonly id: string }
  /** A post with the thread it stands in, in arrival order; at most 200 posts after the seq `after`. */
  | { readonly page: 'thread'; readonly id: string; readonly after: number }
  /** Posts with all of the words, newest first, at most 50 from `offset` on; no kind means any. */
  | {
      readonly page: 'search';
      readonly text: string;
      readonly kinds: readonly string[];
      readonly offset: number;
    }
  /** Why a post did or did not wake the agent. Rejects with `refused` when there is no agent. */
  | { readonly page: 'why'; readonly id: string }
  /** Entries `from` … `from + count - 1`; at most 500. */
  | { readonly page: 'transcript'; readonly runId: string; readonly from: number; readonly count: number };

export interface TranscriptPage {
  readonly runId: string;
  readonly total: number;
  readonly entries: readonly TranscriptEntry[];
}

export interface PageOf {
  readonly draft: DraftPage;
  readonly thread: ThreadPage;
  readonly search: SearchPage;
  readonly why: WhyPage;
  readonly transcript: TranscriptPage;
}

/**
 * What a screen holds: in the daemon's own process it is a function call, in `attach` a socket.
 * Nothing of it throws; a page that is not there rejects with a WatsError `not_found`.
 */
export interface Controls {
  /** The newest view. */
  readonly view: () => View;
  /** Calls back after each change of the view, at most ten times a second. Returns the end of it. */
  readonly subscribe: (changed: () => void) => () => void;
  readonly page: <R extends PageRequest>(request: R) => Promise<PageOf[R['page']]>;
  /** @param id unique to this key press; the same id again gives the first answer */
  readonly send: (id: string, intent: Intent) => Promise<IntentResult>;
}
