import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { WatsError } from '../errors/index.ts';
import type { Controls } from './intents.ts';
import { lineReader } from './lines.ts';
import {
  CONTROL_PROTOCOL,
  errorLine,
  type Hello,
  MAX_LINE_BYTES,
  type Message,
  type Request,
} from './protocol.ts';
import type { View } from './view.ts';

/** What a person's commands ask for by name (`search`, `peer.invite`, …). Arguments are checked by the call itself. */
export type Calls = Readonly<Record<string, (args: Record<string, unknown>) => unknown | Promise<unknown>>>;

export interface ControlServer {
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly path: string;
  readonly version: string;
  readonly controls: Controls;
  readonly calls: Calls;
  /** A defect in a call: for the log. */
  readonly onDefect: (error: unknown) => void;
}

/** Listens on `control.sock` (mode 0600). Whoever can open it is a person and may do everything. */
export async function serveControl(options: ServeOptions): Promise<ControlServer> {
  rmSync(options.path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    attend(socket, options);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.path, resolve);
  });
  chmodSync(options.path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

function attend(socket: Socket, options: ServeOptions): void {
  const { controls, calls, version, onDefect } = options;
  const hello: Hello = { wats: CONTROL_PROTOCOL, version, pid: process.pid };
  let unsubscribe: (() => void) | null = null;
  /** The view that this client has; it gets the newest differences, never a queue of them. */
  let sent: View | null = null;
  let waiting = false;

  const write = (value: Message | Hello): boolean => socket.write(`${JSON.stringify(value)}\n`);

  function sendView(): void {
    if (waiting || socket.destroyed) return;
    const view = controls.view();
    const slice = difference(sent, view);
    sent = view;
    if (slice === null) return;
    if (!write({ view: slice })) {
      waiting = true;
      socket.once('drain', () => {
        waiting = false;
        sendView();
      });
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
    if (call === undefined) {
      throw new WatsError('protocol', 'this daemon does not know that command', {
        fix: 'restart the daemon: it is older than this wats',
      });
    }
    return call(asRecord(request.args));
  }

  async function handle(line: string): Promise<void> {
    let request: Request;
    try {
      request = JSON.parse(line) as Request;
    } catch {
      socket.destroy(); // not our protocol; there is no id to answer
      return;
    }
    try {
      write({ id: request.id, ok: (await answer(request)) ?? null });
    } catch (error) {
      const line = errorLine(error);
      if (line.code === 'failed') onDefect(error);
      write({ id: request.id, error: line });
    }
  }

  socket.on('error', () => socket.destroy());
  socket.on('close', () => unsubscribe?.());
  socket.on(
    'data',
    lineReader(
      MAX_LINE_BYTES,
      (line) => {
        void handle(line);
      },
      () => socket.destroy(),
    ),
  );
  write(hello);
}

/** The slices of `view` that `sent` does not have, or `null`. Slices are compared as data. */
function difference(sent: View | null, view: View): Partial<View> | null {
  if (sent === null) return view;
  const changed = Object.entries(view).filter(
    ([key, value]) =>
      value !== sent[key as keyof View] && JSON.stringify(value) !== JSON.stringify(sent[key as keyof View]),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<View>);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
