import { visible } from '../../src/text/index.ts';
import { kindsOf } from '../dialogs/compose.ts';
import { tag } from '../panels/columns.ts';
import { back, numbered, type Place } from './choices.ts';
import { openField } from './field.ts';
import {
  type Answer,
  answer,
  asking,
  type FieldMenu,
  type KindMenu,
  type Menu,
  type PostingMenu,
  type Writing,
} from './menu.ts';
import { block } from './parts.ts';
import { refusal } from './publish.ts';
import { readOut, readsOn } from './reading.ts';

/** Begins a post, or a reply: its kind first. */
export function openCompose(parent: Writing['parent'], from: Menu): Answer {
  const to = parent === null ? null : { id: parent.id, title: parent.title };
  return asking({ at: 'kind', parent: to, back: from }, [
    to === null ? 'a new post: which kind?' : `a reply to ${nameOf(to)}: which kind?`,
  ]);
}

export const KIND_PLACE: Place<KindMenu> = [
  numbered(
    (menu) => kindsOf(menu),
    (menu, _, index) => {
      const post = { parent: menu.parent, kind: kindsOf(menu)[index] ?? 'note', title: '', text: '' };
      return openField({ is: 'title', post }, menu.back);
    },
    true,
  ),
  back(),
];

/** The title is there: the text follows. */
export function titled(post: Writing, from: Menu): Answer {
  return openField({ is: 'text', post }, from, post.text);
}

/** The text is there: it is read out as it would be posted. */
export function composed(post: Writing, text: string, menu: FieldMenu | PostingMenu): Answer {
  const clean = visible(text, 'block').replace(/\n+$/, '');
  if (clean.trim() === '') return answer(menu, ['there is no text yet']);
  const written = { ...post, title: visible(post.title, 'line'), text: clean };
  return readOut({ at: 'posting', post: written, rest: [], back: menu.back }, postLines(written));
}

/** What came back from the editor. */
export function composeEdited(menu: FieldMenu | PostingMenu, text: string | null): Answer {
  const post = menu.at === 'posting' ? menu.post : menu.of.is === 'text' ? menu.of.post : null;
  if (post === null) return asking(menu);
  if (text === null) return asking(menu, ['the editor gave nothing back']);
  return composed(post, text, menu);
}

export const POSTING_PLACE: Place<PostingMenu> = [
  readsOn(),
  {
    keys: ['P'],
    says: 'posts exactly this as you',
    acts: true,
    unless: ({ rest }) => (rest.length > 0 ? 'hear it to its end first: Space reads on' : null),
    press: (menu, context) => {
      const refused = refusal(context);
      if (refused !== null) return answer(menu, refused);
      const { kind, parent, title, text } = menu.post;
      const intent = { do: 'post', kind, parent: parent?.id ?? null, title, text, tags: [] } as const;
      return asking(menu.back, ['posting'], [{ do: 'send', intent }]);
    },
  },
  {
    keys: ['e'],
    says: 'edits it',
    unless: (_, { canEdit }) => (canEdit ? null : 'no editor: set VISUAL or EDITOR'),
    press: (menu) => answer(menu, [], [{ do: 'edit', text: menu.post.text, for: 'compose' }]),
  },
  {
    keys: ['a'],
    says: 'adds to it',
    press: (menu) => openField({ is: 'text', post: menu.post }, menu.back, menu.post.text),
  },
  {
    keys: ['l'],
    says: 'reads it again',
    rare: true,
    press: (menu) => readOut(menu, postLines(menu.post)),
  },
  { keys: ['0', 'esc', 'q'], says: 'discards it', press: (menu) => asking(menu.back, ['discarded']) },
];

/** A post of one's own in full: whoever heard the last line heard all that is posted. */
function postLines({ parent, kind, title, text }: Writing): readonly string[] {
  return [
    parent === null ? `post: ${kind}` : `reply: ${kind} to ${nameOf(parent)}`,
    ...(title === '' ? [] : [`title: ${title}`]),
    ...block('text', text),
    'end of the post',
  ];
}

function nameOf({ id, title }: NonNullable<Writing['parent']>): string {
  return title === '' ? tag(id) : `${tag(id)}, ${title}`;
}
