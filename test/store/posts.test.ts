import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReader } from '../../src/store/index.ts';
import { encodePost } from '../../src/swarm/index.ts';
import { Author } from '../support/posts.ts';
import { ANN, BOB, hex, post, put, reply, tempFolder, tempStore } from './support.ts';

describe('find', () => {
  const id = `0123456789abcdef${'0'.repeat(48)}`;
  const twin = `0123456789abcde${'e'.repeat(49)}`;

  it('takes a full id, and the start of one from 15 digits on', () => {
    const store = tempStore();
    put(store, post({ id }));
    for (const word of [id, id.slice(0, 15), id.slice(0, 16), id.slice(0, 63), id.toUpperCase()])
      expect(store.posts.find(word).post.id).toBe(id);
  });

  it('says of a start that several posts share that it does not choose', () => {
    const store = tempStore();
    put(store, post({ id }), post({ id: twin }));
    expect(() => store.posts.find(id.slice(0, 15))).toThrow(
      expect.objectContaining({ code: 'ambiguous', fix: 'give more digits' }),
    );
    expect(store.posts.find(id.slice(0, 16)).post.id).toBe(id);
    expect(store.posts.find(`${twin.slice(0, 16)}`).post.id).toBe(twin);
  });

  it('refuses what is too short, too long or no hex, and repeats nothing of it', () => {
    const store = tempStore();
    put(store, post({ id }));
    for (const word of ['', id.slice(0, 14), `${id}0`, 'd-abcdefgh', '0123456789abcdeg', '%', "' OR 1"])
      expect(() => store.posts.find(word)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => store.posts.find('f'.repeat(20))).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

describe('reading', () => {
  it('gives posts back as they came, to the byte', () => {
    const path = join(tempFolder(), 'wats.db');
    const store = tempStore(path);
    const signed = new Author().post({ title: 'a "b"', text: '🦭\n\t\u2028\ufeff\\', tags: ['漢', '"'] });
    put(store, signed);
    expect(store.posts.byId(signed.id)?.post).toEqual(signed);
    const reader = openReader(path);
    expect(Buffer.from(reader.bytes(signed.id)!)).toEqual(encodePost(signed));
    expect([reader.has(signed.id), reader.has(hex('x')), reader.bytes(hex('x'))]).toEqual([
      true,
      false,
      null,
    ]);
    reader.close();
  });

  it('pages a thread by arrival and follows what is new', () => {
    const store = tempStore();
    const root = post();
    put(store, root, post(), reply(root), reply(root, { author: BOB }));
    expect(store.posts.thread(root.id, 1, 1)).toMatchObject({ posts: [{ seq: 3 }], total: 3, isMore: false });
    expect(store.posts.after(2, 9).map(({ seq }) => seq)).toEqual([3, 4]);
    expect(store.posts.newest(2).map(({ seq }) => seq)).toEqual([4, 3]);
    expect([store.posts.newestSeq(), store.posts.count(), store.posts.bySeq(2)?.seq]).toEqual([4, 4, 2]);
  });

  it('counts a thousand of an inbox, and says that there are more', () => {
    const store = tempStore();
    put(store, ...Array.from({ length: 1_001 }, () => post({ author: BOB })));
    expect(store.posts.inbox(ANN, 0, 3)).toMatchObject({
      posts: [{ seq: 1 }, { seq: 2 }, { seq: 3 }],
      total: 1_000,
      isMore: true,
    });
    expect(store.posts.inbox(ANN, 1, 3)).toMatchObject({ total: 1_000, isMore: false });
    expect(store.posts.inbox(BOB, 0, 3)).toEqual({ posts: [], total: 0, isMore: false });
  });
});

describe('the reader', () => {
  it('gives the ids of a time in the order of (ts, id), of one space', () => {
    const path = join(tempFolder(), 'wats.db');
    const store = tempStore(path);
    const posts = [3, 1, 2, 2].map((ts) => post({ ts }));
    put(store, ...posts, post({ ts: 2, space: 'local' }), post({ ts: 4 }));
    const reader = openReader(path);
    const found = reader.ids('open', 1, 4).map(({ ts, id }) => [ts, Buffer.from(id).toString('hex')]);
    const expected = posts
      .map(({ ts, id }) => [ts, id] as const)
      .toSorted(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
    expect(found).toEqual(expected);
    for (const { id } of reader.ids('open', 0, 9)) expect(id.buffer.byteLength).toBe(32);
    put(store, post({ ts: 3 }));
    expect(reader.ids('open', 1, 4)).toHaveLength(5);
    reader.close();
  });
});
