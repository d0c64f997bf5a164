import type { KeyName } from '../keys/names.ts';
import { choicesLine, type Place, pressIn } from './choices.ts';
import { KIND_PLACE, POSTING_PLACE } from './compose.ts';
import { DRAFT_PLACE } from './draft.ts';
import { pasteInto, promptOf, typeInto } from './field.ts';
import { keyOfLine } from './input.ts';
import { askQuit, QUIT_PLACE, SETUP_PLACE, STOP_PLACE } from './leaving.ts';
import { LIST_PLACE } from './list.ts';
import { type Answer, answer, asking, type Menu, type PlainContext } from './menu.ts';
import { FOUND_PLACE } from './search.ts';
import { THREAD_PLACE } from './thread.ts';
import { TOP_PLACE } from './top.ts';
import { TRANSCRIPT_PLACE } from './transcript.ts';
import { WHY_PLACE } from './why.ts';

/** A place with the person in it. */
interface Stand {
  readonly press: (key: KeyName, context: PlainContext) => Answer;
  readonly choices: (context: PlainContext) => string;
}

/** What a key leads to, wherever a person is. */
export function press(menu: Menu, key: KeyName, context: PlainContext): Answer {
  if (menu.at === 'field') return typeInto(menu, key, context);
  // Who is asked how to leave and presses it again leaves the safe way.
  if (key === 'ctrl-c') return menu.at === 'quit' ? press(menu, '1', context) : askQuit(menu, context, key);
  if (menu.at === 'loading') {
    if (key === '0' || key === 'q' || key === 'esc') return asking(menu.back);
    return answer(menu, ['it is not here yet; 0 goes back']);
  }
  return standIn(menu).press(key, context);
}

/** Pasted text is text: it goes into a field, or nowhere. */
export function paste(menu: Menu, text: string, context: PlainContext): Answer {
  if (menu.at === 'field') return pasteInto(menu, text);
  const key = keyOfLine(text);
  if (key !== null) return press(menu, key, { ...context, alone: false });
  return answer(menu, ['several keys at once, or pasted text, do nothing here']);
}

/** What is to be chosen or typed where a person is; `null` while something is awaited. */
export function choicesOf(menu: Menu, context: PlainContext): string | null {
  if (menu.at === 'loading') return null;
  return menu.at === 'field' ? promptOf(menu, context) : standIn(menu).choices(context);
}

function standIn(menu: Exclude<Menu, { readonly at: 'field' | 'loading' }>): Stand {
  switch (menu.at) {
    case 'top':
      return stand(TOP_PLACE, menu);
    case 'list':
      return stand(LIST_PLACE, menu);
    case 'draft':
      return stand(DRAFT_PLACE, menu);
    case 'kind':
      return stand(KIND_PLACE, menu);
    case 'posting':
      return stand(POSTING_PLACE, menu);
    case 'thread':
      return stand(THREAD_PLACE, menu);
    case 'why':
      return stand(WHY_PLACE, menu);
    case 'transcript':
      return stand(TRANSCRIPT_PLACE, menu);
    case 'found':
      return stand(FOUND_PLACE, menu);
    case 'stop':
      return stand(STOP_PLACE, menu);
    case 'setup':
      return stand(SETUP_PLACE, menu);
    case 'quit':
      return stand(QUIT_PLACE, menu);
    default:
      return menu satisfies never;
  }
}

function stand<M extends Menu>(place: Place<M>, menu: M): Stand {
  return {
    press: (key, context) => pressIn(place, menu, key, context),
    choices: (context) => choicesLine(place, menu, context),
  };
}
