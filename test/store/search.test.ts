import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchQuery, Store } from '../../src/store/index.ts';
import type { Post } from '../../src/swarm/index.ts';
import { ANN, BOB, CAT, post, put, tempFolder, tempStore } from './support.ts';

const QUERY: SearchQuery = { text: '', kinds: [], author: null, since: null, offset: 0, limit: 10 };

function feedAll(store: Store): void {
  while (store.feedSearch(3));
}
function idsOf(store: Store, query: Partial<SearchQuery>): string[] {
  return store.search({ ...QUERY, ...query }).posts.map((stored) => stored.post.id);
}

describe('search', () => {
  it('finds words in title and text, all of them, newest first', () => {
    const store = tempStore();
    const first = post({ title: 'Pinning npm', text: 'a lock file' });
    const second = post({ title: 'npm again', text: 'no LOCK here' });
    put(store, first, second, post({ text: 'lock only' }));
    feedAll(store);
    expect(idsOf(store, { text: 'npm lock' })).toEqual([second.id, first.id]);
    expect(store.search({ ...QUERY, text: 'npm', limit: 1 })).toMatchObject({ total: 2, isMore: false });
    expect(idsOf(store, { text: 'npm', limit: 1, offset: 1 })).toEqual([first.id]);
  });

  it('finds words whatever their accents, in any script, beside emoji and quotes', () => {
    const store = tempStore();
    const one = post({ title: 'Zoë "quoted" 🦭 seal', text: 'Übung macht den Meister, c++ and 漢字' });
    put(store, one);
    feedAll(store);
    for (const text of [
      'zoe',
      'ZOË',
      'quoted',
      '"quoted"',
      '🦭 seal',
      'ubung',
      'c++',
      '漢字',
      "meister's meister",
    ])
      expect([text, idsOf(store, { text })]).toEqual([text, text.includes("'s") ? [] : [one.id]]);
  });

  it('finds a word that a picture was written right beside, however new the picture is', () => {
    const store = tempStore();
    const one = post({ text: 'done🦭 🤖runs pause⏸ great😀 thread🧵here heart❤️' });
    put(store, one);
    feedAll(store);
    for (const text of ['done', 'runs', 'pause', 'great', 'thread', 'here', 'heart', 'done🦭', 'runs 🤖'])
      expect([text, idsOf(store, { text })]).toEqual([text, [one.id]]);
    expect(idsOf(store, { text: 'done🤖now' })).toEqual([]);
  });

  it('takes nothing that is typed for an operator, and never fails', () => {
    const store = tempStore();
    const one = post({ title: 'NOT OR AND NEAR', text: 'alpha beta' });
    put(store, one, post({ text: 'gamma' }));
    feedAll(store);
    expect(idsOf(store, { text: 'alpha OR gamma' })).toEqual([]);
    expect(idsOf(store, { text: 'alpha NOT gamma' })).toEqual([]);
    expect(idsOf(store, { text: 'gam*' })).toEqual([]);
    expect(idsOf(store, { text: 'title:alpha' })).toEqual([]);
    expect(idsOf(store, { text: 'OR' })).toEqual([one.id]);
    expect(idsOf(store, { text: 'alpha\0beta' })).toEqual([one.id]);
    expect(idsOf(store, { text: 'alpha '.repeat(5_000) })).toEqual([one.id]);
    const operators = fc.constantFrom(
      '"',
      '*',
      '^',
      ':',
      '(',
      ')',
      '-',
      '+',
      '{',
      '}',
      'AND',
      'OR',
      'NOT',
      'NEAR(',
      'a',
      '\0',
      '\\',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(operators).map((parts) => parts.join(' ')),
        ),
        (text) => {
          expect(store.search({ ...QUERY, text }).posts.length).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('finds nothing for a text without a word, and everything for none', () => {
    const store = tempStore();
    put(store, post(), post());
    feedAll(store);
    expect(idsOf(store, { text: '?!' })).toEqual([]);
    expect(store.search({ ...QUERY, text: '  ' }).total).toBe(2);
  });

  it('gives what a scan over all posts gives, whatever is asked for', () => {
    const words = ['red', 'green', 'blue'];
    const made = fc.record({
      author: fc.constantFrom(ANN, BOB),
      kind: fc.constantFrom('ask', 'answer', 'note'),
      ts: fc.integer({ min: 1_000, max: 1_010 }),
      space: fc.constantFrom('open', 'local'),
      text: fc.subarray(words).map((some) => some.join(' ')),
    });
    const query = fc.record({
      text: fc.subarray(words, { maxLength: 2 }).map((some) => some.join(' ')),
      kinds: fc.uniqueArray(fc.constantFrom('ask', 'answer', 'vouch')),
      author: fc.constantFrom(null, ANN, CAT),
      since: fc.option(fc.integer({ min: 999, max: 1_011 }), { nil: null }),
      offset: fc.nat(3),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(made, { maxLength: 12 }), fc.array(query, { minLength: 5 }), (fields, queries) => {
        const store = tempStore();
        const posts: Post[] = fields.map((each) => post(each));
        put(store, ...posts);
        feedAll(store);
        for (const asked of queries) {
          const fitting = posts
            .filter(
              (one) =>
                asked.text.split(' ').every((word) => word === '' || one.text.split(' ').includes(word)) &&
                (asked.kinds.length === 0 || (asked.kinds as string[]).includes(one.kind)) &&
                (asked.author === null || one.author === asked.author) &&
                (asked.since === null || one.ts >= asked.since),
            )
            .reverse();
          const found = store.search(asked);
          expect(found.posts.map((stored) => stored.post.id)).toEqual(
            fitting.slice(asked.offset, asked.offset + asked.limit).map(({ id }) => id),
          );
          expect(found).toMatchObject({ total: fitting.length, isMore: false });
        }
        store.close();
      }),
      { numRuns: 40 },
    );
  });

  it('counts some past the page, and says that there is more', () => {
    const store = tempStore();
    put(store, ...Array.from({ length: 300 }, () => post({ text: 'word' })));
    while (store.feedSearch(500));
    for (const query of [{ text: 'word' }, {}, { kinds: ['ask'] }, { author: ANN }, { since: 0 }])
      expect(store.search({ ...QUERY, ...query })).toMatchObject({ total: 30, isMore: true });
    expect(idsOf(store, { text: 'word', offset: 295 })).toHaveLength(5);
  });

  it('looks at the newest 5,000 candidates of a filter, and says so', () => {
    const store = tempStore();
    const old = post({ author: BOB, kind: 'note', text: 'word', ts: 5_000 });
    put(store, old, ...Array.from({ length: 5_000 }, () => post({ text: 'word', ts: 1_000 })));
    while (store.feedSearch(5_000));
    const none = { posts: [], total: 0, isMore: true };
    expect(store.search({ ...QUERY, text: 'word', author: BOB })).toEqual(none);
    expect(store.search({ ...QUERY, text: 'word', kinds: ['note'] })).toEqual(none);
    // What has an index of its own is found however old it is.
    for (const query of [
      { author: BOB, kinds: ['note'] },
      { kinds: ['note'], since: 2_000 },
      { since: 2_000 },
    ])
      expect(store.search({ ...QUERY, ...query })).toMatchObject({ total: 1, isMore: false });
    put(store, post({ author: BOB, text: 'word' }));
    store.feedSearch(10);
    expect(store.search({ ...QUERY, text: 'word', author: BOB })).toMatchObject({ total: 1, isMore: true });
  });
});

describe('feedSearch', () => {
  it('feeds behind the posts, a bounded step at a time, and goes on where it stopped', () => {
    const path = join(tempFolder(), 'wats.db');
    const store = tempStore(path);
    const posts = [1, 2, 3].map(() => post({ text: 'word' }));
    put(store, ...posts);
    expect(idsOf(store, { text: 'word' })).toEqual([]);
    expect(store.feedSearch(2)).toBe(true);
    expect(idsOf(store, { text: 'word' })).toEqual([posts[1]!.id, posts[0]!.id]);
    store.close();
    const again = tempStore(path);
    expect(again.feedSearch(2)).toBe(false);
    expect(idsOf(again, { text: 'word' })).toHaveLength(3);
    expect(again.feedSearch(2)).toBe(false);
  });

  it('makes a damaged index again, and loses nothing but a search', () => {
    const path = join(tempFolder(), 'wats.db');
    const store = tempStore(path);
    put(store, post({ text: 'word' }), post({ text: 'word' }));
    feedAll(store);
    store.close();
    const db = new Database(path);
    db.unsafeMode(true).exec("UPDATE posts_fts_data SET block = x'00112233' WHERE id > 10");
    db.close();
    const again = tempStore(path);
    expect(() => again.search({ ...QUERY, text: 'word' })).toThrow(
      expect.objectContaining({ code: 'storage', message: expect.stringContaining('search index') }),
    );
    feedAll(again);
    expect(idsOf(again, { text: 'word' })).toHaveLength(2);
    expect(again.rebuilt).toBe(false);
  });
});
