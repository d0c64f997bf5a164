/** The longest a timer of the platform can wait; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface WatchOptions {
  /** From the start of the turn, in ms. */
  readonly timeoutMs: number;
  /** Silence while no tool call is open, in ms. */
  readonly stallTimeoutMs: number;
  readonly onTimeout: () => void;
  readonly onStall: () => void;
}

/** Watches one turn: how long it takes, and how long nothing is heard of it. */
export class TurnWatch {
  readonly #options: WatchOptions;
  readonly #timeout: NodeJS.Timeout;
  #stall: NodeJS.Timeout;
  #heardAt = performance.now();
  readonly #openCalls = new Set<string>();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timeout = setTimeout(options.onTimeout, Math.min(options.timeoutMs, LONGEST_TIMER_MS));
    this.#stall = this.#armStall(options.stallTimeoutMs);
  }

  /** The program printed something. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  callOpened(callId: string): void {
    this.#openCalls.add(callId);
  }

  callClosed(callId: string): void {
    this.#openCalls.delete(callId);
    this.heard();
  }

  stop(): void {
    clearTimeout(this.#timeout);
    clearTimeout(this.#stall);
  }

  /** One timer, moved only when it fires: a program may print thousands of lines a second. */
  #armStall(inMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#lookForStall(), Math.min(inMs, LONGEST_TIMER_MS));
  }

  #lookForStall(): void {
    // While a tool runs the silence is the tool's; it counts from the tool's end.
    if (this.#openCalls.size > 0) this.heard();
    const leftMs = this.#heardAt + this.#options.stallTimeoutMs - performance.now();
    if (leftMs <= 0) this.#options.onStall();
    else this.#stall = this.#armStall(Math.ceil(leftMs));
  }
}
