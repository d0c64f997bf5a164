import type {
  DraftPage,
  Intent,
  IntentResult,
  SearchPage,
  ThreadPage,
  TranscriptPage,
  WhyPage,
} from '../../src/control/index.ts';
import type { KeyName } from '../keys/names.ts';
import type { Effect, ScreenState } from './state.ts';

/** Everything that can change the screen's own state. */
export type Event =
  | {
      readonly type: 'key';
      readonly key: KeyName;
      /** Typed by itself: nothing else came in its chunk, nor right before it. */
      readonly alone: boolean;
    }
  | { readonly type: 'paste'; readonly text: string }
  /** The view, the size or the time changed. */
  | { readonly type: 'world' }
  | { readonly type: 'draft'; readonly id: string; readonly page: DraftPage }
  | { readonly type: 'draftFailed'; readonly id: string; readonly text: string }
  | { readonly type: 'thread'; readonly id: string; readonly page: ThreadPage }
  | { readonly type: 'threadFailed'; readonly id: string; readonly text: string }
  | { readonly type: 'why'; readonly id: string; readonly page: WhyPage }
  | { readonly type: 'whyFailed'; readonly id: string; readonly text: string }
  | { readonly type: 'search'; readonly query: string; readonly page: SearchPage }
  | { readonly type: 'searchFailed'; readonly query: string; readonly text: string }
  | { readonly type: 'transcript'; readonly from: number; readonly page: TranscriptPage }
  | {
      readonly type: 'transcriptFailed';
      readonly runId: string;
      readonly from: number;
      readonly text: string;
    }
  | { readonly type: 'result'; readonly intent: Intent; readonly result: IntentResult }
  | { readonly type: 'edited'; readonly for: 'draft' | 'compose'; readonly text: string | null }
  /** A command of ours ended, with its exit code. */
  | { readonly type: 'commanded'; readonly args: readonly string[]; readonly code: number }
  | { readonly type: 'notice'; readonly tone: 'ok' | 'info' | 'error'; readonly text: string }
  | { readonly type: 'wheel'; readonly by: number; readonly x: number; readonly y: number }
  | { readonly type: 'click'; readonly x: number; readonly y: number };

/** The state after an event, and what is to be done because of it. */
export type Stepped = readonly [ScreenState, readonly Effect[]];
