import type { Choice } from './choices.ts';
import { type Answer, asking, type Menu } from './menu.ts';
import { part } from './parts.ts';

type Reading = Extract<Menu, { readonly rest: readonly string[] }>;

/** Reads out the first part of a text; `rest` is what is left of it. */
export function readOut(menu: Reading, lines: readonly string[]): Answer {
  const { said, rest } = part(lines);
  return asking({ ...menu, rest }, said);
}

/** Goes on with what was not read out yet. */
export function readsOn<M extends Reading>(): Choice<M> {
  return {
    keys: ['space'],
    says: 'reads on',
    unless: ({ rest }) => (rest.length === 0 ? 'it was read to its end' : null),
    press: (menu) => readOut(menu, menu.rest),
  };
}
