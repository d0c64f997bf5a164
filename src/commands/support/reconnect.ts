import type { Alert, Controls, IntentResult, PageOf, PageRequest, View } from '../../control/index.ts';
import { WatsError } from '../../errors/index.ts';

/** Waits between two attempts, ms: from the first to the longest, doubled each time. */
const FIRST_MS = 250;
const LONGEST_MS = 4_000;

const CONNECTS = 'start it with "wats"; this view connects again by itself';
const OTHER_PROTOCOL = 'another version of wats is back: close this view with q and open it again';

/** One connection to a daemon, as far as a view needs it. */
export interface Link {
  readonly controls: Controls;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  close(): void;
}

export interface ReconnectOptions {
  /** Rejects when nobody listens, or listens in another language. */
  readonly connect: () => Promise<Link>;
  /** Ms since the epoch. */
  readonly now: () => number;
  /** Resolves after so many ms. */
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * The controls of a daemon that may go away and come back. While it is away the last view stays, under an alert that
 * says so, and it is dialled until it answers. An intent that was under way when it went is not sent again: whether
 * it was done, the person sees in the view that comes back.
 *
 * @throws what the first `connect` rejects with
 */
export async function reconnecting(options: ReconnectOptions): Promise<Controls & { close(): void }> {
  const { connect, now, wait } = options;
  const listeners = new Set<() => void>();
  let link: Link | null = await connect();
  let last: View = link.controls.view();
  let closed = false;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  function follow(of: Link): void {
    const stop = of.controls.subscribe(() => {
      last = of.controls.view();
      tell();
    });
    void of.closed.then(() => {
      stop();
      if (link === of) void lost();
    });
  }

  async function lost(): Promise<void> {
    const since = now();
    const plain = last;
    link = null;
    last = { ...plain, alerts: [goneAlert(since, CONNECTS), ...plain.alerts] };
    if (!closed) tell();
    for (let ms = FIRST_MS; !closed; ms = Math.min(ms * 2, LONGEST_MS)) {
      await wait(ms);
      if (closed) return;
      try {
        const again = await connect();
        if (closed) {
          again.close();
          return;
        }
        link = again;
        last = again.controls.view();
        follow(again);
        tell();
        return;
      } catch (error) {
        // That nobody is there the alert says already; a daemon of another version is news.
        const protocol = error instanceof Error && 'code' in error && error.code === 'protocol';
        const alert = goneAlert(since, protocol ? OTHER_PROTOCOL : CONNECTS);
        if (alert.fix !== last.alerts[0]?.fix) {
          last = { ...plain, alerts: [alert, ...plain.alerts] };
          tell();
        }
      }
    }
  }

  follow(link);
  return {
    view: () => last,
    subscribe(changed) {
      listeners.add(changed);
      return () => {
        listeners.delete(changed);
      };
    },
    page: <R extends PageRequest>(request: R): Promise<PageOf[R['page']]> =>
      link === null ? Promise.reject(gone()) : link.controls.page(request),
    send: (id, intent): Promise<IntentResult> => {
      if (link !== null) return link.controls.send(id, intent);
      const { code, message } = gone();
      return Promise.resolve({ ok: false, code, text: message, fix: null });
    },
    close() {
      closed = true;
      listeners.clear();
      link?.close();
    },
  };
}

function goneAlert(since: number, fix: string): Alert {
  const at = new Date(since).toISOString().slice(11, 16);
  return {
    code: 'daemon_gone',
    text: `the daemon has gone away; this is what it last said, at ${at} UTC`,
    fix,
  };
}

function gone(): WatsError {
  return new WatsError('no_daemon', 'the daemon has gone away', { fix: 'start it again with "wats"' });
}
