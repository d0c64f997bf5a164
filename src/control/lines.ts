import { StringDecoder } from 'node:string_decoder';

/**
 * Splits a byte stream into lines. A line over `maxBytes` calls `onOverflow` once and everything after it is dropped,
 * so that a peer without a newline costs no memory.
 */
export function lineReader(
  maxBytes: number,
  onLine: (line: string) => void,
  onOverflow: () => void,
): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let dead = false;
  return (chunk) => {
    if (dead) return;
    rest += decoder.write(chunk);
    let start = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
      const line = rest.slice(start, end);
      start = end + 1;
      if (line !== '') onLine(line);
    }
    rest = rest.slice(start);
    if (rest.length > maxBytes) {
      dead = true;
      rest = '';
      onOverflow();
    }
  };
}
