import { connect, type Socket } from 'node:net';
import { LineCutter } from '../lines.ts';
import { type BridgeOptions, type BridgeTiming, type NodeStarter, TIMING } from './options.ts';
import { refuse, SessionMemory } from './session.ts';

/** Bytes of a line that the node takes, and that the bridge keeps to say whose line was too long. */
const NODE_LINE_BYTES = 1_048_576;
const HOST_LINE_BYTES = 8 * NODE_LINE_BYTES;
const ANSWER_BYTES = 32 * NODE_LINE_BYTES;
/** Lines of the host that wait for a connection before its input is left unread. */
const MAX_QUEUE = 256;

const LOST =
  'The wats node went away during this call, so whether it took effect is not known. It is safe to repeat search, read, inbox, status and pending, and a post or reply with the same request_id; anything else: look first.';

/** Passes lines between a host and the node until one of them is done. Resolves with the exit code. */
export function runBridge(options: BridgeOptions): Promise<number> {
  return new Promise((resolve) => new Bridge(options, resolve).begin());
}

class Bridge {
  readonly #options: BridgeOptions;
  readonly #timing: BridgeTiming;
  readonly #starter: NodeStarter | null;
  readonly #exit: (code: number) => void;
  readonly #memory = new SessionMemory();
  #socket: Socket | undefined;
  /** Whether lines of the host may be sent: connected, and a replay, if any, was answered. */
  #ready = false;
  /** Whether this connection, and whether any, brought an answer. */
  #proven = false;
  #everProven = false;
  /** What the node said when it closed a connection on us. */
  #refusal: string | undefined;
  #hostDone = false;
  #over = false;
  /** Lines of the host that no node has seen. */
  #queue: string[] = [];
  /** Since when nobody answers, and since when somebody waits for that: ms, `performance.now`. */
  #downSince = 0;
  #waitingSince: number | undefined;
  #delay: number;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: BridgeOptions, exit: (code: number) => void) {
    this.#options = options;
    this.#timing = options.timing ?? TIMING;
    this.#starter = options.persistence === 'once' ? null : options.persistence.starter;
    this.#exit = exit;
    this.#delay = this.#timing.retry[0];
  }

  begin(): void {
    const { input, output } = this.#options;
    this.#downSince = performance.now();
    this.#waitingSince = this.#downSince;
    const cutter = new LineCutter(
      HOST_LINE_BYTES,
      (line) => this.#fromHost(line),
      () => this.#options.warn(`a line of over ${HOST_LINE_BYTES} bytes was dropped`),
    );
    input.on('data', (chunk: Buffer) => cutter.push(chunk));
    input.on('end', () => this.#hostEnded());
    input.on('error', () => this.#finish(0)); // the host is gone, and with it whoever could be told
    output.on('error', () => this.#finish(0));
    output.on('drain', () => this.#socket?.resume());
    this.#connect();
  }

  #fromHost(line: string): void {
    if (line.trim() === '') return;
    const bytes = Buffer.byteLength(line);
    if (bytes > NODE_LINE_BYTES) {
      const answer = refuse(line, `This request has ${bytes} bytes; wats takes ${NODE_LINE_BYTES}.`);
      if (answer) this.#toHost(answer);
      return;
    }
    if (this.#ready) {
      this.#toNode(line);
      return;
    }
    this.#queue.push(line);
    if (this.#queue.length >= MAX_QUEUE) this.#options.input.pause();
    if (this.#waitingSince === undefined) {
      // Somebody waits from now on: no idle delay any more.
      this.#waitingSince = performance.now();
      this.#delay = this.#timing.retry[0];
      if (this.#retry) this.#retryIn(0);
    }
  }

  #toNode(line: string): void {
    this.#memory.sent(line);
    if (this.#socket?.write(`${line}\n`) === false) this.#options.input.pause();
  }

  #toHost(line: string): void {
    if (!this.#options.output.write(`${line}\n`)) this.#socket?.pause();
  }

  #connect(): void {
    const socket = connect(this.#options.socket);
    this.#socket = socket;
    let refused: string | undefined;
    const cutter = new LineCutter(
      ANSWER_BYTES,
      (line) => this.#fromNode(line),
      () => socket.destroy(),
    );
    socket.on('connect', () => this.#connected());
    socket.on('data', (chunk: Buffer) => cutter.push(chunk));
    socket.on('drain', () => this.#options.input.resume());
    socket.on('end', () => socket.destroy());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      refused = error.code ?? error.message;
    });
    socket.on('close', () => this.#disconnected(refused));
  }

  #connected(): void {
    this.#proven = false;
    this.#starter?.done();
    const { hello } = this.#options;
    if (hello !== undefined) this.#socket?.write(hello);
    const again = this.#memory.reopen();
    for (const line of again.lines) this.#socket?.write(`${line}\n`);
    if (!again.await) this.#flush();
    if (!this.#memory.waits && !again.await) this.#waitingSince = undefined;
  }

  #flush(): void {
    this.#ready = true;
    const queue = this.#queue;
    this.#queue = [];
    this.#options.input.resume();
    for (const line of queue) this.#toNode(line);
  }

  #fromNode(line: string): void {
    const what = this.#memory.received(line);
    if (what.is === 'closing') {
      this.#refusal = what.why;
      this.#options.warn(what.why);
      return;
    }
    if (!this.#proven) this.#proof();
    switch (what.is) {
      case 'pass':
        this.#toHost(line);
        break;
      case 'replay_refused':
        this.#socket?.destroy();
        break;
      case 'replayed':
        for (const next of this.#memory.afterReplay()) this.#socket?.write(`${next}\n`);
        this.#flush();
        break;
      default:
        what satisfies never;
    }
    this.#checkDrained();
  }

  /** A node that answers, and not only one that accepted a connection on its way out. */
  #proof(): void {
    this.#proven = true;
    this.#everProven = true;
    this.#refusal = undefined;
    this.#waitingSince = undefined;
    this.#delay = this.#timing.retry[0];
  }

  #disconnected(why: string | undefined): void {
    if (this.#over) return;
    const now = performance.now();
    if (this.#proven) this.#downSince = now;
    this.#proven = false;
    this.#ready = false;
    // It may have been paused for a connection that will never drain.
    if (this.#queue.length < MAX_QUEUE) this.#options.input.resume();
    for (const answer of this.#memory.lost(LOST)) this.#toHost(answer);
    const waits = this.#memory.waits || this.#queue.length > 0;
    if (waits) this.#waitingSince ??= now;
    if (this.#hostDone && !waits) {
      this.#finish(0);
      return;
    }
    if (this.#options.persistence === 'once') {
      this.#endOfRun(why);
      return;
    }
    this.#askForNode(now);
    if (this.#gaveUp(now, why)) return;
    this.#retryIn(this.#delay);
    const longest = this.#waitingSince === undefined ? this.#timing.retryIdle : this.#timing.retry[1];
    this.#delay = Math.min(this.#delay * 2, longest);
  }

  #retryIn(ms: number): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#connect();
    }, ms);
  }

  /** A node is started for somebody who waits: at once at the beginning, later only if none comes back by itself. */
  #askForNode(now: number): void {
    if (this.#starter === null || this.#waitingSince === undefined) return;
    if (!this.#everProven || now - this.#downSince >= this.#timing.beforeStart) this.#starter.tryStart();
  }

  /** Tells whoever waits in vain. A host whose handshake was never answered has no server, so that is the end. */
  #gaveUp(now: number, why: string | undefined): boolean {
    if (this.#waitingSince === undefined) return false;
    const patience = this.#starter === null ? this.#timing.patienceAlone : this.#timing.patience;
    const late = now - this.#waitingSince >= patience;
    const hopeless = this.#refusal !== undefined || why === 'EACCES' || why === 'EPERM';
    const reason = this.#starter?.failed() ?? (late || hopeless ? this.#nobody(why) : undefined);
    if (reason === undefined) return false;
    this.#starter?.done();
    this.#refuseAll(reason);
    if (this.#everProven) return false;
    this.#options.warn(reason);
    this.#finish(1);
    return true;
  }

  #nobody(why: string | undefined): string {
    if (this.#refusal !== undefined) return this.#refusal;
    if (why === 'EACCES' || why === 'EPERM') return `This user may not open ${this.#options.socket}.`;
    return `No wats node answers on ${this.#options.socket}. Start one with "wats", then try again.`;
  }

  #refuseAll(reason: string): void {
    for (const answer of this.#memory.refuseHandshake(reason)) this.#toHost(answer);
    for (const line of this.#queue) {
      const answer = refuse(line, reason);
      if (answer) this.#toHost(answer);
    }
    this.#queue = [];
    this.#waitingSince = undefined;
    this.#options.input.resume();
  }

  #endOfRun(why: string | undefined): void {
    if (!this.#everProven) this.#options.warn(this.#nobody(why));
    this.#refuseAll(this.#nobody(why));
    this.#finish(this.#everProven ? 0 : 1);
  }

  #hostEnded(): void {
    this.#hostDone = true;
    this.#checkDrained();
    if (!this.#over) setTimeout(() => this.#finish(0), this.#timing.drain);
  }

  /** After the host's last word: what it asked is still answered, if that is quick. */
  #checkDrained(): void {
    if (this.#hostDone && this.#queue.length === 0 && !this.#memory.waits) this.#finish(0);
  }

  #finish(code: number): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#retry);
    this.#starter?.done();
    this.#socket?.destroySoon();
    this.#exit(code);
  }
}
