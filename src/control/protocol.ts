import type { ErrorCode } from '../errors/index.ts';
import { isWatsError, WatsError } from '../errors/index.ts';
import { visible } from '../text/index.ts';
import type { Intent, IntentResult, PageRequest } from './intents.ts';
import type { View } from './view.ts';

/** The version of the protocol on `control.sock`. A client of another one says which side to restart. */
export const CONTROL_PROTOCOL = 1;

/** A request longer than this is none of ours: the largest carries a post. */
export const MAX_REQUEST_CHARS = 1 << 20;
/** The largest answer: some hundred posts in full. */
export const MAX_ANSWER_CHARS = 16 << 20;

/** The first line that the daemon sends. */
export interface Hello {
  readonly wats: typeof CONTROL_PROTOCOL;
  readonly version: string;
  readonly pid: number;
}

/** What a client sends: one JSON object a line. `id` is the client's own, given back with the answer. */
export type Request =
  | { readonly id: number; readonly watch: true }
  | { readonly id: number; readonly page: PageRequest }
  | { readonly id: number; readonly intent: Intent; readonly key: string }
  | { readonly id: number; readonly call: string; readonly args: unknown };

/** What the daemon sends: answers, and after `watch` the slices of the view that changed. */
export type Message =
  | { readonly id: number; readonly ok: unknown }
  | { readonly id: number; readonly error: ErrorLine }
  | { readonly view: Partial<View> };

export interface ErrorLine {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fix: string | null;
}

/** An error as a line; what is no WatsError is a defect and crosses as `failed`. */
export function errorLine(error: unknown): ErrorLine {
  if (isWatsError(error)) {
    const { code, message, fix } = error;
    // An error of a peer or of a program may repeat what a stranger wrote.
    return {
      code,
      message: visible(message, 'block'),
      fix: fix === undefined ? null : visible(fix, 'block'),
    };
  }
  return {
    code: 'failed',
    message: 'the daemon met a defect; its log has the details',
    fix: 'see wats.log in the data directory',
  };
}

export function errorOf(line: ErrorLine): WatsError {
  return new WatsError(line.code, line.message, line.fix === null ? {} : { fix: line.fix });
}

/** Answers of an intent that failed, for screens: nothing of `send` throws. */
export function failedIntent(error: unknown): IntentResult {
  const { code, message, fix } = errorLine(error);
  return { ok: false, code, text: message, fix };
}
