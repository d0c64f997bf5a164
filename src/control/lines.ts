import { StringDecoder } from 'node:string_decoder';

/**
 * Splits a byte stream into lines, empty ones left out. Over `maxChars` without a newline it calls `onOverflow` once
 * and drops everything after it, so that a peer that never ends a line costs no memory.
 */
export function lineReader(
  maxChars: number,
  onLine: (line: string) => void,
  onOverflow: () => void,
): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  /** The beginning of a line whose end has not come yet, in the pieces in which it came. */
  let parts: string[] = [];
  let chars = 0;
  let dead = false;

  function keep(part: string): boolean {
    parts.push(part);
    chars += part.length;
    if (chars <= maxChars) return true;
    dead = true;
    parts = [];
    onOverflow();
    return false;
  }

  return (chunk) => {
    if (dead) return;
    const text = decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (!keep(text.slice(start, end))) return;
      const line = parts.join('');
      parts = [];
      chars = 0;
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < text.length) keep(text.slice(start));
  };
}
