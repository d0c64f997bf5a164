import type { Writable } from 'node:stream';
import { age, shortId, shortKey, visible } from '../../text/index.ts';
import type { Context } from './command.ts';
import { print } from './print.ts';

/** A post as the daemon describes it to commands. */
export interface Described {
  readonly id: string;
  readonly author: string;
  readonly ts: number;
  readonly kind: string;
  readonly parent: string | null;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly seq: number;
  readonly chain: string;
  readonly profile: string | null;
}

export interface Listed {
  /** Counted no further than the store counts; `isMore` says that there are more. */
  readonly total: number;
  readonly isMore?: boolean;
  readonly posts: readonly Described[];
}

/** Who wrote a post, as one of our own profiles when it is one. */
export function authorOf(post: Described): string {
  return post.profile === null
    ? shortKey(post.author)
    : `${visible(post.profile, 'line')} (${shortKey(post.author)})`;
}

/** Posts in full, one after the other. */
export function printPosts(posts: readonly Described[], context: Context): void {
  for (const post of posts) printPost(post, context.stdout, context.now());
}

function printPost(post: Described, out: Writable, now: number): void {
  const state =
    post.chain === 'graft' ? ' · graft' : post.chain === 'unresolved' ? ' · its thread is not all here' : '';
  print(
    out,
    `${shortId(post.id)} · ${visible(post.kind, 'line')} · ${authorOf(post)} · ${age(post.ts * 1000, now)}${state}`,
  );
  if (post.parent !== null) print(out, `  in reply to ${shortId(post.parent)}`);
  if (post.title !== '') print(out, `  ${visible(post.title, 'line')}`);
  for (const line of visible(post.text, 'block').split('\n')) print(out, `  ${line}`);
  if (post.tags.length > 0) print(out, `  ${post.tags.map((tag) => `#${visible(tag, 'line')}`).join(' ')}`);
  print(out, '');
}
