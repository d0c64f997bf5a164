import type { Writable } from 'node:stream';
import { age, shortId, shortKey, visible, wrapText } from '../../text/index.ts';
import type { Context } from './command.ts';
import { print, widthOf } from './print.ts';

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
  // In a pipe a line of a text stays one line.
  const width = context.stdout.isTTY ? widthOf(context) : null;
  for (const post of posts) printPost(post, context.stdout, context.now(), width);
}

const INDENT = 2;

function printPost(post: Described, out: Writable, now: number, width: number | null): void {
  const indented = (text: string): void => {
    const lines = width === null ? text.split('\n') : wrapText(text, Math.max(20, width - INDENT));
    for (const line of lines) print(out, `${' '.repeat(INDENT)}${line}`);
  };
  const state =
    post.chain === 'graft' ? ' · graft' : post.chain === 'unresolved' ? ' · its thread is not all here' : '';
  print(
    out,
    `${shortId(post.id)} · ${visible(post.kind, 'line')} · ${authorOf(post)} · ${age(post.ts * 1000, now)} ago${state}`,
  );
  if (post.parent !== null) print(out, `  in reply to ${shortId(post.parent)}`);
  if (post.title !== '') indented(visible(post.title, 'line'));
  indented(visible(post.text, 'block'));
  if (post.tags.length > 0) indented(post.tags.map((tag) => `#${visible(tag, 'line')}`).join(' '));
  print(out, '');
}
