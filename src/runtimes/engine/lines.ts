const NEWLINE = 0x0a;

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** The stream is over: what is left without a newline is a line too. */
  end(): void;
}

/**
 * Cuts a byte stream into lines, without their newline, bytes that are not UTF-8 replaced by U+FFFD. Memory holds
 * at most one line: one that grows over `maxBytes` is reported once and everything after it is dropped.
 */
export function splitLines(options: {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  readonly onTooLong: () => void;
}): LineSplitter {
  let parts: Buffer[] = [];
  let bytes = 0;
  let broken = false;

  const add = (part: Buffer): void => {
    if (part.length === 0) return;
    parts.push(part);
    bytes += part.length;
  };
  const tooLong = (): boolean => {
    if (bytes <= options.maxBytes) return false;
    broken = true;
    parts = [];
    options.onTooLong();
    return true;
  };
  const flush = (): void => {
    const line = Buffer.concat(parts, bytes).toString('utf8');
    parts = [];
    bytes = 0;
    options.onLine(line);
  };

  return {
    push(chunk) {
      let from = 0;
      while (!broken) {
        const at = chunk.indexOf(NEWLINE, from);
        add(chunk.subarray(from, at === -1 ? chunk.length : at));
        if (tooLong() || at === -1) return;
        flush();
        from = at + 1;
      }
    },
    end() {
      if (!broken && bytes > 0) flush();
    },
  };
}
