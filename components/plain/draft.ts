import type { DraftPage } from '../../src/control/index.ts';
import { diffLines, visible } from '../../src/text/index.ts';
import { notWaiting } from '../dialogs/guard.ts';
import { saveText } from '../state/saving.ts';
import { back, type Place } from './choices.ts';
import { openCompose } from './compose.ts';
import { openField } from './field.ts';
import {
  type Answer,
  answer,
  asking,
  type DraftMenu,
  load,
  type Menu,
  type PlainContext,
  TOP,
} from './menu.ts';
import { draftLines } from './print.ts';
import { refusal } from './publish.ts';
import { readOut, readsOn } from './reading.ts';

export function openDraft(id: string, from: Menu): Answer {
  return load({ at: 'loading', of: 'draft', want: { do: 'draft', id }, back: from });
}

/** The draft came: it is read out in full, part by part, then its choices. */
export function draftArrived(page: DraftPage, from: Menu): Answer {
  return readOut({ at: 'draft', page, edited: null, rest: [], back: from }, draftLines(page));
}

/** The text came back from the editor: what changed is read out, then the choices again. */
export function draftEdited(menu: DraftMenu, text: string | null): Answer {
  if (text === null) return asking(menu, ['the editor gave nothing back: the draft is as it was']);
  // Whatever an editor saved, what is read out is what is published.
  const clean = visible(text, 'block').replace(/\n+$/, '');
  if (clean === '') return asking(menu, ['an empty text cannot be published; x rejects the draft']);
  const edited = clean === menu.page.text.replace(/\n+$/, '') ? null : clean;
  const changes = diffLines(menu.page.text, clean)
    .filter((line) => line.sign !== ' ')
    .map((line) => `${line.sign === '+' ? 'added' : 'removed'}: ${line.text}`);
  const heard = menu.rest.length === 0;
  const lines = [
    ...(edited === null ? ['the draft is as it was'] : [...changes, `${changes.length} lines changed`]),
    // Who did not hear it to its end hears all of it as it is now.
    ...(heard ? [] : wholeLines({ ...menu, edited })),
  ];
  return readOut({ ...menu, edited }, lines);
}

const waits = ({ page }: DraftMenu, { view, now }: PlainContext): string | null => {
  const because = notWaiting(page, now);
  if (because !== null) return because;
  const { rows, total } = view.drafts;
  const here = rows.length < total || rows.some((row) => row.id === page.id);
  return here ? null : 'it waits no more: somebody else decided it, or it has expired';
};

export const DRAFT_PLACE: Place<DraftMenu> = [
  readsOn(),
  {
    keys: ['P'],
    says: 'publishes exactly this',
    acts: true,
    unless: (menu, context) =>
      waits(menu, context) ?? (menu.rest.length > 0 ? 'hear it to its end first: Space reads on' : null),
    press: publish,
  },
  {
    keys: ['e'],
    says: 'edits it',
    acts: true,
    unless: (menu, context) => (context.canEdit ? waits(menu, context) : 'no editor: set VISUAL or EDITOR'),
    press: (menu) => answer(menu, [], [{ do: 'edit', text: menu.edited ?? menu.page.text, for: 'draft' }]),
  },
  {
    keys: ['x'],
    says: 'rejects it',
    acts: true,
    unless: waits,
    press: (menu) => openField({ is: 'reason', draft: menu.page.id }, menu),
  },
  { keys: ['n'], says: 'next draft', press: (menu, context) => neighbour(menu, context, 1) },
  { keys: ['N'], says: 'draft before', rare: true, press: (menu, context) => neighbour(menu, context, -1) },
  {
    keys: ['l'],
    says: 'reads it again',
    rare: true,
    press: (menu) => readOut(menu, wholeLines(menu)),
  },
  {
    keys: ['R'],
    says: 'answers the post yourself',
    rare: true,
    acts: true,
    unless: ({ page }) => (page.parent === null ? 'it answers no post' : null),
    press: (menu) => openCompose(menu.page.parent, menu),
  },
  {
    keys: ['s', 'ctrl-s'],
    says: 'saves its text to a file',
    rare: true,
    press: (menu) => {
      const { id, title, tags, text } = menu.page;
      return answer(
        menu,
        [],
        saveText(id, [title, tags.join(', '), menu.edited ?? text]) as Answer['effects'],
      );
    },
  },
  back(),
];

/** What would be published, read out from its beginning. */
function wholeLines({ page, edited }: DraftMenu): readonly string[] {
  return draftLines(edited === null ? page : { ...page, text: edited });
}

function publish(menu: DraftMenu, context: PlainContext): Answer {
  const { page, edited } = menu;
  const refused = refusal(context);
  if (refused !== null) return answer(menu, refused);
  const text = edited === null ? {} : { text: edited };
  const intent = { do: 'approve', draft: page.id, sha256: page.sha256, ...text } as const;
  return answer(TOP, ['publishing'], [{ do: 'send', intent }]);
}

function neighbour(menu: DraftMenu, { view }: PlainContext, by: 1 | -1): Answer {
  const { rows } = view.drafts;
  const at = rows.findIndex((row) => row.id === menu.page.id);
  // One that was decided meanwhile left its place to the first.
  const row = at < 0 ? rows[0] : rows[at + by];
  if (row === undefined)
    return answer(menu, [by > 0 ? 'that was the last draft' : 'that was the first draft']);
  return openDraft(row.id, menu.back);
}
