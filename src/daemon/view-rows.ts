import type { DraftPage, DraftRow, PostPage, PostRef, PostRow, RunRow } from '../control/index.ts';
import type { Draft, RunRecord, Store, StoredPost } from '../store/index.ts';
import { excerpt, shortKey, visible } from '../text/index.ts';

/** Cells of an excerpt in a row: more than any column shows. */
const EXCERPT = 120;

/** Title, or the start of the text, as one visible line. */
export function titleOf(post: { readonly title: string; readonly text: string }): string {
  return excerpt(post.title.trim() === '' ? post.text : post.title, EXCERPT);
}

export function postRef(store: Pick<Store, 'posts'>, id: string | null): PostRef | null {
  if (id === null) return null;
  const stored = store.posts.byId(id);
  if (stored === null) return { id, kind: '?', title: '' };
  return { id, kind: visible(stored.post.kind, 'line'), title: titleOf(stored.post) };
}

export function postRow(stored: StoredPost, own: ReadonlySet<string>): PostRow {
  const { post } = stored;
  return {
    id: post.id,
    author: shortKey(post.author),
    kind: visible(post.kind, 'line'),
    at: post.ts * 1000,
    title: titleOf(post),
    reply: post.parent !== null,
    own: own.has(post.author),
  };
}

export function postPage(stored: StoredPost, profiles: ReadonlyMap<string, string>): PostPage {
  const { post } = stored;
  return {
    id: post.id,
    author: shortKey(post.author),
    authorName: profiles.get(post.author) ?? null,
    kind: visible(post.kind, 'line'),
    at: post.ts * 1000,
    title: visible(post.title, 'line'),
    text: visible(post.text, 'block'),
    tags: post.tags.map((tag) => visible(tag, 'line')),
  };
}

export function draftRow(store: Store, draft: Draft): DraftRow {
  return {
    id: draft.id,
    kind: draft.kind,
    createdAt: draft.createdAt,
    expiresAt: draft.expiresAt,
    to: postRef(store, draft.parent),
    runId: draft.run,
    excerpt: excerpt(draft.text, EXCERPT),
  };
}

export function draftPage(
  store: Pick<Store, 'posts'>,
  draft: Draft,
  profiles: ReadonlyMap<string, string>,
): DraftPage {
  const parent = draft.parent === null ? null : store.posts.byId(draft.parent);
  return {
    id: draft.id,
    kind: draft.kind,
    title: visible(draft.title, 'line'),
    text: visible(draft.text, 'block'),
    tags: draft.tags.map((tag) => visible(tag, 'line')),
    createdAt: draft.createdAt,
    expiresAt: draft.expiresAt,
    state: draft.state,
    sha256: draft.sha256,
    runId: draft.run,
    parent: parent === null ? null : postPage(parent, profiles),
  };
}

export function runRow(run: RunRecord): RunRow {
  return {
    id: run.id,
    cause: run.cause,
    outcome: run.outcome ?? run.state,
    startedAt: run.bookedAt,
    durationMs: run.endedAt === null ? null : run.endedAt - run.bookedAt,
    costMicroUsd: run.costMicroUsd,
    turns: run.turns,
  };
}

/** A run with everything that is known of its end. */
export function runPage(run: RunRecord) {
  const { message, exitCode, signal, about, secondTry, runtime } = run;
  return { ...runRow(run), message, exitCode, signal, about, secondTry, runtime };
}
