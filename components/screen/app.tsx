import { type SuspendTerminal, useApp, useFocusManager, useInput, usePaste, useWindowSize } from 'ink';
import { type ReactNode, useEffect, useInsertionEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import type { Theme } from '../cells/theme.ts';
import { keysOf } from '../keys/names.ts';
import { screenRows } from '../layout/screen.ts';
import type { Context, Size } from '../state/context.ts';
import type { Event } from '../state/events.ts';
import type { ScreenState } from '../state/state.ts';
import { Lines } from './lines.tsx';
import type { Store } from './store.ts';

export interface AppProps {
  readonly store: Store;
  readonly theme: Theme;
  readonly context: () => Context;
  /** Whether the newest chunk of input was one typed grapheme. */
  readonly alone: () => boolean;
  readonly onSize: (size: Size) => void;
  /** The state that is about to be painted: called before Ink writes the frame. */
  readonly onDraw: (state: ScreenState) => void;
  /** Ink's way to give the terminal to another program. */
  readonly onLend: (suspend: SuspendTerminal) => void;
  /** The alternate screen was entered, and is about to be left: also when the process ends. */
  readonly onEnter: () => void;
  readonly onLeave: () => void;
  readonly dispatch: (event: Event) => void;
}

/** More graphemes in one chunk were pasted, in a terminal that does not say so. */
const TYPED_AT_ONCE = 16;

/** The root: keys in, rows out. Everything else is in the store. */
export function App(props: AppProps): ReactNode {
  const { store, onSize, onDraw, onLend, onEnter, onLeave, dispatch } = props;
  useSyncExternalStore(store.subscribe, store.version);
  const state = store.state();
  const { columns, rows } = useWindowSize();
  const { suspendTerminal } = useApp();
  const { disableFocus } = useFocusManager();

  // Tab is a key of ours.
  useEffect(disableFocus, [disableFocus]);
  useEffect(() => onLend(suspendTerminal), [onLend, suspendTerminal]);
  useLayoutEffect(() => {
    onEnter();
    return onLeave;
  }, [onEnter, onLeave]);
  useEffect(() => onSize({ columns, rows }), [onSize, columns, rows]);
  useInput((input, key) => {
    const keys = keysOf(input, key);
    if (keys.length > TYPED_AT_ONCE) {
      dispatch({ type: 'paste', text: input });
      return;
    }
    const single = keys.length === 1 && key.eventType !== 'repeat' && props.alone();
    for (const name of keys) dispatch({ type: 'key', key: name, alone: single });
  });
  usePaste((text) => dispatch({ type: 'paste', text }));
  // Insertion effects run before Ink paints the commit, layout effects after it.
  useInsertionEffect(() => onDraw(state), [onDraw, state]);

  const context = props.context();
  return <Lines rows={screenRows(state, { ...context, size: { columns, rows } })} theme={props.theme} />;
}
