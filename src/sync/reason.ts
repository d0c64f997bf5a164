/**
 * An error as one line for the log: printable ASCII, at most 200 characters. The messages of network errors
 * may hold what a peer sent, so everything else is dropped.
 */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
}
