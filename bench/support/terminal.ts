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
  end(): Promise<void>;
}

export function openTerminal(program: Program, dir: string, columns: number, rows: number): Terminal {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const pty = spawn(process.execPath, [program.script, '--dir', dir], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    env: cleanEnv({ TERM: 'xterm-256color', LANG: 'C.UTF-8', TZ: 'UTC' }),
  });
  let bytes = 0;
  pty.onData((data) => {
    bytes += Buffer.byteLength(data);
    screen.write(data);
  });
  const gone = new Promise<void>((done) => {
    pty.onExit(() => done());
  });
  return {
    pid: pty.pid,
    bytes: () => bytes,
    async text() {
      await new Promise<void>((done) => screen.write('', done));
      const { active } = screen.buffer;
      return Array.from({ length: rows }, (_, y) => active.getLine(y)?.translateToString(true) ?? '').join(
        '\n',
      );
    },
    async end() {
      pty.kill('SIGTERM');
      await gone;
      screen.dispose();
    },
  };
}
