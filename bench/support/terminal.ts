import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { cleanEnv, type Program } from './program.ts';

/** `wats` on the live screen of a real pseudo-terminal. */
export interface Terminal {
  readonly pid: number;
  /** Bytes that it wrote so far. */
  bytes(): number;
  /** What a person would see now. */
  text(): Promise<string>;
  /** One chunk of input. */
  type(chunk: string): void;
  /** When the chunk of output came after which a person sees what is looked for (`performance.now()`). */
  shows(what: string, seen: (text: string) => boolean): Promise<number>;
  end(): Promise<void>;
}

/** How long `shows` waits. */
const PATIENCE_MS = 20_000;

export function openTerminal(program: Program, dir: string, columns: number, rows: number): Terminal {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const pty = spawn(process.execPath, [program.script, '--dir', dir], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    env: cleanEnv({ TERM: 'xterm-256color', LANG: 'C.UTF-8', TZ: 'UTC' }),
  });
  // What a terminal answers when it is asked what it is.
  screen.onData((data) => pty.write(data));
  let bytes = 0;
  const watchers = new Set<(at: number) => void>();
  const textNow = (): string => {
    const { active } = screen.buffer;
    return Array.from({ length: rows }, (_, y) => active.getLine(y)?.translateToString(true) ?? '').join(
      '\n',
    );
  };
  pty.onData((data) => {
    const at = performance.now();
    bytes += Buffer.byteLength(data);
    screen.write(data, () => {
      for (const look of watchers) look(at);
    });
  });
  const gone = new Promise<void>((done) => {
    pty.onExit(() => done());
  });
  return {
    pid: pty.pid,
    bytes: () => bytes,
    async text() {
      await new Promise<void>((done) => screen.write('', done));
      return textNow();
    },
    type: (chunk) => pty.write(chunk),
    shows: (what, seen) =>
      new Promise((done, fail) => {
        const look = (at: number): void => {
          if (seen(textNow())) end(() => done(at));
        };
        const late = setTimeout(
          () => end(() => fail(new Error(`the screen never showed ${what}:\n${textNow()}`))),
          PATIENCE_MS,
        );
        const end = (tell: () => void): void => {
          clearTimeout(late);
          watchers.delete(look);
          tell();
        };
        watchers.add(look);
      }),
    async end() {
      pty.kill('SIGTERM');
      await gone;
      screen.dispose();
    },
  };
}
