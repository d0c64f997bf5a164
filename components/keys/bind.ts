import { WatsError } from '../../src/errors/index.ts';
import type { KeyName } from './names.ts';
import { ACTIONS, type Action, type Scope } from './table.ts';

/** Keys by scope, and the actions with the keys that they have now. */
export interface Bindings {
  readonly actions: readonly Action[];
  readonly find: (scope: Scope, key: KeyName) => Action | undefined;
  readonly of: (id: string) => Action | undefined;
}

/** What a person may set: an action's id and the keys that replace its own. */
export type Remap = Readonly<Record<string, readonly KeyName[]>>;

/**
 * The key table with a person's changes.
 *
 * @throws WatsError `setting` for an action that is not there, an action without a key, two actions on one key, and a
 * publish key that is not a single printable character (Enter and Space are pressed too easily)
 */
export function bind(remap: Remap = {}): Bindings {
  for (const id of Object.keys(remap)) {
    if (!ACTIONS.some((known) => known.id === id))
      throw new WatsError('setting', `keys: there is no action ${JSON.stringify(id)}`, {
        fix: 'the help of the screen (?) lists the actions',
      });
  }
  const actions = ACTIONS.map((known) => ({ ...known, keys: remap[known.id] ?? known.keys }));
  const taken = new Map<string, Action>();
  for (const bound of actions) {
    if (bound.keys.length === 0)
      throw new WatsError('setting', `keys: ${bound.id} has no key`, { fix: 'give it at least one' });
    for (const key of bound.keys) {
      const slot = `${bound.scope} ${key}`;
      const other = taken.get(slot);
      if (other !== undefined && other.id !== bound.id)
        throw new WatsError('setting', `keys: ${other.id} and ${bound.id} are both on ${key}`, {
          fix: 'give one of them another key',
        });
      taken.set(slot, bound);
    }
  }
  const publish = actions.find((bound) => bound.id === 'draft.publish');
  if (publish?.keys.some((key) => !/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(key)))
    throw new WatsError('setting', 'keys: draft.publish must be a single printable character', {
      fix: 'P is the default',
    });
  return {
    actions,
    find: (scope, key) => taken.get(`${scope} ${key}`),
    of: (id) => actions.find((bound) => bound.id === id),
  };
}

const SHOWN: Readonly<Record<string, string>> = {
  enter: '⏎',
  esc: 'Esc',
  tab: '⇥',
  'shift-tab': '⇧⇥',
  space: 'Space',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  home: 'Home',
  end: 'End',
};

/** A key as people read it: `⏎`, `Esc`, `^D`, `P`. */
export function shownKey(key: KeyName): string {
  const ctrl = /^ctrl-(.)$/.exec(key)?.[1];
  if (ctrl !== undefined) return `^${ctrl.toUpperCase()}`;
  return SHOWN[key] ?? key;
}
