import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkContent, encodePost, isAuthentic, LIMITS, type Post, readPost } from '../../src/swarm/index.ts';
import { Author } from '../support/posts.ts';

const NOW = 1_800_000_100;
const ann = new Author();
const bytesOf = (text: string) => Buffer.from(text, 'utf8');
const verdict = (bytes: Uint8Array) => {
  const read = readPost(bytes, NOW);
  return read.ok ? 'accepted' : read.problem.code;
};

/** Text as the protocol allows it, of scripts and shapes that programs get wrong. */
const text = (max: number) =>
  fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 4 }),
        fc.string({ unit: 'grapheme', maxLength: 4 }),
        fc.constantFrom(
          '"',
          '\\',
          '\n',
          '\t',
          '\u2028',
          '\u202e',
          '\u{e0041}',
          '\ufeff',
          '🦭',
          '__proto__',
          '</',
        ),
      ),
      { maxLength: max },
    )
    .map((parts) => parts.join('').replace(/[\p{Cc}]/gu, (c) => (c === '\n' || c === '\t' ? c : '')));

const id = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const post = fc
  .record({
    space: fc.oneof(fc.constantFrom('open', 'local'), id),
    ts: fc.integer({ min: 0, max: NOW + LIMITS.aheadSeconds }),
    kind: fc.constantFrom('ask', 'answer', 'note', 'x_1'),
    thread: fc.option(fc.tuple(id, id), { nil: null }),
    title: text(20),
    text: text(60),
    tags: fc.array(
      text(3).filter((tag) => tag !== '' && Buffer.byteLength(tag) <= 64),
      { maxLength: 16 },
    ),
  })
  .map(({ thread, ...fields }) =>
    ann.post({ ...fields, root: thread?.[0] ?? null, parent: thread?.[1] ?? null }),
  )
  .filter(({ title, text: body }) => [...title].length <= 200 && Buffer.byteLength(body) <= LIMITS.textBytes);

describe('readPost', () => {
  it('reads what encodePost writes, and writes the same bytes again', () => {
    fc.assert(
      fc.property(post, (made) => {
        const bytes = encodePost(made);
        const read = readPost(bytes, NOW);
        expect(read).toEqual({ ok: true, value: made });
        expect(read.ok && encodePost(read.value).equals(bytes)).toBe(true);
      }),
    );
  });

  it('refuses a post with any one bit changed', () => {
    fc.assert(
      fc.property(post, fc.nat(), fc.integer({ min: 0, max: 7 }), (made, at, bit) => {
        const bytes = Buffer.from(encodePost(made));
        const index = at % bytes.length;
        bytes[index] = bytes[index]! ^ (1 << bit);
        expect(verdict(bytes)).not.toBe('accepted');
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a post with a byte left out, put in or doubled', () => {
    fc.assert(
      fc.property(post, fc.nat(), fc.nat(255), fc.nat(2), (made, at, byte, how) => {
        const bytes = encodePost(made);
        const index = at % bytes.length;
        const parts = [bytes.subarray(0, index), Buffer.from([byte]), bytes.subarray(index)];
        if (how === 0) parts.splice(1, 2, bytes.subarray(index + 1));
        if (how === 1) parts[1] = bytes.subarray(index, index + 1);
        expect(verdict(Buffer.concat(parts))).not.toBe('accepted');
      }),
      { numRuns: 500 },
    );
  });

  it('answers every input with a reason, and accepts nothing that is not signed', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }).map(bytesOf),
      fc.json().map(bytesOf),
      fc
        .tuple(post, fc.constantFrom(...Object.keys(ann.post())), fc.jsonValue())
        .map(([made, key, value]) => bytesOf(JSON.stringify({ ...made, [key]: value }))),
      fc
        .tuple(post, fc.string({ unit: 'binary' }), fc.jsonValue())
        .map(([made, key, value]) =>
          bytesOf(`${JSON.stringify(made).slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(value)}}`),
        ),
    );
    fc.assert(
      fc.property(anything, (bytes) => {
        const read = readPost(bytes, NOW);
        if (read.ok) expect(isAuthentic(read.value) && encodePost(read.value).equals(bytes)).toBe(true);
        else expect(read.problem.message).toMatch(/^[\x20-\x7e]{5,120}$/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not follow a nesting to its end', () => {
    for (const open of ['[', '{"v":', '{"tags":['])
      expect(['not_json', 'shape', 'unknown_field']).toContain(verdict(bytesOf(open.repeat(7_000))));
    expect(verdict(bytesOf(`${'['.repeat(32_000)}${']'.repeat(32_000)}`))).toBe('shape');
  });

  it('looks at the size before anything else', () => {
    expect(verdict(Buffer.alloc(LIMITS.encodedBytes + 1, 'x'))).toBe('too_large');
    expect(verdict(Buffer.alloc(LIMITS.encodedBytes, 'x'))).toBe('not_json');
  });

  it('leaves the prototype alone', () => {
    const good = JSON.stringify(ann.post());
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])
      expect(verdict(bytesOf(`${good.slice(0, -1)},"${key}":{"v":1}}`))).toBe('unknown_field');
    // Inherited values are no fields.
    expect(verdict(bytesOf(`{"__proto__":${good}}`))).toBe('unknown_field');
    expect({}).not.toHaveProperty('v');
  });

  it('verifies for more authors than it remembers, again and again', () => {
    const posts = Array.from({ length: 1_100 }, () => new Author().post());
    for (const made of [...posts, ...posts]) expect(verdict(encodePost(made))).toBe('accepted');
    const [first, second] = posts;
    expect(verdict(encodePost({ ...first!, sig: second!.sig }))).toBe('unauthentic');
  });

  it('says how far ahead a post is', () => {
    const ahead = ann.post({ ts: NOW + 601 });
    expect(readPost(encodePost(ahead), NOW)).toMatchObject({
      problem: { code: 'future', message: expect.stringContaining('601 s ahead') },
    });
    expect(readPost(encodePost(ahead), NOW + 1).ok).toBe(true);
  });
});

describe('checkContent', () => {
  const content = (fields: Partial<Post>) =>
    checkContent({ kind: 'ask', title: '', text: '', tags: [], ...fields });

  it('counts bytes of a text, code points of a title', () => {
    expect(content({ text: 'é'.repeat(8_192) })).toBeUndefined();
    expect(content({ text: `${'é'.repeat(8_192)}x` })?.message).toContain('16385 bytes; the limit is 16384');
    expect(content({ title: '🦭'.repeat(200) })).toBeUndefined();
    expect(content({ title: '🦭'.repeat(201) })?.message).toContain('201 characters; the limit is 200');
  });

  it('names the control character, not the text around it', () => {
    expect(content({ text: 'secret\x1b[31m' })?.message).toBe(
      'text has the control character U+001B; only newline and tab are allowed',
    );
  });
});
