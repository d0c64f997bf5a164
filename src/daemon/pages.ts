import type { PageRequest, SearchPage, ThreadPage, WhyPage } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import type { ReaderThread, Store, StoredPost } from '../store/index.ts';
import { age, duration, visible } from '../text/index.ts';
import type { Profiles } from './profiles.ts';
import { postPage, postRef, postRow } from './view-rows.ts';
import type { Why } from './why.ts';

/** Posts of one thread page. */
const THREAD_POSTS = 200;
/** Posts of one page of a search. */
const SEARCH_POSTS = 50;

/** A post in the thread it stands in; an unresolved reply or a graft is shown alone. */
export function threadPage(
  store: Store,
  profiles: Profiles,
  request: Extract<PageRequest, { readonly page: 'thread' }>,
): ThreadPage {
  const asked = store.posts.byId(request.id);
  if (asked === null) throw new WatsError('not_found', 'there is no such post on this node');
  const alone = asked.chain === 'graft' || asked.chain === 'unresolved';
  const root = asked.thread ?? asked.post.id;
  const found = alone ? { posts: [asked], total: 1 } : store.posts.thread(root, request.after, THREAD_POSTS);
  return {
    id: asked.post.id,
    root,
    total: found.total,
    posts: found.posts.map((stored) => ({
      ...postPage(stored, profiles.byAuthor),
      seq: stored.seq,
      parent: stored.post.parent,
      chain: stored.chain,
      own: profiles.byAuthor.has(stored.post.author),
    })),
  };
}

/** Posts that a search found, as rows. */
export async function searchPage(
  search: ReaderThread['search'],
  profiles: Profiles,
  request: Extract<PageRequest, { readonly page: 'search' }>,
): Promise<SearchPage> {
  const { text, kinds, offset } = request;
  const found = await search({ text, kinds, author: null, since: null, offset, limit: SEARCH_POSTS });
  const own = new Set(profiles.byAuthor.keys());
  return {
    text,
    offset,
    total: found.total,
    isMore: found.isMore,
    posts: found.posts.map((stored) => postRow(stored, own)),
  };
}

/** Why a post did or did not wake the agent, in words. */
export function whyPage(store: Store, stored: StoredPost, why: Why, now: number): WhyPage {
  const { recorded, wake } = why;
  const shown = (value: unknown, rule: string): string => {
    if (value === null) return '–';
    return rule === 'age' && typeof value === 'number' ? duration(value) : visible(String(value), 'line');
  };
  return {
    post: postRef(store, stored.post.id) ?? { id: stored.post.id, kind: '', title: '' },
    decided:
      recorded === null
        ? null
        : `${recorded.verdict} by the rule "${recorded.rule}", ${age(recorded.at, now)} ago`,
    rules: why.rules.map(({ rule, saw, limit, decided }) => ({
      rule,
      saw: shown(saw, rule),
      limit: shown(limit, rule),
      decided,
    })),
    wake:
      wake === null
        ? null
        : `${wake.state}${wake.run === null ? '' : ` in run ${wake.run}`}${wake.tries > 0 ? `, try ${wake.tries + 1}` : ''}`,
    hold: why.hold,
  };
}
