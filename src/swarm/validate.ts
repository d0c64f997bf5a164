import { LIMITS } from './limits.ts';
import { encodePost, isAuthentic, type Post, type PostBody } from './post.ts';

/** Why a post is not one, with the sentence that says what to change. */
export interface PostProblem {
  readonly code:
    | 'not_json'
    | 'shape'
    | 'unknown_field'
    | 'too_large'
    | 'bad_text'
    | 'bad_thread'
    | 'future'
    | 'not_canonical'
    | 'unauthentic';
  readonly message: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: PostProblem };

const HEX64 = /^[0-9a-f]{64}$/;
const HEX128 = /^[0-9a-f]{128}$/;
const SPACE = /^(open|local|[0-9a-f]{64})$/;
const KIND = /^[a-z][a-z0-9_]*$/;
/** Control characters other than newline and tab (C0, DEL and C1). */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const FIELDS = ['v', 'space', 'author', 'ts', 'kind', 'root', 'parent', 'title', 'text', 'tags', 'id', 'sig'];

const bad = (code: PostProblem['code'], message: string): { ok: false; problem: PostProblem } => ({
  ok: false,
  problem: { code, message },
});

/** What is wrong with a string of a post (control characters, lone surrogates), or `undefined`. */
export function textProblem(name: string, value: string): PostProblem | undefined {
  const control = CONTROL.exec(value);
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return {
      code: 'bad_text',
      message: `${name} has the control character U+${code}; only newline and tab are allowed`,
    };
  }
  if (!value.isWellFormed()) {
    return { code: 'bad_text', message: `${name} has a lone surrogate: it is not valid Unicode` };
  }
  return undefined;
}

/** Checks the parts of a body that a person or a tool chooses: kind, title, text, tags. */
export function checkContent(
  body: Pick<PostBody, 'kind' | 'title' | 'text' | 'tags'>,
): PostProblem | undefined {
  const { kind, title, text, tags } = body;
  if (!KIND.test(kind) || kind.length > LIMITS.kindBytes) {
    return { code: 'shape', message: `kind is a lower-case word of at most ${LIMITS.kindBytes} letters` };
  }
  const bytes = Buffer.byteLength(text, 'utf8');
  if (bytes > LIMITS.textBytes) {
    return { code: 'too_large', message: `text has ${bytes} bytes; the limit is ${LIMITS.textBytes}` };
  }
  const points = [...title].length;
  if (points > LIMITS.titleCodePoints) {
    return {
      code: 'too_large',
      message: `title has ${points} characters; the limit is ${LIMITS.titleCodePoints}`,
    };
  }
  if (tags.length > LIMITS.tags) {
    return { code: 'too_large', message: `there are ${tags.length} tags; the limit is ${LIMITS.tags}` };
  }
  for (const tag of tags) {
    const size = Buffer.byteLength(tag, 'utf8');
    if (size === 0 || size > LIMITS.tagBytes) {
      return { code: 'too_large', message: `a tag has ${size} bytes; 1 to ${LIMITS.tagBytes} are allowed` };
    }
  }
  const strings: [string, string][] = [
    ['title', title],
    ['text', text],
    ...tags.map((t): [string, string] => ['a tag', t]),
  ];
  for (const [name, value] of strings) {
    const problem = textProblem(name, value);
    if (problem) return problem;
  }
  return undefined;
}

/**
 * Reads the bytes of a post as they come from a stranger: strict shape, every limit, the one encoding that the
 * post has, then the signature. Cheap checks come first, so that a flood of garbage costs no signature.
 *
 * @param nowSeconds the receiver's clock; `ts` may be at most {@link LIMITS.aheadSeconds} ahead of it
 */
export function readPost(bytes: Uint8Array, nowSeconds: number): Checked<Post> {
  if (bytes.byteLength > LIMITS.encodedBytes) {
    return bad('too_large', `the post has ${bytes.byteLength} bytes; the limit is ${LIMITS.encodedBytes}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return bad('not_json', 'the post is not valid UTF-8 JSON'); // what the parser disliked helps nobody
  }
  const checked = checkUnsigned(value, nowSeconds);
  if (!checked.ok) return checked;
  // Names that occur twice, white space, other escapes: bytes that nobody signed must not travel with a post.
  if (!encodePost(checked.value).equals(bytes)) {
    return bad('not_canonical', 'the post is not in its one encoding: fields in order, no white space');
  }
  return authentic(checked.value);
}

/** The same checks on a value that was parsed already, of which the encoding is not known any more. */
export function checkPost(value: unknown, nowSeconds: number): Checked<Post> {
  const checked = checkUnsigned(value, nowSeconds);
  return checked.ok ? authentic(checked.value) : checked;
}

function authentic(post: Post): Checked<Post> {
  if (!isAuthentic(post)) return bad('unauthentic', 'id or signature does not fit the post');
  return { ok: true, value: post };
}

/** Everything but the signature. */
function checkUnsigned(value: unknown, nowSeconds: number): Checked<Post> {
  const shaped = checkShape(value);
  if (!shaped.ok) return shaped;
  const post = shaped.value;
  const content = checkContent(post);
  if (content) return { ok: false, problem: content };
  if (post.ts > nowSeconds + LIMITS.aheadSeconds) {
    return bad(
      'future',
      `ts is ${post.ts - nowSeconds} s ahead of this node's clock; ${LIMITS.aheadSeconds} s are allowed`,
    );
  }
  return shaped;
}

function checkShape(value: unknown): Checked<Post> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad('shape', 'a post is a JSON object');
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    if (!FIELDS.includes(key))
      return bad('unknown_field', 'the post has a field that version 1 does not know');
  }
  const { v, space, author, ts, kind, root, parent, title, text, tags, id, sig } = record;
  if (v !== 1) return bad('shape', 'v is 1');
  if (typeof space !== 'string' || !SPACE.test(space))
    return bad('shape', 'space is open, local or 64 hex digits');
  if (typeof author !== 'string' || !HEX64.test(author))
    return bad('shape', 'author is 64 lower-case hex digits');
  if (typeof ts !== 'number' || !Number.isSafeInteger(ts) || ts < 0)
    return bad('shape', 'ts is whole seconds');
  if (typeof kind !== 'string') return bad('shape', 'kind is a string');
  if (!isIdOrNull(root) || !isIdOrNull(parent))
    return bad('shape', 'root and parent are null or 64 lower-case hex digits');
  if ((root === null) !== (parent === null))
    return bad('bad_thread', 'a reply has root and parent; a root has neither');
  if (typeof title !== 'string' || typeof text !== 'string')
    return bad('shape', 'title and text are strings');
  if (!Array.isArray(tags) || !tags.every((t): t is string => typeof t === 'string')) {
    return bad('shape', 'tags is a list of strings');
  }
  if (typeof id !== 'string' || !HEX64.test(id)) return bad('shape', 'id is 64 lower-case hex digits');
  if (typeof sig !== 'string' || !HEX128.test(sig)) return bad('shape', 'sig is 128 lower-case hex digits');
  return { ok: true, value: { v: 1, space, author, ts, kind, root, parent, title, text, tags, id, sig } };
}

function isIdOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && HEX64.test(value));
}
