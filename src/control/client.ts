import { connect, type Socket } from 'node:net';
import { WatsError } from '../errors/index.ts';
import type { Controls, Intent, IntentResult, PageOf, PageRequest } from './intents.ts';
import { lineReader } from './lines.ts';
import {
  CONTROL_PROTOCOL,
  errorOf,
  failedIntent,
  type Hello,
  MAX_ANSWER_CHARS,
  type Message,
  type Request,
} from './protocol.ts';
import type { View } from './view.ts';

type Unnumbered = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;

export interface ControlClient {
  readonly hello: Hello;
  /** A person's command by name. @throws WatsError as the daemon says, `no_daemon` when it goes away */
  call(name: string, args?: Record<string, unknown>): Promise<unknown>;
  /** The same controls as in the daemon's own process. Resolves when the first view is here. */
  watch(): Promise<Controls>;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  close(): void;
}

/**
 * Attaches to the daemon of a data directory.
 * @throws WatsError `no_daemon` when nothing listens, `protocol` when it speaks another version
 */
export async function connectControl(path: string, timeoutMs = 5_000): Promise<ControlClient> {
  const socket = await open(path);
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  const listeners = new Set<() => void>();
  let view: View | null = null;
  const firstView = Promise.withResolvers<void>();
  let next = 1;

  let greet: (hello: Hello) => void = () => {};
  let refuse: (error: Error) => void = () => {};
  const greeted = new Promise<Hello>((resolve, reject) => {
    greet = resolve;
    refuse = reject;
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      const error = gone();
      refuse(error);
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
      resolve();
    });
  });
  socket.on('error', () => socket.destroy());

  function receive(line: string): void {
    const message = parse(line);
    if (message === null) {
      socket.destroy();
    } else if ('wats' in message) {
      greet(message);
    } else if ('view' in message) {
      view = view === null ? (message.view as View) : { ...view, ...message.view };
      firstView.resolve();
      for (const listener of listeners) listener();
    } else {
      const waiter = pending.get(message.id);
      pending.delete(message.id);
      if ('ok' in message) waiter?.resolve(message.ok);
      else waiter?.reject(errorOf(message.error));
    }
  }
  socket.on(
    'data',
    lineReader(MAX_ANSWER_CHARS + 100, receive, () => socket.destroy()),
  );

  function request(body: Unnumbered): Promise<unknown> {
    const id = next++;
    return new Promise((resolve, reject) => {
      if (socket.destroyed) {
        reject(gone());
        return;
      }
      pending.set(id, { resolve, reject });
      socket.write(`${JSON.stringify({ id, ...body })}\n`);
    });
  }

  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const hello = await greeted.finally(() => {
    clearTimeout(timer);
  });
  if (hello.wats !== CONTROL_PROTOCOL) {
    socket.destroy();
    throw new WatsError(
      'protocol',
      `the daemon speaks control protocol ${hello.wats}, this wats ${CONTROL_PROTOCOL}`,
      {
        fix: 'restart the daemon',
      },
    );
  }

  const controls: Controls = {
    view: () => {
      if (view === null) throw new Error('watch() first');
      return view;
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => {
        listeners.delete(changed);
      };
    },
    page: <R extends PageRequest>(page: R) => request({ page }) as Promise<PageOf[R['page']]>,
    send: async (key: string, intent: Intent): Promise<IntentResult> => {
      try {
        return (await request({ intent, key })) as IntentResult;
      } catch (error) {
        return failedIntent(error);
      }
    },
  };

  return {
    hello,
    closed,
    call: (name, args = {}) => request({ call: name, args }),
    async watch() {
      await request({ watch: true });
      // A daemon that is busy writing may answer before it has written the view.
      await Promise.race([firstView.promise, closed]);
      if (view === null) throw gone();
      return controls;
    },
    close: () => {
      socket.destroy();
    },
  };
}

function parse(line: string): Message | Hello | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' ? (message as Message | Hello | null) : null;
  } catch {
    return null; // not our protocol: the caller closes the connection
  }
}

function gone(): WatsError {
  return new WatsError('no_daemon', 'the daemon has gone away', { fix: 'start it again with "wats"' });
}

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error) => {
      reject(
        new WatsError('no_daemon', 'no wats daemon is running on this data directory', {
          fix: 'start one with "wats"',
          cause: error,
        }),
      );
    });
  });
}
