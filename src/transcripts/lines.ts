import type { FileHandle } from 'node:fs/promises';

/** A whole line of a file. `text` is `null` when it is longer than what is worth reading. */
export interface FileLine {
  /** Where it begins, and where the next one does, in bytes. */
  readonly from: number;
  readonly to: number;
  readonly text: string | null;
}

const CHUNK = 256 * 1024;
/** The first read: what was appended since the last look is a line or two. */
const FIRST_CHUNK = 16 * 1024;
/** Lines over this are not parsed: no tool of wats answers so much, and JSON of it would stall the screen. */
const WORTH_READING = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The whole lines of a file from a byte offset on, which must begin a line, a batch for each chunk read; a last
 * line without a newline is still being written and left out. Holds a chunk and at most one line in memory.
 */
export async function* linesFrom(file: FileHandle, offset: number): AsyncGenerator<readonly FileLine[]> {
  let from = offset; // where the line in hand begins
  let held: Buffer[] = []; // the parts of it that were read
  let heldBytes = 0;
  for (let position = offset, size = FIRST_CHUNK; ; size = CHUNK) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, position);
    if (bytesRead === 0) return;
    const chunk = buffer.subarray(0, bytesRead);
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const to = position + end + 1;
      const length = heldBytes + end - start;
      const text =
        length > WORTH_READING ? null : Buffer.concat([...held, chunk.subarray(start, end)]).toString('utf8');
      lines.push({ from, to, text });
      held = [];
      heldBytes = 0;
      start = end + 1;
      from = to;
    }
    heldBytes += bytesRead - start;
    if (heldBytes <= WORTH_READING) held.push(chunk.subarray(start));
    else held = [];
    position += bytesRead;
    yield lines;
    // A short read is the end, for now: whoever follows the file asks again.
    if (bytesRead < size) return;
  }
}
