import type { Context } from '../state/context.ts';
import type { Event } from '../state/events.ts';
import type { Effect, ScreenState } from '../state/state.ts';
import { step } from '../state/step.ts';

/** The state of one screen, outside React: steps happen at once and in order, drawing follows. */
export interface Store {
  readonly state: () => ScreenState;
  readonly dispatch: (event: Event) => void;
  /** Changes whenever there is something to draw: the state, or the view, the size or the time. */
  readonly version: () => number;
  readonly subscribe: (changed: () => void) => () => void;
}

/**
 * @param context what is true at the moment of a step
 * @param perform does what a step asks for; it may dispatch, also at once
 */
export function createStore(
  first: ScreenState,
  context: () => Context,
  perform: (effect: Effect) => void,
): Store {
  let state = first;
  let version = 0;
  const listeners = new Set<() => void>();
  const queue: Event[] = [];
  let stepping = false;
  const dispatch = (event: Event) => {
    queue.push(event);
    if (stepping) return;
    stepping = true;
    const before = state;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [after, effects] = step(state, next, context());
        state = after;
        for (const effect of effects) perform(effect);
      }
    } finally {
      stepping = false;
    }
    // The view, the size and the time are drawn from the context: they changed although the state did not.
    if (state === before && event.type !== 'world') return;
    version += 1;
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    version: () => version,
    dispatch,
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
