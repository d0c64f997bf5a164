import { visible } from '../../src/text/index.ts';
import { MAX_TEXT } from '../dialogs/compose-step.ts';
import { insert, typed } from '../dialogs/small-step.ts';
import type { KeyName } from '../keys/names.ts';
import { composed, titled } from './compose.ts';
import { openList } from './list.ts';
import {
  type Answer,
  answer,
  asking,
  type Field,
  type FieldMenu,
  type Menu,
  type PlainContext,
  TOP,
} from './menu.ts';
import { openSearch } from './search.ts';
import { findIn } from './transcript.ts';

/** Asks for a text. */
export function openField(of: Field, from: Menu, text = ''): Answer {
  return asking({ at: 'field', of, text, back: from });
}

/** What is to be typed, and what Enter does with it. */
export function promptOf({ of }: FieldMenu, { canEdit }: PlainContext): string {
  switch (of.is) {
    case 'reason':
      return 'reason: type it, Enter rejects the draft, Esc goes back. The agent reads it; it may be empty';
    case 'title':
      return 'title: type one, Enter goes on (also without one), Esc discards the post';
    case 'text':
      return `text: type or paste it, Enter reads it out before it is posted${canEdit ? ', Ctrl-E opens your editor' : ''}, Esc discards it`;
    case 'search':
      return 'search: words, and kind:ask for a kind; Enter searches, Esc goes back';
    case 'filter':
      return 'find: words, !without, kind:tool, cost>0.1; Enter reads the rows that have them, Esc goes back';
    case 'find':
      return 'find: words, !without, kind:tool; Enter looks for the next entry that has them, Esc goes back';
    default:
      return of satisfies never;
  }
}

/** A key that was typed into a text: it edits it, or ends it. */
export function typeInto(menu: FieldMenu, key: KeyName, context: PlainContext): Answer {
  switch (key) {
    case 'esc':
    case 'ctrl-c':
      return asking(menu.back, [left(menu)]);
    case 'enter':
      // The end of a paste may come as a chunk of its own.
      if (!context.alone) return answer(menu, ['press Enter once more, by itself']);
      return ended(menu, context);
    case 'ctrl-e':
      if (menu.of.is !== 'text' || !context.canEdit) return answer(menu);
      return answer(menu, [], [{ do: 'edit', text: menu.text, for: 'compose' }]);
    default: {
      const after = typed(menu, key, mostOf(menu))?.text ?? menu.text;
      return edited(menu, after);
    }
  }
}

/** Pasted text goes into the field, whatever it is; it never ends it. */
export function pasteInto(menu: FieldMenu, text: string): Answer {
  if (menu.of.is !== 'text') return edited(menu, insert(menu, visible(oneBreak(text), 'block')).text);
  return edited(menu, (menu.text + visible(oneBreak(text), 'block')).slice(0, MAX_TEXT));
}

function edited(menu: FieldMenu, text: string): Answer {
  const before = menu.text;
  const echo = text.startsWith(before)
    ? text.slice(before.length)
    : `(-${before.slice(shared(before, text))})`;
  return { ...answer({ ...menu, text }), ...(text === before ? {} : { echo }) };
}

/** Characters that both begin with. */
function shared(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function oneBreak(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function mostOf({ of }: FieldMenu): number | undefined {
  return of.is === 'text' ? MAX_TEXT : undefined;
}

function left({ of }: FieldMenu): string {
  if (of.is === 'reason') return 'nothing is decided';
  return of.is === 'title' || of.is === 'text' ? 'discarded' : 'nothing was looked for';
}

function ended(menu: FieldMenu, context: PlainContext): Answer {
  const { of } = menu;
  const text = visible(menu.text, 'line').trim();
  switch (of.is) {
    case 'reason': {
      const intent = { do: 'reject', draft: of.draft, reason: text } as const;
      return answer(TOP, ['rejecting; u undoes it'], [{ do: 'send', intent }]);
    }
    case 'title':
      return titled({ ...of.post, title: text }, menu.back);
    case 'text':
      return composed(of.post, menu.text, menu);
    case 'search':
      return openSearch(text, menu.back);
    case 'filter':
      return openList(of.list.name, context, text);
    case 'find':
      return text === '' ? asking(of.transcript) : findIn(of.transcript, text);
    default:
      return of satisfies never;
  }
}
