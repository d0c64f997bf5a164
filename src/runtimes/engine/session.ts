import type { Exit } from '../../processes/index.ts';
import type { Ending, Outcome, Ready, RunEvent, RunSpec, Session } from '../contract.ts';
import { EventQueue } from './events.ts';
import { Program, type ProgramOptions } from './program.ts';
import { TurnWatch } from './watch.ts';

/** What a program printed of one run may not grow over this (design page 3). */
export const MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024;

/** How long each step of an interruption waits for the one before, in ms (design page 3: 5 s). */
export interface Steps {
  readonly stepMs: number;
}

/** How a turn ended, before what is known of its cost, turns and exit is filled in. */
export type Result = Partial<Ending> & Pick<Ending, 'outcome' | 'message'>;

/** What one line of a program means. */
export interface Reading {
  /** Whether the transcript keeps the line. */
  readonly keep: boolean;
  /** Whether it shows that the turn goes on; `false` for a mere keep-alive. */
  readonly heard: boolean;
  readonly events: readonly RunEvent[];
  /** Set when this line ends the turn. */
  readonly result?: Result;
  /** Set when the line shows that the run must be cut short. */
  readonly cut?: { readonly outcome: Outcome; readonly message: string };
}

/** What differs between programs; everything else of a session is the same. */
export interface Dialect {
  /** Resolves when the tools are there; with a result when there is nothing to wait for. Never rejects. */
  ready(program: Program): Promise<Result | null>;
  /** Hands a prompt over. */
  begin(program: Program, prompt: string): void;
  /** Reads a line. Must not throw: every byte of it is a stranger's. */
  read(line: string): Reading;
  /** The program's own way to stop a turn so that its cost is told; the ladder follows when it does not help. */
  interrupt(program: Program): void | Promise<void>;
  /** The ending of a program that ended without ending its turn. */
  exited(exit: Exit, lastWords: string): Result;
  /** How long it gets to end by itself once its input is closed, in ms. */
  readonly patienceMs: number;
  /** Whether a session takes more than one turn. */
  readonly manyTurns: boolean;
  /** Whether any byte, on stderr too, shows that the turn goes on; else only the lines that `read` says. */
  readonly hearsBytes: boolean;
}

interface Turn {
  readonly queue: EventQueue;
  readonly watch: TurnWatch;
  readonly over: Promise<void>;
  readonly finish: (ending: Ending) => void;
}

/** A session over one program: reads it, watches it, cuts it short, ends it. */
export class ProgramSession implements Session {
  readonly #spec: RunSpec;
  readonly #dialect: Dialect;
  readonly #stepMs: number;
  readonly #program: Program;
  #turn: Turn | null = null;
  #turns = 0;
  #exit: Exit | null = null;
  /** Why it is being cut short; the first reason stands. */
  #cut: { readonly outcome: Outcome; readonly message: string } | null = null;
  readonly #cutShort = Promise.withResolvers<void>();
  #keptBytes = 0;
  #usage: Omit<Extract<RunEvent, { type: 'usage' }>, 'type'> = {};
  #closed: Promise<void> | null = null;

  /**
   * Starts the program.
   *
   * @throws WatsError `runtime` when it cannot be started; the signal's reason when that is aborted already
   */
  static async open(
    spec: RunSpec,
    dialect: Dialect,
    start: Pick<ProgramOptions, 'argv' | 'env'>,
    { stepMs }: Steps,
    signal: AbortSignal,
  ): Promise<ProgramSession> {
    signal.throwIfAborted();
    let session: ProgramSession | undefined;
    const program = await Program.start({
      ...start,
      cwd: spec.workDir,
      runDir: spec.runDir,
      onSpawn: spec.onSpawn,
      // Output comes in a later turn of the event loop than the start, so the session is there.
      onLine: (line) => session?.lineRead(line),
      onHeard: () => session?.bytesHeard(),
      onTooLong: () => session?.cutShort('error', 'It printed a line of more than 8 MiB.'),
    });
    session = new ProgramSession(spec, dialect, program, stepMs);
    const stop = (): void => session.interrupt('stopped');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    void program.finished.then(() => signal.removeEventListener('abort', stop));
    return session;
  }

  private constructor(spec: RunSpec, dialect: Dialect, program: Program, stepMs: number) {
    this.#spec = spec;
    this.#dialect = dialect;
    this.#program = program;
    this.#stepMs = stepMs;
    void program.finished.then((exit) => {
      this.#exit = exit;
      this.#finish(dialect.exited(exit, program.lastWords()));
    });
  }

  async ready(): Promise<Ready> {
    const cut = this.#cutShort.promise.then(() => null);
    const gone = this.#program.finished.then((exit) => this.#dialect.exited(exit, this.#program.lastWords()));
    const result = await Promise.race([this.#dialect.ready(this.#program), cut, gone]);
    if (this.#cut !== null) return { ok: false, ending: this.#ending(this.#cut) };
    return result === null ? { ok: true } : { ok: false, ending: this.#ending(result) };
  }

  turn(prompt: string): AsyncIterable<RunEvent> {
    const refusal = this.#refusal();
    const turn = this.#startTurn();
    if (refusal !== null) turn.finish(this.#ending(refusal));
    else this.#dialect.begin(this.#program, prompt);
    return turn.queue;
  }

  #refusal(): Result | null {
    this.#turns += 1;
    if (this.#cut !== null) return this.#cut;
    if (this.#turns > 1 && !this.#dialect.manyTurns)
      return { outcome: 'error', message: 'This program takes one turn only.' };
    if (this.#turn !== null) return { outcome: 'error', message: 'A turn is going on already.' };
    return this.#exit === null ? null : this.#dialect.exited(this.#exit, this.#program.lastWords());
  }

  #startTurn(): Turn {
    const queue = new EventQueue();
    const over = Promise.withResolvers<void>();
    const watch = new TurnWatch({
      timeoutMs: this.#spec.timeoutMs,
      stallTimeoutMs: this.#spec.stallTimeoutMs,
      onTimeout: () => this.interrupt('timeout'),
      onStall: () => this.interrupt('stalled'),
    });
    const turn: Turn = {
      queue,
      watch,
      over: over.promise,
      finish: (ending) => {
        watch.stop();
        queue.push({ type: 'end', ending });
        if (this.#turn === turn) this.#turn = null;
        over.resolve();
      },
    };
    if (this.#turn === null) this.#turn = turn;
    return turn;
  }

  interrupt(outcome: Parameters<Session['interrupt']>[0]): void {
    this.cutShort(outcome, CUT[outcome]);
  }

  /** As `interrupt`, for reasons that the session finds itself. */
  cutShort(outcome: Outcome, message: string): void {
    if (this.#cut !== null || (this.#turns > 0 && this.#turn === null)) return;
    this.#cut = { outcome, message };
    this.#cutShort.resolve();
    if (this.#turn !== null) void this.#climb(this.#turn);
  }

  /** The program's own way, SIGTERM to the group, SIGKILL; a step's time apart, as long as the turn is not over. */
  async #climb(turn: Turn): Promise<void> {
    const steps = [
      () => this.#dialect.interrupt(this.#program),
      () => this.#program.signalAll('SIGTERM'),
      () => this.#program.signalAll('SIGKILL'),
    ];
    for (const step of steps) {
      await step();
      if (await within(turn.over, this.#stepMs)) return;
    }
    // Not even SIGKILL ended it: the turn is over for us, and `close` will say who is left.
    this.#finish({ outcome: 'error', message: 'It could not be ended.' });
  }

  bytesHeard(): void {
    if (this.#dialect.hearsBytes) this.#turn?.watch.heard();
  }

  lineRead(line: string): void {
    const reading = this.#dialect.read(line);
    if (reading.heard) this.#turn?.watch.heard();
    if (reading.keep) this.#keep(line);
    for (const event of reading.events) this.#tell(event);
    if (reading.result !== undefined) this.#finish(reading.result);
    else if (reading.cut !== undefined) this.cutShort(reading.cut.outcome, reading.cut.message);
  }

  #keep(line: string): void {
    this.#keptBytes += Buffer.byteLength(line) + 1;
    if (this.#keptBytes > MAX_TRANSCRIPT_BYTES) this.cutShort('error', 'It printed more than 64 MiB.');
    else this.#spec.onLine(line);
  }

  #tell(event: RunEvent): void {
    if (event.type === 'tool_call') this.#turn?.watch.callOpened(event.callId);
    if (event.type === 'tool_result') this.#turn?.watch.callClosed(event.callId);
    if (event.type === 'usage') this.#usage = { ...this.#usage, ...event };
    this.#turn?.queue.push(event);
  }

  #finish(result: Result): void {
    this.#turn?.finish(this.#ending(this.#cut === null ? result : { ...result, ...this.#cut }));
    // A worker lives on after an interrupted turn and takes the next one.
    if (this.#dialect.manyTurns && this.#turns > 0) this.#cut = null;
  }

  #ending(result: Result): Ending {
    return {
      costMicroUsd: this.#usage.costMicroUsd ?? null,
      turns: this.#usage.turns ?? null,
      resetAt: null,
      exitCode: this.#exit?.code ?? null,
      signal: this.#exit?.signal ?? null,
      ...result,
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.cutShort('stopped', CUT.stopped);
    // A turn that was cut short is on its way out already: its cost is still to come.
    if (this.#turn !== null) await this.#turn.over;
    await this.#program.close({ patienceMs: this.#dialect.patienceMs, killAfterMs: this.#stepMs });
  }
}

const CUT = {
  timeout: 'It took longer than agent.timeout and was interrupted.',
  stopped: 'It was stopped.',
  stalled: 'Nothing was heard of it for agent.stall_timeout, so it was interrupted.',
  max_turns: 'It reached agent.max_turns and was interrupted.',
  error: 'It was interrupted.',
} as const satisfies Record<Parameters<Session['interrupt']>[0], string>;

/** Whether a promise resolves within a time. */
async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const timeout = setTimeout(() => timer.resolve(false), ms);
  const first = await Promise.race([promise.then(() => true), timer.promise]);
  clearTimeout(timeout);
  return first;
}
