import type { Socket } from 'node:net';
import { isWatsError, WatsError } from '../errors/index.ts';
import type { Controls } from './intents.ts';
import { lineReader } from './lines.ts';
import {
  CONTROL_PROTOCOL,
  errorLine,
  type Hello,
  MAX_ANSWER_CHARS,
  MAX_REQUEST_CHARS,
  type Request,
} from './protocol.ts';
import { readRequest, unknownRequest } from './requests.ts';
import { lineOfDifference, type Slices, slicesOf } from './slices.ts';

/** What a person's commands ask for by name (`search`, `peer.invite`, …). Arguments are checked by the call itself. */
export type Calls = Readonly<Record<string, (args: Record<string, unknown>) => unknown | Promise<unknown>>>;

export interface ServeOptions {
  readonly version: string;
  readonly controls: Controls;
  readonly calls: Calls;
  /** A defect in a call or a view: for the log. */
  readonly onDefect: (error: unknown) => void;
}

/** Requests of one client that are worked on at a time; further ones wait unread. */
const IN_FLIGHT = 16;

/**
 * Serves a person's terminals: what to do with each connection of `control.sock`, whose mode is what lets only that
 * person in. Whoever is connected may do everything.
 */
export function serveControl(options: ServeOptions): (socket: Socket) => { end(): void } {
  return (socket) => attend(socket, options);
}

function attend(socket: Socket, { controls, calls, version, onDefect }: ServeOptions): { end(): void } {
  /** Lines read and not worked on yet: at most those of one piece of the stream. */
  let lines: string[] = [];
  let inFlight = 0;
  let unsubscribe: (() => void) | null = null;
  /** What this client has of the view; it gets the newest difference, never a queue of them. */
  let has: Slices | null = null;
  let behind = false;

  const write = (line: string): void => {
    if (socket.writable) socket.write(line);
  };

  function sendView(): void {
    // A client that does not read gets no more than it has not read; once it has, the newest.
    behind = socket.writableNeedDrain;
    if (behind || !socket.writable) return;
    try {
      const slices = slicesOf(controls.view());
      const line = lineOfDifference(has, slices);
      has = slices;
      if (line !== null) write(line);
    } catch (error) {
      onDefect(error);
    }
  }

  async function answer(request: Request): Promise<unknown> {
    if ('watch' in request) {
      unsubscribe ??= controls.subscribe(sendView);
      sendView();
      return null;
    }
    if ('page' in request) return controls.page(request.page);
    if ('intent' in request) return controls.send(request.key, request.intent);
    const call = Object.hasOwn(calls, request.call) ? calls[request.call] : undefined;
    if (call === undefined) throw unknownRequest();
    return call(request.args as Record<string, unknown>);
  }

  function refuse(id: number, error: unknown): void {
    if (!isWatsError(error)) onDefect(error);
    write(`${JSON.stringify({ id, error: errorLine(error) })}\n`);
  }

  async function handle(line: string): Promise<void> {
    const read = readRequest(line);
    if (read === null) {
      socket.destroy(); // not our protocol, and no id to answer
      return;
    }
    if (read.is === 'refused') {
      refuse(read.id, read.error);
      return;
    }
    const { id } = read.request;
    try {
      const text = JSON.stringify({ id, ok: (await answer(read.request)) ?? null });
      if (text.length > MAX_ANSWER_CHARS) throw tooLarge();
      write(`${text}\n`);
    } catch (error) {
      refuse(id, error);
    }
  }

  /** Works on what was read while the client reads its answers, and reads on only when nothing is left. */
  function pump(): void {
    while (!socket.destroyed && !socket.writableNeedDrain && inFlight < IN_FLIGHT) {
      const line = lines.shift();
      if (line === undefined) break;
      inFlight += 1;
      void handle(line).finally(() => {
        inFlight -= 1;
        pump();
      });
    }
    if (lines.length > 0 || inFlight >= IN_FLIGHT || socket.writableNeedDrain) socket.pause();
    else socket.resume();
  }

  const cut = lineReader(
    MAX_REQUEST_CHARS,
    (line) => lines.push(line),
    () => socket.destroy(),
  );
  socket.on('data', (chunk: Buffer) => {
    cut(chunk);
    pump();
  });
  socket.on('drain', () => {
    if (behind) sendView();
    pump();
  });
  socket.on('end', () => socket.destroySoon());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    lines = [];
    unsubscribe?.();
  });
  const hello: Hello = { wats: CONTROL_PROTOCOL, version, pid: process.pid };
  write(`${JSON.stringify(hello)}\n`);
  return { end: () => socket.destroySoon() };
}

function tooLarge(): WatsError {
  return new WatsError('too_large', 'there is more of that than fits into one answer', {
    fix: 'ask for less at a time: see --limit and --after',
  });
}
