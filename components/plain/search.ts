import type { SearchPage } from '../../src/control/index.ts';
import { counted } from '../../src/text/index.ts';
import { MOST_HITS, withHits } from '../dialogs/search-step.ts';
import { back, NUMBERS, type Place } from './choices.ts';
import { openField } from './field.ts';
import {
  type Answer,
  asking,
  type FoundMenu,
  type LoadingMenu,
  load,
  type Menu,
  type PlainContext,
} from './menu.ts';
import { rowText } from './rows.ts';
import { openThread } from './thread.ts';

type Loading = Extract<LoadingMenu, { readonly of: 'search' }>;

const MOST = NUMBERS.length;

/** Searches all posts of the swarm. */
export function openSearch(query: string, from: Menu): Answer {
  const want = { do: 'search', query, offset: 0 } as const;
  return load({ at: 'loading', of: 'search', want, posts: [], from: 0, back: from });
}

export function searchArrived(menu: Loading, page: SearchPage, context: PlainContext): Answer {
  const hits = withHits(menu.posts, page);
  const { query } = menu.want;
  if (hits.posts.length === 0) return asking(menu.back, [`search: no post matches ${query}`]);
  const found = { at: 'found', query, ...hits, from: menu.from, back: menu.back } as const;
  return readHits(found, menu.from, context);
}

function readHits(menu: FoundMenu, from: number, { now }: PlainContext): Answer {
  const { posts, query } = menu;
  const first = Math.max(0, Math.min(from, posts.length - 1));
  const shown = posts.slice(first, first + MOST);
  const words = query === '' ? '' : ` for ${query}`;
  return asking({ ...menu, from: first }, [
    `search${words}: ${first + 1} to ${first + shown.length} of ${counted(menu)} posts, newest first`,
    ...shown.map((post, at) => `${at + 1}: ${rowText('posts', post, now)}`),
  ]);
}

export const FOUND_PLACE: Place<FoundMenu> = [
  {
    keys: NUMBERS,
    label: ({ posts, from }) =>
      posts.length - from < 2 ? '1' : `1 to ${Math.min(MOST, posts.length - from)}`,
    says: 'reads a post in its thread',
    press: (menu, _, key) => {
      const post = menu.posts.slice(menu.from, menu.from + MOST)[Number(key) - 1];
      return post === undefined ? asking(menu) : openThread(post.id, menu);
    },
  },
  {
    keys: ['n'],
    says: 'goes on',
    unless: (menu) => (isMore(menu) ? null : 'that was the last hit'),
    press: (menu, context) => {
      const from = menu.from + MOST;
      const { posts, query } = menu;
      if (from + MOST <= posts.length || !isMoreToGet(menu)) return readHits(menu, from, context);
      const want = { do: 'search', query, offset: posts.length } as const;
      return load({ at: 'loading', of: 'search', want, posts, from, back: menu.back });
    },
  },
  {
    keys: ['N'],
    says: 'hits before',
    unless: ({ from }) => (from === 0 ? 'that is the first hit' : null),
    press: (menu, context) => readHits(menu, menu.from - MOST, context),
  },
  {
    keys: ['/'],
    says: 'searches for something else',
    press: (menu) => openField({ is: 'search' }, menu.back),
  },
  {
    keys: ['l'],
    says: 'reads the hits again',
    rare: true,
    press: (menu, context) => readHits(menu, menu.from, context),
  },
  back(),
];

function isMore(menu: FoundMenu): boolean {
  return menu.from + MOST < menu.posts.length || isMoreToGet(menu);
}

function isMoreToGet({ posts, total, isMore: more }: FoundMenu): boolean {
  return posts.length < MOST_HITS && (posts.length < total || more);
}
