import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { QUIET_MS } from '../dialogs/guard.ts';
import { graphemesOf } from '../keys/names.ts';

export type Pointer =
  | { readonly type: 'wheel'; readonly by: number; readonly x: number; readonly y: number }
  | { readonly type: 'click'; readonly x: number; readonly y: number };

/** What Ink reads instead of the terminal. */
export type Tap = PassThrough & {
  readonly isTTY: true;
  setRawMode: (on: boolean) => Tap;
  ref: () => Tap;
  unref: () => Tap;
};

export interface TapOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly now: () => number;
  readonly onPointer: (pointer: Pointer) => void;
  /** The terminal went away. */
  readonly onEnd: () => void;
}

export interface Tapped {
  readonly stream: Tap;
  /** Whether the newest chunk was one typed grapheme with nothing right before it. */
  readonly alone: () => boolean;
  readonly close: () => void;
}

const REPORT = /\x1b\[<(\d+);(\d+);(\d+)([Mm])/g;
/** Late answers to what was asked of the terminal before the screen was up: its background, what it is. */
const ANSWER = /\x1b\]1[01];rgba?:[0-9a-f/]*(?:\x07|\x1b\\)|\x1b\[\?[\d;]*c/gi;
/** The beginning of one at the end of a chunk: the rest comes with the next one. */
const CUT_REPORT = /\x1b(?:\[(?:<[\d;]*|\?[\d;]*)?|\](?:1(?:[01](?:;[rgba:0-9a-f/]*\x1b?)?)?)?)$/i;

/**
 * Stands between the terminal and Ink: takes mouse reports out, and knows what came in one chunk, which Ink does not
 * tell. It reads only while raw mode is on, so that an editor gets its keys.
 */
export function tap(options: TapOptions): Tapped {
  const { stdin } = options;
  const decoder = new StringDecoder('utf8');
  const stream = new PassThrough() as unknown as Tap;
  let rest = '';
  let lastAt = Number.NEGATIVE_INFINITY;
  let alone = false;
  let reading = false;
  let held: NodeJS.Timeout | undefined;

  const push = (text: string) => {
    if (text !== '') stream.write(text);
  };
  const onData = (chunk: Buffer | string) => {
    clearTimeout(held);
    const now = options.now();
    const quiet = Math.abs(now - lastAt) >= QUIET_MS;
    lastAt = now;
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk));
    alone = quiet && rest === '' && graphemesOf(text).length === 1;
    const { keys, pointers, cut } = split(text);
    rest = cut;
    // A lone beginning that is no report after all must not swallow what was typed.
    if (rest !== '') held = setTimeout(() => push(takeRest()), 50).unref();
    push(keys);
    for (const pointer of pointers) options.onPointer(pointer);
  };
  const takeRest = () => {
    const text = rest;
    rest = '';
    return text;
  };
  const read = (on: boolean) => {
    if (on === reading) return;
    reading = on;
    if (on) {
      stdin.on('data', onData);
      stdin.resume();
    } else {
      stdin.off('data', onData);
      stdin.pause();
    }
  };
  const onEnd = () => options.onEnd();
  stdin.on('end', onEnd);
  stdin.on('error', onEnd);

  return {
    stream: Object.assign(stream, {
      isTTY: true as const,
      setRawMode: (on: boolean) => {
        stdin.setRawMode?.(on);
        read(on);
        return stream;
      },
      ref: () => {
        stdin.ref?.();
        return stream;
      },
      unref: () => {
        stdin.unref?.();
        return stream;
      },
    }),
    alone: () => alone,
    close: () => {
      clearTimeout(held);
      read(false);
      stdin.off('end', onEnd);
      stdin.off('error', onEnd);
      ignoreErrors(stdin);
    },
  };
}

const nobody = () => undefined;

/** A terminal that is gone may still fail; nobody is left whom it concerns. */
export function ignoreErrors(stream: NodeJS.EventEmitter): void {
  if (!stream.listeners('error').includes(nobody)) stream.on('error', nobody);
}

/** Keys, and what the mouse did. Releases and moves of buttons are nothing to us. */
export function split(text: string): { keys: string; pointers: Pointer[]; cut: string } {
  const pointers: Pointer[] = [];
  const keys = text
    .replace(ANSWER, '')
    .replace(REPORT, (_, button: string, column: string, line: string, end: string) => {
      const x = Number(column) - 1;
      const y = Number(line) - 1;
      // Bits 2–4 are Shift, Alt and Ctrl; bit 5 is movement.
      const code = Number(button) & ~0b11100;
      if (code === 64 || code === 65) pointers.push({ type: 'wheel', by: code === 64 ? -1 : 1, x, y });
      else if (code === 0 && end === 'M') pointers.push({ type: 'click', x, y });
      return '';
    });
  const cut = CUT_REPORT.exec(keys)?.[0] ?? '';
  return { keys: cut === '' ? keys : keys.slice(0, -cut.length), pointers, cut };
}
