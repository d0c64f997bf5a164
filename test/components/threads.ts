import type { PostRow, SearchPage, ThreadPage, ThreadPost, WhyPage } from '../../src/control/index.ts';
import { ASK, DRAFT, NOW, VIEW } from './fixture.ts';

const MINUTE = 60_000;
const MIRA = '7fa2c0d41e9b3a5';
const OTHER = '51be90c2aa17d3e';
const AGENT = 'b00c0123456789a';

const idOf = (start: string) => start.padEnd(64, '0123456789abcdef');

function post(
  seq: number,
  start: string,
  author: string,
  kind: string,
  minutes: number,
  text: string,
  more: Partial<ThreadPost> = {},
): ThreadPost {
  return {
    id: idOf(start),
    author,
    authorName: author === AGENT ? 'me-agent' : null,
    kind,
    at: NOW - minutes * MINUTE,
    title: '',
    text,
    tags: [],
    seq,
    parent: null,
    chain: 'resolved',
    own: author === AGENT,
    ...more,
  };
}

const threadOf = (id: string, posts: readonly ThreadPost[]): ThreadPage => ({
  id,
  root: posts[0]?.id ?? id,
  total: posts.length,
  posts,
});

const WAL: readonly ThreadPost[] = [
  post(101, '9c1e', MIRA, 'ask', 12, DRAFT.parent!.text, {
    title: ASK.title,
    tags: ['sqlite'],
    chain: 'root',
  }),
  post(104, '21ab', OTHER, 'clarify', 9, 'Which synchronous mode do you run, FULL or NORMAL?', {
    parent: ASK.id,
  }),
  post(105, 'b0b0', AGENT, 'note', 8, 'I am looking at this; an answer follows.', { parent: ASK.id }),
  post(
    107,
    '88d0',
    MIRA,
    'answer',
    1,
    'FULL. We lost a day to a torn page once.\n\n日本語のメモ: 停電のあとで壊れていた。',
    {
      parent: idOf('21ab'),
    },
  ),
];

/** The agent and Mira, one post each in turn, after a third author. */
const NAMING: readonly ThreadPost[] = [
  post(10, '51be', OTHER, 'ask', 1_600, 'What shall the new flag be called?', {
    title: 'Naming the new flag',
    chain: 'root',
  }),
  ...Array.from({ length: 31 }, (_, at) =>
    post(
      20 + at,
      `f1a9${String(at).padStart(4, '0')}`,
      at % 2 === 0 ? MIRA : AGENT,
      at % 2 === 0 ? 'answer' : 'clarify',
      400 - at * 10,
      at % 2 === 0
        ? `I would call it --mode-${at}, because it is one.`
        : `Is --mode-${at - 1} not taken already?`,
      { parent: idOf('51be') },
    ),
  ),
];

const GRAFT = post(55, '77aa', OTHER, 'note', 55, 'This belongs to your thread, trust me.', {
  title: 'Storage notes of this week',
  parent: idOf('dead'),
  chain: 'graft',
});

export const THREADS: readonly (readonly [string, ThreadPage])[] = [
  ...WAL.map(({ id }) => [id, threadOf(id, WAL)] as const),
  ...NAMING.map(({ id }) => [id, threadOf(id, NAMING)] as const),
  [GRAFT.id, threadOf(GRAFT.id, [GRAFT])],
];

/** The posts after a seq, at most 200, as the daemon gives them. */
export function pageAfter(thread: ThreadPage, after: number): ThreadPage {
  return { ...thread, posts: thread.posts.filter((one) => one.seq > after).slice(0, 200) };
}

export const LIMITED = VIEW.queue.rows[1]!.about!;

export const WHYS: readonly (readonly [string, WhyPage])[] = VIEW.queue.rows.flatMap((wake) => {
  if (wake.about === null) return [];
  const capped = wake.about.id === LIMITED.id;
  const page: WhyPage = {
    post: wake.about,
    decided: 'wake by the rule "ask", 5m',
    rules: [
      { rule: 'own', saw: idOf(MIRA), limit: idOf(AGENT), decided: false },
      { rule: 'ignore_local', saw: 'another node', limit: 'false', decided: false },
      { rule: 'allow', saw: '–', limit: '–', decided: false },
      { rule: 'chain', saw: 'root', limit: '–', decided: false },
      { rule: 'age', saw: '5m', limit: '24h', decided: false },
      { rule: 'ask', saw: 'ask', limit: 'ask', decided: true },
      { rule: 'reply', saw: '–', limit: 'actionable', decided: false },
      { rule: 'feedback', saw: '–', limit: 'feedback', decided: false },
      { rule: 'otherwise', saw: 'ask', limit: '–', decided: false },
    ],
    wake: capped ? 'queued, try 2' : 'queued',
    hold: capped ? 'this author woke the agent 4 times in the last hour, limit 4; next in 12m' : null,
  };
  return [[wake.about.id, page] as const];
});

/** Two hundred posts that a search can find, newest first; `why` of one of them is known. */
export const HITS: readonly PostRow[] = Array.from({ length: 200 }, (_, at) => ({
  id: at === 0 ? ASK.id : String(at).padStart(4, '0').padEnd(64, 'e'),
  author: '7fa2c0d41e9b3a5',
  kind: at % 2 === 0 ? 'ask' : 'answer',
  at: NOW - at * 60_000,
  title: at === 0 ? ASK.title : `wal question ${at}`,
  reply: at % 2 === 1,
  own: false,
}));

/** A page of a search as a daemon answers it: fifty hits, the total known when it is small. */
export function found(text: string, kinds: readonly string[], offset: number): SearchPage {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  const hits = HITS.filter(
    ({ title, kind }) =>
      words.every((word) => title.toLowerCase().includes(word)) &&
      (kinds.length === 0 || kinds.includes(kind)),
  );
  return { text, offset, total: hits.length, isMore: false, posts: hits.slice(offset, offset + 50) };
}
