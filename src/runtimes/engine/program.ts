import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Exit,
  endLeftovers,
  type ProcessIdentity,
  type SpawnedGroup,
  signalGroup,
  spawnGroup,
} from '../../processes/index.ts';
import { splitLines } from './lines.ts';

/** A line over this ends the run (design page 3). */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MAX_LAST_WORDS_BYTES = 8 * 1024;
/** A helper may hold the pipe of a program that is gone; what was written before the end is read well within this. */
const DRAIN_MS = 250;
/** How long helpers get to end by themselves once their program did. */
const HELPERS_MS = 250;

export interface ProgramOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runDir: string;
  readonly onSpawn: (process: ProcessIdentity) => void;
  readonly onLine: (line: string) => void;
  /** Something was printed, on stdout or stderr. */
  readonly onHeard: () => void;
  /** A line grew over 8 MiB; nothing more of stdout is read. */
  readonly onTooLong: () => void;
}

/** A running agent program: its lines, its last words, its end. */
export class Program {
  readonly #group: SpawnedGroup;
  readonly #runDir: string;
  #lastWords = Buffer.alloc(0);
  /** Resolves once the program has ended and what it printed was read. Never rejects. */
  readonly finished: Promise<Exit>;

  /** @throws WatsError `runtime` when it cannot be started */
  static async start(options: ProgramOptions): Promise<Program> {
    const { argv, cwd, env, onSpawn } = options;
    return new Program(await spawnGroup(argv, { cwd, env, onSpawn }), options);
  }

  private constructor(group: SpawnedGroup, options: ProgramOptions) {
    this.#group = group;
    this.#runDir = options.runDir;
    const { child } = group;
    const lines = splitLines({
      maxBytes: MAX_LINE_BYTES,
      onLine: options.onLine,
      onTooLong: options.onTooLong,
    });
    child.stdout.on('data', (chunk: Buffer) => {
      options.onHeard();
      lines.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      options.onHeard();
      this.#lastWords = Buffer.concat([this.#lastWords, chunk]).subarray(-MAX_LAST_WORDS_BYTES);
    });
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.finished = group.exited.then(async (exit) => {
      await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
      child.stdout.removeAllListeners('data');
      lines.end();
      return exit;
    });
  }

  get identity(): ProcessIdentity {
    return this.#group.identity;
  }

  write(text: string): void {
    this.#group.child.stdin.write(text);
  }

  endInput(): void {
    this.#group.child.stdin.end();
  }

  /** A signal to the program alone, not to its helpers. */
  signal(signal: NodeJS.Signals): void {
    this.#group.child.kill(signal);
  }

  async signalAll(signal: NodeJS.Signals): Promise<void> {
    await signalGroup(this.identity, signal);
  }

  /** The last line it wrote on stderr, at most 500 characters; '' when there is none. Untrusted. */
  lastWords(): string {
    const lines = this.#lastWords.toString('utf8').split('\n');
    return (lines.findLast((line) => line.trim() !== '') ?? '').trim().slice(0, 500);
  }

  /**
   * Ends it and everything of its run: closes its input, waits `patienceMs` for it to end by itself, then SIGTERM
   * to the group, `killAfterMs`, SIGKILL; then the same for whatever still carries the run's marker.
   *
   * @throws WatsError `failed` when a process survives SIGKILL
   */
  async close({ patienceMs, killAfterMs }: { patienceMs: number; killAfterMs: number }): Promise<void> {
    this.endInput();
    await Promise.race([this.#group.exited, sleep(patienceMs, undefined, { ref: false })]);
    const { child } = this.#group;
    const ended = child.exitCode !== null || child.signalCode !== null;
    await endLeftovers(
      { leader: this.identity, runDir: this.#runDir },
      { termAfterMs: ended ? HELPERS_MS : 0, killAfterMs },
    );
    child.stdout.destroy();
    child.stderr.destroy();
    child.stdin.destroy();
  }
}
