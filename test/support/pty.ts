import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { type Cell, cellsOf } from './cells.ts';
import { cleanEnv, WATS } from './node.ts';

/** The real program in a real pseudo-terminal, and what a person would see of it. */
export class Pty {
  readonly #pty: IPty;
  readonly #term: xterm.Terminal;
  readonly ended: Promise<number>;
  #pending: Promise<void> = Promise.resolve();
  /** Every byte that the program wrote. */
  written = '';

  constructor(
    args: readonly string[],
    options: {
      readonly columns: number;
      readonly rows: number;
      readonly env?: Readonly<Record<string, string>>;
      /** The colour that this terminal says its background has, as `rrrr/gggg/bbbb`; else it does not say. */
      readonly background?: string;
      /** Another program than wats; `args` are its words. */
      readonly program?: string;
    },
  ) {
    const { columns, rows, program } = options;
    this.#term = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 500 });
    const words = program === undefined ? [WATS, ...args] : [...args];
    this.#pty = spawn(program ?? process.execPath, words, {
      // It sets TERM, whatever the environment says.
      name: options.env?.['TERM'] ?? 'xterm-256color',
      cols: columns,
      rows,
      env: { ...cleanEnv(), TERM: 'xterm-256color', LANG: 'C.UTF-8', TZ: 'UTC', ...options.env },
    });
    // What a terminal answers when it is asked what it is.
    this.#term.onData((data) => this.#pty.write(data));
    this.#pty.onData((data) => {
      if (options.background !== undefined && data.includes('\x1b]11;?'))
        this.#pty.write(`\x1b]11;rgb:${options.background}\x1b\\`);
      this.written += data;
      this.#pending = this.#pending.then(() => new Promise((done) => this.#term.write(data, done)));
    });
    this.ended = new Promise((done) => {
      this.#pty.onExit(({ exitCode, signal }) => done(signal ? 128 + signal : exitCode));
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get alternate(): boolean {
    return this.#term.buffer.active.type === 'alternate';
  }

  /** Whether the cursor is shown, lines wrap, and the mouse and bracketed paste are off: as a shell wants it. */
  async inOrder(): Promise<boolean> {
    await this.#pending;
    const last = (mode: string) => {
      const found = [...this.written.matchAll(new RegExp(`\\x1b\\[\\?${mode}([hl])`, 'g'))].at(-1);
      return found?.[1];
    };
    return (
      !this.alternate &&
      last('25') !== 'l' &&
      last('7') !== 'l' &&
      last('1000') !== 'h' &&
      last('1006') !== 'h' &&
      last('2004') !== 'h'
    );
  }

  /** One chunk of input. */
  type(chunk: string): void {
    this.#pty.write(chunk);
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows);
    this.#term.resize(columns, rows);
  }

  /** What the terminal looked like to a person who sees colours: whether any text has one. */
  get coloured(): boolean {
    const styles = this.written.matchAll(/\x1b\[([\d;]*)m/g);
    return [...styles].some(([, codes = '']) =>
      codes.split(';').some((code) => /^(3[0-8]|4[0-8]|9\d|10\d)$/.test(code)),
    );
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.#pty.pid, signal);
  }

  async text(): Promise<string> {
    await this.#pending;
    const buffer = this.#term.buffer.active;
    return Array.from(
      { length: this.#term.rows },
      (_, y) => buffer.getLine(buffer.viewportY + y)?.translateToString(true) ?? '',
    ).join('\n');
  }

  /** The screen with its colours. */
  async cells(): Promise<Cell[][]> {
    await this.#pending;
    return cellsOf(this.#term);
  }

  /** The screen once it shows what is looked for and has then stood still for a moment. */
  async until(sought: string | RegExp | ((text: string) => boolean), ms = 20_000): Promise<string> {
    const deadline = Date.now() + ms;
    let last = '';
    for (;;) {
      const text = await this.text();
      const shows =
        typeof sought === 'string'
          ? text.includes(sought)
          : sought instanceof RegExp
            ? sought.test(text)
            : sought(text);
      // A capture in mid-frame is no screen: two in a row must agree.
      if (shows && text === last) return text;
      if (Date.now() > deadline)
        throw new Error(`the screen never showed ${String(sought)}; it shows\n${text}`);
      last = text;
      await new Promise((done) => setTimeout(done, 120));
    }
  }

  /** The window is closed: nobody reads any more, nobody types. */
  hangUp(): void {
    (this.#pty as unknown as { destroy(): void }).destroy();
  }

  close(): void {
    try {
      this.#pty.kill('SIGKILL');
    } catch {
      // it has ended already
    }
    this.#term.dispose();
  }
}

/** A screen without what differs from run to run and from place to place, every cell in its place. */
export function steady(screen: string): string {
  return screen
    .replace(/\br-[0-9a-f]{12}\b/g, 'r-############')
    .replace(/\bd-[a-z0-9]{8}\b/g, 'd-########')
    .replace(/(?<=node )[1-9A-HJ-NP-Za-km-z]{15}\b/g, (id) => '#'.repeat(id.length))
    .replace(/\b[0-9a-f]{64}\b/g, (id) => '#'.repeat(id.length))
    .replace(/\b[0-9a-f]{15}\b/g, (id) => '#'.repeat(id.length))
    .replace(/\b(ask|to|answers ask|Thread) [0-9a-f]{4}\b/g, '$1 ####')
    .replace(/\[?\b[0-9a-f]{12}\b\]?/g, (marker) => marker.replace(/[0-9a-f]/g, '#'))
    .replace(/(?<=^│[▸ ])[0-9a-f]{4}(?= +now )/gm, '####')
    .replace(/\b[0-9a-f]{11}…/g, '###########…')
    .replace(/\["\/\S*…/g, (path) => `["/${'#'.repeat(path.length - 4)}…`)
    .replace(/\b\d:\d\d\b/g, '#:##')
    .replace(/\b\d+s(?= ago · id )/g, '#s')
    .replace(/(?<=rule "\w+", )\d+s/g, '#s')
    .replace(/(?<= age .*?)\b\d+[smhd]?\b(?= {2})/g, (figure) => '#'.padEnd(figure.length))
    .replace(/\b(\d+s|now|just now)\b(?= {2}to)/g, 'now');
}
