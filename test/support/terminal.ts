import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import xterm from '@xterm/headless';
import { type Cell, cellsOf } from './cells.ts';

/** A terminal in this process: what a program writes is on its screen, what is typed reaches the program. */
export class TestTerminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly #out: Out;
  readonly #keys: Keys;
  readonly #term: xterm.Terminal;
  /** Everything written, as it was. */
  written = '';

  constructor(columns: number, rows: number) {
    this.#term = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      convertEol: true,
      scrollback: 500,
    });
    this.#out = new Out(this.#term, columns, rows, (data) => {
      this.written += data;
    });
    this.#keys = new Keys();
    this.stdout = this.#out as unknown as NodeJS.WriteStream;
    this.stdin = this.#keys as unknown as NodeJS.ReadStream;
  }

  /** One chunk of input, as a terminal would send it. */
  type(chunk: string): void {
    this.#keys.push(chunk);
  }

  get raw(): boolean {
    return this.#keys.raw;
  }

  get alternate(): boolean {
    return this.#term.buffer.active.type === 'alternate';
  }

  resize(columns: number, rows: number): void {
    this.#term.resize(columns, rows);
    this.#out.columns = columns;
    this.#out.rows = rows;
    this.#out.emit('resize');
  }

  /** The program's writes fail from now on, as when the terminal is gone. */
  break(): void {
    this.#out.broken = true;
  }

  async lines(): Promise<string[]> {
    await this.#out.flushed();
    const buffer = this.#term.buffer.active;
    return Array.from(
      { length: this.#term.rows },
      (_, y) => buffer.getLine(buffer.viewportY + y)?.translateToString(true) ?? '',
    );
  }

  async text(): Promise<string> {
    return (await this.lines()).join('\n');
  }

  /** The screen with its colours. */
  async cells(): Promise<Cell[][]> {
    await this.#out.flushed();
    return cellsOf(this.#term);
  }

  /** The screen once it shows what is looked for, in a string or a pattern. */
  async until(sought: string | RegExp | ((text: string) => boolean), ms = 8_000): Promise<string> {
    const shows = (text: string) =>
      typeof sought === 'string'
        ? text.includes(sought)
        : sought instanceof RegExp
          ? sought.test(text)
          : sought(text);
    const deadline = Date.now() + ms;
    for (;;) {
      const text = await this.text();
      if (shows(text)) return text;
      if (Date.now() > deadline)
        throw new Error(`the screen never showed ${String(sought)}; it shows\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  dispose(): void {
    this.#term.dispose();
  }
}

class Out extends EventEmitter {
  readonly isTTY = true;
  writable = true;
  broken = false;
  columns: number;
  rows: number;
  readonly #term: xterm.Terminal;
  readonly #seen: (data: string) => void;
  #pending = Promise.resolve();

  constructor(term: xterm.Terminal, columns: number, rows: number, seen: (data: string) => void) {
    super();
    this.#term = term;
    this.columns = columns;
    this.rows = rows;
    this.#seen = seen;
  }

  write(data: string | Uint8Array, encoding?: unknown, done?: unknown): boolean {
    const callback = [encoding, done].find((value) => typeof value === 'function') as
      | (() => void)
      | undefined;
    if (this.broken) {
      const error = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      setImmediate(() => {
        this.emit('error', error);
        callback?.();
      });
      return false;
    }
    const text = typeof data === 'string' ? data : Buffer.from(data).toString();
    this.#seen(text);
    this.#pending = this.#pending.then(
      () =>
        new Promise((resolve) => {
          this.#term.write(text, () => {
            callback?.();
            resolve();
          });
        }),
    );
    return true;
  }

  end(): void {
    this.writable = false;
  }

  async flushed(): Promise<void> {
    let last: Promise<void> | undefined;
    while (last !== this.#pending) {
      last = this.#pending;
      await last;
    }
  }
}

class Keys extends Readable {
  readonly isTTY = true;
  raw = false;

  override _read(): void {
    // Chunks are pushed when a test types.
  }

  setRawMode(on: boolean): this {
    this.raw = on;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
