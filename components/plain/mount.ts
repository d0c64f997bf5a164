import { randomUUID } from 'node:crypto';
import type { Screen, ScreenOptions } from '../screen/mount.tsx';
import { type Hands, perform } from '../screen/perform.ts';
import { suspendJob } from '../screen/suspend.ts';
import { ignoreErrors, tap } from '../screen/tap.ts';
import type { Event } from '../state/events.ts';
import { eventOf } from './input.ts';
import type { PlainEvent, World } from './menu.ts';
import { begin, type Session, type Stepped, step } from './session.ts';

export type PlainOptions = Pick<
  ScreenOptions,
  | 'controls'
  | 'stdin'
  | 'stdout'
  | 'now'
  | 'mode'
  | 'readOnly'
  | 'once'
  | 'openEditor'
  | 'runCommand'
  | 'saveFile'
  | 'suspend'
  | 'idPrefix'
  | 'notAgain'
  | 'onQuit'
  | 'onError'
>;

/** What waits to be read out is not asked for more often, in ms. */
const SOONEST_MS = 1_000;

/**
 * The linear mode for screen readers and dumb terminals: labelled lines that are only ever added, choices by a single
 * key, the same intents as the live screen. No alternate screen, no cursor movement, no repainting.
 */
export function mountPlain(options: PlainOptions): Screen {
  const { controls, stdout, now } = options;
  const prefix = options.idPrefix ?? randomUUID();
  let ids = 0;
  let closed = false;
  let lent = false;
  let session: Session;
  let timer: NodeJS.Timeout | undefined;
  /** What came while an editor or a command had the terminal. */
  let waiting: PlainEvent[] = [];
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const world = (): World => ({
    view: controls.view(),
    now: now(),
    mode: options.mode,
    readOnly: options.readOnly === true,
    once: options.once === true,
    canEdit: options.openEditor !== undefined,
    canRun: options.runCommand !== undefined,
  });
  const guarded = (what: () => void) => {
    if (closed) return;
    try {
      what();
    } catch (error) {
      unmount();
      options.onError(error);
    }
  };
  const show = ({ session: next, text, effects, wakeAt }: Stepped) => {
    session = next;
    if (text !== '' && stdout.writable) stdout.write(text);
    clearTimeout(timer);
    if (wakeAt !== null)
      timer = setTimeout(() => dispatch({ type: 'world' }), Math.max(SOONEST_MS, wakeAt - now())).unref();
    for (const effect of effects) perform(effect, hands);
  };
  function dispatch(event: Event): void {
    if (event.type === 'wheel' || event.type === 'click') return;
    if (lent) waiting.push(event);
    else guarded(() => show(step(session, event, world())));
  }
  const lend = async (use: () => void | Promise<void>) => {
    lent = true;
    input.stream.setRawMode(false);
    try {
      await use();
    } finally {
      lent = false;
      if (!closed) input.stream.setRawMode(true);
      // The view is asked for once, however often it has changed.
      const events = waiting.filter((event) => event.type !== 'world');
      waiting = [];
      for (const event of [...events, { type: 'world' } as const]) dispatch(event);
    }
  };
  const hands: Hands = {
    controls,
    dispatch,
    // Nothing but lines is ever written.
    write: () => undefined,
    dump: () => '',
    lend: lend as Hands['lend'],
    readOnly: options.readOnly === true,
    openEditor: options.openEditor,
    runCommand: options.runCommand,
    saveFile: options.saveFile,
    suspend: options.suspend ?? suspendJob,
    nextId: () => `${prefix}-${++ids}`,
    notAgain: options.notAgain ?? (() => null),
    onQuit: options.onQuit,
  };

  const input = tap({ stdin: options.stdin, now, onPointer: () => undefined, onEnd: () => unmount() });
  input.stream.on('data', (chunk: Buffer | string) => {
    const event = eventOf(chunk.toString(), input.alone());
    if (event !== null) dispatch(event);
  });
  const onStdoutError = () => unmount();
  stdout.on('error', onStdoutError);
  const unsubscribe = controls.subscribe(() => dispatch({ type: 'world' }));
  function unmount(): void {
    if (closed) return;
    closed = true;
    clearTimeout(timer);
    unsubscribe();
    input.stream.setRawMode(false);
    input.close();
    stdout.off('error', onStdoutError);
    ignoreErrors(stdout);
    finish();
  }

  input.stream.setRawMode(true);
  const first = begin(world());
  session = first.session;
  show(first);
  return { done, unmount };
}
