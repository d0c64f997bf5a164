import { showOnDesktop } from './desktop.ts';
import { type NoticeKind, notice } from './notice.ts';
import { terminalBytes } from './terminal.ts';

/** The least time between two notifications of a kind. */
const QUIET_MS = 60_000;

export interface NotifierOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `false`: the terminal alone, where somebody else tells the desktop. */
  readonly desktop?: boolean;
  /** ms, of a clock that only goes forward. */
  readonly now: () => number;
  /** Writes bytes that take no room to the terminal of the live screen; does nothing when none is up. */
  readonly terminal: (bytes: string) => void;
  /** Calls back once after `ms`; returns what calls it off. Must not keep the process alive. */
  readonly later: (ms: number, call: () => void) => () => void;
}

export interface Notifier {
  /**
   * Tells a person, on the desktop where there is one, else through the terminal. Within a minute of the last
   * notice of a kind the newest count waits for the end of that minute; a count of 0 takes it back. Never throws.
   */
  readonly tell: (kind: NoticeKind, count: number) => void;
  /** Calls off what waits. Resolves when no program of ours is running. */
  readonly close: () => Promise<void>;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const told = new Map<NoticeKind, number>();
  const waiting = new Map<NoticeKind, () => void>();
  const going = new Set<Promise<void>>();
  let closed = false;

  const send = (kind: NoticeKind, count: number): void => {
    told.set(kind, options.now());
    const words = notice(kind, count);
    const onDesktop =
      options.desktop === false
        ? Promise.resolve(false)
        : showOnDesktop(words, options.platform, options.env);
    const shown = onDesktop.then((taken) => {
      if (!taken && !closed) options.terminal(terminalBytes(words, options.env));
    });
    going.add(shown);
    void shown.finally(() => going.delete(shown));
  };

  return {
    tell(kind, count) {
      waiting.get(kind)?.();
      waiting.delete(kind);
      if (closed || !(count > 0)) return;
      const last = told.get(kind);
      const wait = last === undefined ? 0 : last + QUIET_MS - options.now();
      if (wait <= 0) return send(kind, count);
      const callOff = options.later(wait, () => {
        waiting.delete(kind);
        send(kind, count);
      });
      waiting.set(kind, callOff);
    },
    async close() {
      closed = true;
      for (const callOff of waiting.values()) callOff();
      waiting.clear();
      await Promise.all(going);
    },
  };
}
