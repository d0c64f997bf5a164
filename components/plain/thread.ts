import type { PausedRow, ThreadPage } from '../../src/control/index.ts';
import { excerpt, shortKey } from '../../src/text/index.ts';
import { replyHelps, threadParts, withPosts } from '../dialogs/thread-step.ts';
import { chainNote, pausedNote, turnsOf } from '../dialogs/thread-view.ts';
import { ago, tag } from '../panels/columns.ts';
import type { ThreadItem } from '../state/dialogs.ts';
import { saveText } from '../state/saving.ts';
import { back, type Place } from './choices.ts';
import { openCompose } from './compose.ts';
import {
  type Answer,
  answer,
  asking,
  type LoadingMenu,
  load,
  type Menu,
  type PlainContext,
  type ThreadMenu,
} from './menu.ts';
import { block } from './parts.ts';
import { readOut, readsOn } from './reading.ts';
import { openWhy } from './why.ts';

type Loading = Extract<LoadingMenu, { readonly of: 'thread' }>;

/** Characters of a post that stands in a list of turns. */
const TURN_CELLS = 120;

/** Opens a post in its thread; with `paused`, the turns at the thread's end. */
export function openThread(id: string, from: Menu, paused: PausedRow | null = null): Answer {
  const want = { do: 'thread', id, after: 0 } as const;
  return load({ at: 'loading', of: 'thread', want, posts: [], paused, seek: null, back: from });
}

/** A page of a thread came: what is sought is read out once it is here. */
export function threadArrived(menu: Loading, page: ThreadPage, context: PlainContext): Answer {
  const { posts, total } = withPosts(menu.posts, page);
  const { id } = menu.want;
  const complete = posts.length >= total;
  const found = menu.seek ?? posts.findIndex((post) => post.id === id);
  const here = menu.paused !== null && menu.seek === null ? complete : posts[found] !== undefined;
  if (!here && !complete)
    return load({ ...menu, posts, want: { do: 'thread', id, after: posts.at(-1)?.seq ?? 0 } });
  const thread: ThreadMenu = {
    at: 'thread',
    id,
    posts,
    total,
    cursor: Math.max(0, posts.length - 1),
    paused: menu.paused,
    rest: [],
    back: menu.back,
  };
  if (posts.length === 0) return asking(menu.back, ['nothing of this thread is here']);
  if (menu.paused !== null && menu.seek === null) return readTurns(thread, menu.paused, context);
  if (posts[found] !== undefined) return readPost(thread, found, context);
  if (menu.seek !== null) return asking(thread, ['that was the last post of the thread']);
  return readPost(thread, thread.cursor, context);
}

/** Who takes turns, what un-pauses the thread, and its turns, a line each. */
function readTurns(menu: ThreadMenu, paused: PausedRow, context: PlainContext): Answer {
  const turns = turnsOf(menu.posts);
  const lines = menu.posts.flatMap((post) => {
    const turn = turns.get(post.n);
    if (turn === undefined) return [];
    const what = post.title.trim() === '' ? excerpt(post.text, TURN_CELLS) : post.title;
    return [`turn ${turn}: ${post.kind} by ${authorOf(post)}, ${ago(post.at, context.now)}: ${what}`];
  });
  const heading = `paused thread: ${tag(paused.root)}, ${paused.title}`;
  return readOut(menu, [heading, pausedNote(paused, replyHelps(context)), ...lines]);
}

function readPost(menu: ThreadMenu, cursor: number, context: PlainContext): Answer {
  const post = menu.posts[cursor];
  if (post === undefined) return asking(menu);
  return readOut({ ...menu, cursor }, postLines(menu, post, context));
}

function postLines(menu: ThreadMenu, post: ThreadItem, { now }: PlainContext): readonly string[] {
  const to = post.parent === null ? '' : `, to ${tag(post.parent)}`;
  const place = `post ${post.n + 1} of ${menu.total}`;
  const note = chainNote(post);
  return [
    `${place}: ${post.kind} ${shortKey(post.id)} by ${authorOf(post)}, ${ago(post.at, now)}${to}`,
    ...(note === '' ? [] : [`${post.chain.toUpperCase()}: ${note}`]),
    ...(post.title === '' ? [] : [`title: ${post.title}`]),
    ...(post.tags.length === 0 ? [] : [`tags: ${post.tags.join(', ')}`]),
    ...block('text', post.text.trimEnd()),
    'end of the post',
  ];
}

function authorOf({ author, authorName, own }: ThreadItem): string {
  const name = authorName === null ? shortKey(author) : `${authorName}, ${shortKey(author)}`;
  return own ? `${name}, of this node` : name;
}

export const THREAD_PLACE: Place<ThreadMenu> = [
  readsOn(),
  { keys: ['n'], says: 'next post', press: (menu, context) => seek(menu, menu.cursor + 1, context) },
  {
    keys: ['N'],
    says: 'post before',
    unless: ({ cursor }) => (cursor === 0 ? 'that is the first post' : null),
    press: (menu, context) => seek(menu, menu.cursor - 1, context),
  },
  { keys: ['g'], says: 'first post', rare: true, press: (menu, context) => seek(menu, 0, context) },
  {
    keys: ['G'],
    says: 'last post',
    rare: true,
    press: (menu, context) => seek(menu, menu.total - 1, context),
  },
  {
    keys: ['R'],
    says: 'replies to it',
    acts: true,
    press: (menu) => openCompose(menu.posts[menu.cursor] ?? null, menu),
  },
  {
    keys: ['w'],
    says: 'why it woke the agent, or did not',
    unless: (_, { view }) => (view.agent === null ? 'no agent is set up' : null),
    press: (menu) => openWhy(menu.posts[menu.cursor]?.id ?? menu.id, menu),
  },
  {
    keys: ['l'],
    says: 'reads it again',
    rare: true,
    press: (menu, context) => readPost(menu, menu.cursor, context),
  },
  {
    keys: ['y'],
    says: 'its full id, as commands take it',
    rare: true,
    press: (menu) => answer(menu, [`id: ${menu.posts[menu.cursor]?.id ?? menu.id}`]),
  },
  {
    keys: ['s', 'ctrl-s'],
    says: 'saves the posts that are here to a file',
    rare: true,
    press: (menu) => {
      const saved = saveText(`thread-${menu.id.slice(0, 8)}`, threadParts(menu.posts));
      return answer(menu, [], saved as Answer['effects']);
    },
  },
  back(),
];

/** Reads the post at a place, once it is here: after the last one that was, another may have come. */
function seek(menu: ThreadMenu, to: number, context: PlainContext): Answer {
  if (menu.posts[to] !== undefined) return readPost(menu, to, context);
  const { id, posts, paused } = menu;
  const want = { do: 'thread', id, after: posts.at(-1)?.seq ?? 0 } as const;
  return load({ at: 'loading', of: 'thread', want, posts, paused, seek: to, back: menu.back });
}
