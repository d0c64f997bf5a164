import { GONE, READ_ONLY } from '../keys/allowed.ts';
import { shownKey } from '../keys/bind.ts';
import type { KeyName } from '../keys/names.ts';
import { isGone } from '../state/context.ts';
import { type Answer, answer, asking, type Menu, type PlainContext } from './menu.ts';

/** One thing that a key does in a place. */
export interface Choice<M extends Menu = Menu> {
  readonly keys: readonly KeyName[];
  /** What it does, as it is said after its key. */
  readonly says: string | ((menu: M, context: PlainContext) => string);
  /** How its keys are said, where it is not by the first of them. */
  readonly label?: (menu: M, context: PlainContext) => string;
  /** Said in the help alone. */
  readonly rare?: boolean;
  /** Asks something of the daemon: off in a read-only view, and while the daemon is gone. */
  readonly acts?: boolean;
  /** Why it does nothing now, in words; `null` when it does. */
  readonly unless?: (menu: M, context: PlainContext) => string | null;
  readonly press: (menu: M, context: PlainContext, key: KeyName) => Answer;
}

export type Place<M extends Menu> = readonly Choice<M>[];

/** Keys of numbered choices, in order. */
export const NUMBERS: readonly KeyName[] = [...'123456789'];
/** Where more than nine things are numbered, letters follow. */
const LABELS: readonly KeyName[] = [...NUMBERS, ...'abcdefghij'];

/** Goes back to where one came from. */
export function back<M extends Menu & { readonly back: Menu }>(): Choice<M> {
  return { keys: ['0', 'esc', 'q'], says: 'goes back', press: (menu) => asking(menu.back) };
}

/** Things to choose from by their numbers. */
export function numbered<M extends Menu>(
  texts: (menu: M, context: PlainContext) => readonly string[],
  pick: (menu: M, context: PlainContext, index: number) => Answer,
  acts = false,
): Choice<M> {
  const listed = (menu: M, context: PlainContext) =>
    texts(menu, context).map((text, at) => `${LABELS[at] ?? ''} ${text}`);
  return {
    keys: LABELS,
    label: () => '',
    says: (menu, context) => listed(menu, context).join('; '),
    acts,
    press: (menu, context, key) => {
      const index = LABELS.indexOf(key);
      return texts(menu, context)[index] === undefined ? asking(menu) : pick(menu, context, index);
    },
  };
}

/** A key in a place: what it does, or why not, or else what there is to choose. */
export function pressIn<M extends Menu>(
  place: Place<M>,
  menu: M,
  key: KeyName,
  context: PlainContext,
): Answer {
  if (key === '?') return asking(menu, helpLines(place, menu, context));
  const choice = place.find(({ keys }) => keys.includes(key));
  if (choice === undefined) return asking(menu);
  const why = whyNot(choice, menu, context);
  return why === null ? choice.press(menu, context, key) : answer(menu, [why]);
}

/** What can be chosen now, in one line. */
export function choicesLine<M extends Menu>(place: Place<M>, menu: M, context: PlainContext): string {
  const now = place.filter((choice) => choice.rare !== true && whyNot(choice, menu, context) === null);
  const listed = now.map((choice) => `${labelOf(choice, menu, context)}${saysOf(choice, menu, context)}`);
  return `choices: ${[...listed, '? every choice', ...(context.readOnly ? [READ_ONLY] : [])].join('; ')}`;
}

/** Every choice of a place, a line each, and why those that do nothing now do not. */
function helpLines<M extends Menu>(place: Place<M>, menu: M, context: PlainContext): readonly string[] {
  return place.map((choice) => {
    const keys = choice.label?.(menu, context) ?? choice.keys.map(named).join(' or ');
    const why = whyNot(choice, menu, context);
    const says = saysOf(choice, menu, context);
    return `help: ${keys === '' ? '' : `${keys}: `}${says}${why === null ? '' : `; not now: ${why}`}`;
  });
}

function whyNot<M extends Menu>(choice: Choice<M>, menu: M, context: PlainContext): string | null {
  if (choice.acts === true && context.readOnly) return READ_ONLY;
  if (choice.acts === true && isGone(context.view)) return GONE;
  return choice.unless?.(menu, context) ?? null;
}

function labelOf<M extends Menu>(choice: Choice<M>, menu: M, context: PlainContext): string {
  const label = choice.label?.(menu, context) ?? named(choice.keys[0] ?? '');
  return label === '' ? '' : `${label} `;
}

function saysOf<M extends Menu>({ says }: Choice<M>, menu: M, context: PlainContext): string {
  return typeof says === 'string' ? says : says(menu, context);
}

/** A key in words: a screen reader says no `^S`. */
function named(key: KeyName): string {
  const ctrl = /^ctrl-(.)$/.exec(key)?.[1];
  if (ctrl !== undefined) return `Ctrl-${ctrl.toUpperCase()}`;
  if (key === 'enter') return 'Enter';
  return key === 'space' ? 'Space' : shownKey(key);
}
