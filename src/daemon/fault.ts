/** What a fault is called in the log: a code, never a message, which may hold a stranger's words. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'defect';
}

/** The stack of a defect, for the log, where a person who reports it finds it. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.name).slice(0, 2_000) : 'unknown';
}
