import type { Stream } from '@libp2p/interface';
import { RECONCILE } from '../engine/limits.ts';
import { ByteReader, uvarint } from './bytes.ts';

/** What a frame of `/wats/sync/1/<space>` carries: its first byte. */
export const FRAME = {
  negentropy: 1,
  settled: 2,
  wanted: 3,
  post: 4,
  end: 5,
  days: 6,
  offered: 7,
} as const;

export interface Frame {
  readonly type: number;
  readonly body: Uint8Array;
}

/** The body of a frame that must be of this type. @throws when it is of another */
export function bodyOf(frame: Frame, type: number): Uint8Array {
  if (frame.type !== type) throw new Error(`a frame of type ${frame.type} where ${type} belongs`);
  return frame.body;
}

/** Buffered bytes above which the peer is held back, and below which it may go on: more than one whole frame. */
const HIGH_BYTES = 512 * 1024;
const LOW_BYTES = 320 * 1024;
/** Unsent bytes above which the writer waits. */
const WRITE_AHEAD_BYTES = 256 * 1024;

/**
 * Frames over a libp2p stream: unsigned varint length (at most 256 KiB), type byte, body.
 *
 * The library's `lpStream` ends a stream whose reader is slower than its writer (its buffer overflows);
 * here a slow reader holds the peer back, because a reader waits for the disk.
 */
export class FrameStream {
  readonly #stream: Stream;
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  bytesIn = 0;
  bytesOut = 0;

  constructor(stream: Stream) {
    this.#stream = stream;
    stream.addEventListener('message', (event) => {
      const data = event.data.subarray();
      this.#chunks.push(data);
      this.#buffered += data.byteLength;
      this.bytesIn += data.byteLength;
      if (this.#buffered > HIGH_BYTES) queueMicrotask(() => this.#holdBack());
      this.#wake?.();
    });
    stream.addEventListener('close', (event) => {
      this.#failure ??= event.error;
      this.#wake?.();
    });
    stream.addEventListener('remoteCloseWrite', () => this.#wake?.());
  }

  /** The next frame. @throws when the stream ends before it, or when it is too long or empty */
  async read(): Promise<Frame> {
    for (;;) {
      const frame = this.#take();
      if (frame) return frame;
      if (this.#failure) throw this.#failure;
      if (this.#isOver()) throw new Error('the stream ended in the middle of the exchange');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** Sends a frame; resolves when there is room for another. */
  async write(type: number, body: Uint8Array = new Uint8Array(0)): Promise<void> {
    const frame = Buffer.concat([uvarint(body.byteLength + 1), Uint8Array.of(type), body]);
    this.bytesOut += frame.byteLength;
    this.#stream.send(frame);
    while (this.#stream.writeBufferLength > WRITE_AHEAD_BYTES) await this.#drained();
  }

  /** Closes our side once everything is sent. */
  async close(signal: AbortSignal): Promise<void> {
    await this.#stream.close({ signal });
  }

  abort(error: Error): void {
    this.#stream.abort(error);
  }

  /** Not in the listener itself: `resume` delivers what it held, and would undo a pause made meanwhile. */
  #holdBack(): void {
    if (this.#buffered > HIGH_BYTES && this.#stream.readStatus === 'readable') this.#stream.pause();
  }

  #take(): Frame | undefined {
    const first = this.#chunks[0];
    if (first === undefined) return undefined;
    const head = first.byteLength < 4 && this.#chunks.length > 1 ? this.#join() : first;
    const reader = new ByteReader(head);
    const length = reader.tryUvarint(RECONCILE.frameBytes);
    if (length === undefined) return undefined;
    if (length === 0) throw new Error('an empty frame');
    const total = reader.position + length;
    if (this.#buffered < total) return undefined;
    const joined = head.byteLength < total ? this.#join() : head;
    this.#buffered -= total;
    if (joined.byteLength === total) this.#chunks.shift();
    else this.#chunks[0] = joined.subarray(total);
    if (this.#buffered < LOW_BYTES && this.#stream.readStatus === 'paused') this.#stream.resume();
    return { type: joined[total - length] ?? 0, body: joined.subarray(total - length + 1, total) };
  }

  #join(): Uint8Array {
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #isOver(): boolean {
    const { status, remoteWriteStatus, readBufferLength } = this.#stream;
    return readBufferLength === 0 && (status !== 'open' || remoteWriteStatus !== 'writable');
  }

  #drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#stream.removeEventListener('drain', onDrain);
        this.#stream.removeEventListener('close', onClose);
      };
      const onDrain = (): void => {
        stop();
        // The stream sends what it holds in a microtask of its own, after its listeners.
        setImmediate(resolve);
      };
      const onClose = (): void => {
        stop();
        reject(this.#failure ?? new Error('the stream ended in the middle of the exchange'));
      };
      this.#stream.addEventListener('drain', onDrain);
      this.#stream.addEventListener('close', onClose);
    });
  }
}
