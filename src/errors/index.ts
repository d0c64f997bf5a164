/**
 * The one class of errors that a person is meant to read.
 *
 * The message says what happened and names the thing; `fix` says what to do. A `WatsError` is printed without
 * a stack trace; anything else that reaches the top is a defect of wats and keeps its stack.
 * Match on `code`, never on the text or on `instanceof` (bundles may hold the class twice).
 */
export type ErrorCode =
  | 'usage' // a word on the command line that we do not know, a missing argument
  | 'setting' // a key or a value of a setting
  | 'no_daemon' // nothing listens in the data directory
  | 'already_running' // another daemon holds the directory
  | 'directory' // the data directory or a file of it: modes, missing, newer schema, damaged
  | 'invite' // an invite line that cannot be read
  | 'invalid_post' // a post that breaks the protocol
  | 'too_large' // a text, a frame, a request over its limit
  | 'rate_limited' // try again later
  | 'not_found' // no such post, draft, run
  | 'ambiguous' // a prefix that fits several
  | 'forbidden' // this principal may not
  | 'changed' // the bytes approved are not the bytes held
  | 'decided' // a draft that was decided already, or expired
  | 'halted' // a guardian's halt is in force
  | 'refused' // a start that the runner refuses now
  | 'storage' // a full disk, a store that cannot be written
  | 'runtime' // an agent program: missing, too old, not logged in
  | 'protocol' // the other side of a socket speaks something else
  | 'failed'; // anything else that a person should read

const EXIT: Partial<Record<ErrorCode, number>> = {
  usage: 2,
  setting: 2,
  invite: 2,
  no_daemon: 3,
  already_running: 75,
  rate_limited: 75,
  halted: 75,
  refused: 75,
};

export class WatsError extends Error {
  override readonly name = 'WatsError';
  readonly code: ErrorCode;
  /** What to do about it, as a sentence or a command; shown on its own line. */
  readonly fix: string | undefined;

  constructor(code: ErrorCode, message: string, options: { fix?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fix = options.fix;
  }
}

/** A `WatsError`, also when it comes from another copy of this module or crossed a socket. */
export function isWatsError(error: unknown): error is WatsError {
  return error instanceof Error && error.name === 'WatsError' && 'code' in error;
}

/** The process exit code for an error: 2 usage, 3 no daemon, 75 try again later, 1 the rest (design page 3). */
export function exitCodeOf(error: unknown): number {
  return isWatsError(error) ? (EXIT[error.code] ?? 1) : 1;
}
