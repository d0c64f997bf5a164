const NEWLINE = 0x0a;

/**
 * Cuts a byte stream into lines. Of a line that grows over the limit nothing is kept: `onTooLong` is called once, and
 * the bytes up to its newline are thrown away. Memory stays below twice the limit, however small the pieces are.
 */
export class LineCutter {
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: () => void;
  /** The beginning of a line whose end has not come yet: the first `#size` bytes of it. */
  #kept: Buffer = Buffer.alloc(0);
  #size = 0;
  #skipping = false;

  /** @param limit bytes of a line, its newline left out */
  constructor(limit: number, onLine: (line: string) => void, onTooLong: () => void) {
    this.#limit = limit;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  /** Takes the next bytes. Lines are handed over without their newline and without a carriage return before it. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #finish(rest: Buffer): void {
    if (this.#size > 0 || this.#skipping || rest.length > this.#limit) this.#keep(rest);
    const skipped = this.#skipping;
    const bytes = this.#size > 0 ? this.#kept.subarray(0, this.#size) : rest;
    this.#skipping = false;
    this.#forget();
    if (skipped) return;
    const line = bytes.toString('utf8');
    this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #keep(part: Buffer): void {
    if (this.#skipping) return;
    const size = this.#size + part.length;
    if (size > this.#limit) {
      this.#skipping = true;
      this.#forget();
      this.#onTooLong();
      return;
    }
    if (size > this.#kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(size, 2 * this.#kept.length, 1024), this.#limit));
      this.#kept.copy(larger, 0, 0, this.#size);
      this.#kept = larger;
    }
    part.copy(this.#kept, this.#size);
    this.#size = size;
  }

  #forget(): void {
    if (this.#kept.length > 0) this.#kept = Buffer.alloc(0);
    this.#size = 0;
  }
}
