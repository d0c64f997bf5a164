import { randomUUID } from 'node:crypto';
import { type Instance, render, type SuspendTerminal } from 'ink';
import type { Controls } from '../../src/control/index.ts';
import { type ThemeName, themeOf } from '../cells/theme.ts';
import { bind, type Remap } from '../keys/bind.ts';
import { screenRows } from '../layout/screen.ts';
import { headline } from '../panels/headline.ts';
import type { Context, Size } from '../state/context.ts';
import type { Event } from '../state/events.ts';
import { firstState, type Leaving, type ScreenState } from '../state/state.ts';
import { App } from './app.tsx';
import { createDress } from './dress.ts';
import { perform } from './perform.ts';
import { createRecorder } from './recorder.ts';
import { createStore } from './store.ts';
import { suspendJob } from './suspend.ts';
import { ignoreErrors, tap } from './tap.ts';
import { RESET } from './terminal.ts';
import { nextTick } from './ticks.ts';

export interface ScreenOptions {
  readonly controls: Controls;
  /** Both are terminals: the caller has looked. */
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** Ms since the epoch. */
  readonly now: () => number;
  readonly mode: 'daemon' | 'attach';
  /** Keys that act on the daemon are off, and say so. */
  readonly readOnly?: boolean;
  /** The daemon lives as long as this screen: it cannot go on without it, nor start again. */
  readonly once?: boolean;
  /** `none` is `NO_COLOR`: bold, inverse and words. */
  readonly theme: ThemeName;
  /** Opens a text in the person's editor, which gets the terminal; `null` when it was left without saving. */
  readonly openEditor?: (text: string) => Promise<string | null>;
  /** Runs a wats command in the terminal, to its end; answers its exit code. */
  readonly runCommand?: (args: readonly string[]) => Promise<number>;
  /** Writes a text to a new file whose name begins like that, and answers its path. */
  readonly saveFile?: (name: string, text: string) => Promise<string>;
  /** Shows in the window's title what waits for a person. */
  readonly setTitle?: boolean;
  /** Why the daemon would not start again, in a visible sentence: then it goes on. `null` when it would. */
  readonly notAgain?: () => string | null;
  /** Keys that replace those of the table, by action. */
  readonly keys?: Remap;
  /** Clicks are taken from the start; else `m` turns them on. */
  readonly mouse?: boolean;
  /** Begins the ids of intents; unique to this screen. */
  readonly idPrefix?: string;
  /** Stops the job and comes back when it goes on. */
  readonly suspend?: () => Promise<void>;
  /** What the person decided. The screen stays until `unmount`. */
  readonly onQuit: (how: Leaving) => void;
  /** The screen broke and is gone; the terminal is restored, the daemon goes on. */
  readonly onError: (error: unknown) => void;
  /** Frames a second at most; 10 by measurement, more only in tests. */
  readonly maxFps?: number;
}

export interface Screen {
  /** Resolves when the screen is gone, for whatever reason; never rejects. */
  readonly done: Promise<void>;
  readonly unmount: () => void;
}

/**
 * Shows the live screen on a terminal.
 *
 * @throws WatsError `setting` for keys that cannot be bound
 */
export function mountScreen(options: ScreenOptions): Screen {
  const { controls, stdout, now } = options;
  const bindings = bind(options.keys);
  const prefix = options.idPrefix ?? randomUUID();
  let ids = 0;
  let closed = false;
  let size: Size = { columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 };
  let drawn: ScreenState | null = null;
  let painted: ScreenState | null = null;
  let lend: SuspendTerminal | null = null;
  let timer: NodeJS.Timeout | undefined;
  let instance: Instance | undefined;

  const recorder = createRecorder();
  const context = (): Context => ({
    view: controls.view(),
    size,
    now: now(),
    mode: options.mode,
    readOnly: options.readOnly === true,
    once: options.once === true,
    painted,
    canEdit: options.openEditor !== undefined,
    canRun: options.runCommand !== undefined,
    bindings,
  });
  const write = (sequence: string) => {
    if (!closed && stdout.writable) stdout.write(sequence);
  };
  const dress = createDress(write, options.setTitle === true ? () => headline(controls.view()) : null);
  const lendTerminal = (async (use: () => void | Promise<void>) => {
    if (lend === null) return;
    const state = store.state();
    await lend(async () => {
      dress.leave(state.mouse);
      try {
        await use();
      } finally {
        dress.enter(store.state().mouse);
      }
    });
  }) as SuspendTerminal;
  const store = createStore(firstState(controls.view(), options.mouse === true), context, (effect) =>
    perform(effect, {
      controls,
      dispatch,
      write,
      lend: lendTerminal,
      readOnly: options.readOnly === true,
      openEditor: options.openEditor,
      runCommand: options.runCommand,
      saveFile: options.saveFile,
      dump: () =>
        recorder.text(
          screenRows(store.state(), context()),
          `wats ${controls.view().version} · ${size.columns}×${size.rows}`,
        ),
      suspend: options.suspend ?? suspendJob,
      nextId: () => `${prefix}-${++ids}`,
      notAgain: options.notAgain ?? (() => null),
      onQuit: options.onQuit,
    }),
  );
  /** Keys and views come from event handlers of the daemon's own process: a fault of the screen ends the screen. */
  function dispatch(event: Event): void {
    if (closed) return;
    try {
      if (event.type !== 'world') recorder.note(event, store.state(), now());
      store.dispatch(event);
      dress.retitle();
      schedule();
      if (event.type === 'key') setImmediate(flush);
    } catch (error) {
      broke(error);
    }
  }
  /** What a key did is shown at once; only what comes by itself waits for the next frame of the ten a second. */
  const flush = () => {
    if (!closed) void instance?.waitUntilRenderFlush();
  };
  const changed = () => dispatch({ type: 'world' });
  const schedule = () => {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(changed, nextTick(controls.view(), store.state(), now())).unref();
  };
  const input = tap({
    stdin: options.stdin,
    now,
    onPointer: (pointer) => dispatch(pointer),
    onEnd: () => unmount(),
  });
  // What is written to a terminal that is gone never arrives: nothing is waited for.
  const onStdoutError = () => {
    unmount();
    end();
  };
  stdout.on('error', onStdoutError);
  const unsubscribe = controls.subscribe(changed);

  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const end = () => {
    if (closed) return;
    closed = true;
    clearTimeout(timer);
    unsubscribe();
    input.close();
    stdout.off('error', onStdoutError);
    ignoreErrors(stdout);
    finish();
  };
  function unmount(): void {
    if (instance === undefined) return;
    instance.unmount();
  }
  function broke(error: unknown): void {
    unmount();
    end();
    options.onError(error);
  }

  write(RESET);
  instance = render(
    <App
      store={store}
      theme={themeOf(options.theme)}
      context={context}
      alone={input.alone}
      onSize={(next) => {
        if (next.columns === size.columns && next.rows === size.rows) return;
        size = next;
        dispatch({ type: 'world' });
      }}
      onDraw={(state) => {
        drawn = state;
      }}
      onLend={(suspend) => {
        lend = suspend;
      }}
      onEnter={() => dress.enter(store.state().mouse)}
      onLeave={() => dress.leave(store.state().mouse)}
      dispatch={dispatch}
    />,
    {
      stdin: input.stream as unknown as NodeJS.ReadStream,
      stdout,
      alternateScreen: true,
      incrementalRendering: true,
      maxFps: options.maxFps ?? 10,
      exitOnCtrlC: false,
      patchConsole: false,
      interactive: true,
      isScreenReaderEnabled: false,
      onRender: () => {
        painted = drawn;
      },
    },
  );
  instance.waitUntilExit().then(end, (error: unknown) => {
    end();
    options.onError(error);
  });
  schedule();
  return { done, unmount };
}
