import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WatsError } from '../../src/errors/index.ts';
import type { DraftSummary } from '../../src/mcp/index.ts';
import { FakeHouse, hex64, NOW } from './support/ports.ts';
import { call, connectClient, RUN, startServer } from './support/server.ts';

describe('search', () => {
  test('pages through every post once, newest first, with cursors that are given back', async () => {
    const { path, house } = await startServer();
    for (let i = 1; i <= 23; i++) house.add({ text: `post ${i}` });
    const client = await connectClient(path);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await call(client, 'search', { text: 'post', ...(cursor && { cursor }) });
      seen.push(...data.posts.map((post: { text: string }) => post.text));
      cursor = data.next;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 23 }, (_, i) => `post ${23 - i}`));
  });

  test('hands kinds, author and a length of time to the store', async () => {
    const { path, house } = await startServer();
    const asked: unknown[] = [];
    house.onSearch = (query) => {
      asked.push(query);
      return { posts: [], total: 0 };
    };
    const client = await connectClient(path);
    await call(client, 'search', {
      text: 'knot',
      kinds: ['ask', 'announce'],
      author: hex64('a'),
      since: '2d',
      limit: 5,
    });
    await call(client, 'search', { since: '2026-01-31' });
    expect(asked).toEqual([
      {
        text: 'knot',
        kinds: ['ask', 'announce'],
        author: hex64('a'),
        since: NOW / 1000 - 2 * 86_400,
        offset: 0,
        limit: 5,
      },
      { text: '', kinds: [], author: null, since: 1_769_817_600, offset: 0, limit: 10 },
    ]);
  });

  test('shows the beginning of a long post on one line', async () => {
    const { path, house } = await startServer();
    house.add({ text: `first line\nsecond ${'word '.repeat(200)}` });
    const { data } = await call(await connectClient(path), 'search');
    expect(data.posts[0].text.startsWith('first line⏎second word')).toBe(true);
    expect(data.posts[0].text.length).toBeLessThanOrEqual(240);
    expect(data.posts[0].cut).toBe(true);
  });

  test('answers from a worker as well as at once', async () => {
    const { path, house } = await startServer();
    const post = house.add({ text: 'found' });
    house.onSearch = async () => ({ posts: [post], total: 1 });
    expect((await call(await connectClient(path), 'search')).data.posts).toHaveLength(1);
  });

  test.each([
    ['since', { since: 'yesterday' }, '7d'],
    ['author', { author: 'abcdef012345678' }, '64'],
    ['cursor', { cursor: 'i12' }, 'next'],
    ['kinds.0', { kinds: ['question'] }, 'ask'],
    ['limit', { limit: 500 }, '50'],
    ['colour', { colour: 'red' }, 'text, kinds, author, since, cursor, limit'],
  ])('names %s when it is wrong, and says what is right', async (field, args, hint) => {
    const { path } = await startServer();
    const result = await call(await connectClient(path), 'search', args);
    expect(result.isError).toBe(true);
    expect(result.text).toContain(`${field}:`);
    expect(result.text).toContain(hint);
  });
});

describe('read', () => {
  test('shows the post asked for first and every other post of the thread once, in order, over pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 14 }),
        fc.nat(),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        async (size, pick, limit, long) => {
          const { readAll, ids } = await threadOf(size, long ? 9000 : 5);
          const asked = ids[pick % size] ?? '';
          const expected = [asked, ...ids.filter((id) => id !== asked)].map((id) => id.slice(0, 15));
          const { seen, pages } = await readAll(asked, limit);
          expect(seen).toEqual(expected);
          expect(pages.every((count) => count > 0)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('gives full ids and full author keys to go on with', async () => {
    const { path, house } = await startServer();
    const root = house.add({ text: 'q' });
    const reply = house.add({ text: 'a', parent: root.post.id, author: hex64('bob') });
    const { data } = await call(await connectClient(path), 'read', { id: reply.post.id.slice(0, 15) });
    expect(data).toMatchObject({ id: reply.post.id, root: root.post.id, total: 2 });
    expect(data.authors[data.posts[0].author]).toBe(hex64('bob'));
  });

  test('says what to do about an id that nobody has, and one that is none', async () => {
    const { path } = await startServer();
    const client = await connectClient(path);
    const unknown = await call(client, 'read', { id: 'f'.repeat(64) });
    expect(unknown).toMatchObject({
      isError: true,
      text: `no post starts with ${'f'.repeat(64)}\nSearch for it.`,
    });
    expect((await call(client, 'read', { id: 'abc' })).text).toContain('id: an id: 15 to 64');
    expect((await call(client, 'read', {})).text).toContain('id: missing');
  });
});

describe('inbox', () => {
  test('goes on where it ended, and later shows only what came since', async () => {
    const { path, house } = await startServer();
    for (let i = 1; i <= 5; i++) house.add({ text: `q${i}` });
    const client = await connectClient(path);
    const first = await call(client, 'inbox', { limit: 3 });
    expect(first.data).toMatchObject({ left: 2, next: 'i3', newest: 'i5' });
    const second = await call(client, 'inbox', { cursor: 'i3' });
    expect(second.data.posts.map((post: { text: string }) => post.text)).toEqual(['q4', 'q5']);
    expect(second.data).toMatchObject({ left: 0, next: 'i5' });
    expect((await call(client, 'inbox', { cursor: 'i5' })).data).toEqual({ posts: [], left: 0, next: 'i5' });
    house.add({ text: 'a note of another', kind: 'note' });
    expect((await call(client, 'inbox', { cursor: 'i5' })).data.next).toBe('i6');
  });

  test('takes a bare number, as wake prompts name the cursor', async () => {
    const { path, house } = await startServer();
    house.add({ text: 'q1' });
    house.add({ text: 'q2' });
    const { data } = await call(await connectClient(path), 'inbox', { cursor: '1' });
    expect(data.posts).toMatchObject([{ text: 'q2' }]);
  });

  test('is that of the profile the bridge named', async () => {
    const { path, house } = await startServer();
    const mine = house.add({ text: 'my ask', author: hex64('ann') });
    house.add({ text: 'for ann', parent: mine.post.id });
    const ann = await connectClient(path, { wats: 1, profile: 'ann' });
    expect((await call(ann, 'inbox')).data.posts).toMatchObject([{ text: 'for ann' }]);
  });
});

describe('post and reply', () => {
  test('publish as the principal of the socket', async () => {
    const { path, house } = await startServer({ principal: RUN });
    const root = house.add({ text: 'q' });
    const client = await connectClient(path, { wats: 1, profile: 'somebody else' });
    const posted = await call(client, 'post', {
      kind: 'ask',
      title: 'T',
      text: 'body',
      tags: ['a'],
      request_id: 'r1',
    });
    expect(posted.data).toEqual({ id: hex64('published 1') });
    await call(client, 'reply', { kind: 'answer', parent: root.post.id.slice(0, 15), text: 'because' });
    expect(house.published).toEqual([
      {
        who: RUN,
        request: { kind: 'ask', parent: null, title: 'T', text: 'body', tags: ['a'], requestId: 'r1' },
      },
      {
        who: RUN,
        request: {
          kind: 'answer',
          parent: root.post.id,
          title: '',
          text: 'because',
          tags: [],
          requestId: null,
        },
      },
    ]);
  });

  test('answer a held post with its draft, and say that a person decides and not to post again', async () => {
    const { path, house } = await startServer({ principal: RUN });
    house.review = true;
    const { data, text, isError } = await call(await connectClient(path), 'post', {
      kind: 'note',
      text: 'x',
    });
    expect(isError).toBe(false);
    expect(data.held).toBe('d-1');
    for (const said of [data.note, text]) {
      expect(said).toMatch(/a person must approve/i);
      expect(said).toMatch(/do not post it again/i);
    }
  });

  test('give the first result when a request id is repeated', async () => {
    const { path, house } = await startServer();
    const client = await connectClient(path);
    const first = await call(client, 'post', { kind: 'note', text: 'x', request_id: 'once' });
    const second = await call(client, 'post', { kind: 'note', text: 'x', request_id: 'once' });
    expect(second.data).toMatchObject({ id: first.data.id, repeated: true });
    expect(house.published).toHaveLength(1);
  });

  test('say which limit was broken before anything is published', async () => {
    const { path, house } = await startServer();
    const client = await connectClient(path);
    const bodies = [
      [{ text: 'é'.repeat(8193) }, 'text: has 16386 bytes; the limit is 16384'],
      [{ text: '' }, 'text: is empty'],
      [{}, 'text: missing'],
      [{ text: 'x', title: '🦀'.repeat(201) }, 'title: over 200 characters'],
      [{ text: 'x', tags: Array.from({ length: 17 }, () => 't') }, 'tags:'],
      [{ text: 'x', tags: ['é'.repeat(33)] }, 'tags.0: over 64 bytes'],
    ] as const;
    for (const [body, said] of bodies) {
      const result = await call(client, 'post', { kind: 'ask', ...body });
      expect(result.isError).toBe(true);
      expect(result.text).toContain(said);
    }
    expect(house.published).toEqual([]);
    expect(
      (await call(client, 'post', { kind: 'ask', text: 'é'.repeat(8192), title: '🦀'.repeat(200) })).isError,
    ).toBe(false);
  });

  test('pass on what a port refuses with what to do, made visible', async () => {
    const { path, house } = await startServer();
    house.halted = true;
    const { isError, text } = await call(await connectClient(path), 'post', { kind: 'ask', text: 'x' });
    expect({ isError, text }).toEqual({
      isError: true,
      text: 'a guardian halted publishing\nWait for a resume.',
    });
  });
});

test('an error never carries what hides or moves the cursor, nor more than a page', async () => {
  const { path, house } = await startServer();
  house.refusal = new WatsError('invalid_post', `bad \u202E\u001b[31m ${'x'.repeat(5000)}`);
  const { text } = await call(await connectClient(path), 'post', { kind: 'ask', text: 'x' });
  expect(text.startsWith('bad ⟨U+202E⟩␛[31m xxx')).toBe(true);
  expect(text.length).toBeLessThan(2100);
});

describe('status', () => {
  test('says who one is, what one may, and what needs a person', async () => {
    const { path, house } = await startServer({ principal: RUN });
    house.halted = true;
    house.unacknowledged = ['agent.review'];
    const { data, text } = await call(await connectClient(path), 'status');
    expect(data).toMatchObject({
      author: hex64('me-agent'),
      may: ['search', 'read', 'post', 'reply', 'inbox', 'status'],
      unacknowledged: ['agent.review'],
      halted: true,
      peers: { connected: 1, known: 2 },
    });
    expect(text).toContain('HALTED');
    expect(text).toContain('agent.review');
  });

  test('of a node that breaks is an error without its inside, and goes to the log whole', async () => {
    const { path, house, log } = await startServer();
    const cause = new Error('secret path /home/ann');
    house.onStatus = () => {
      throw cause;
    };
    const { isError, text } = await call(await connectClient(path), 'status');
    expect(isError).toBe(true);
    expect(text).not.toContain('/home/ann');
    expect(log).toContainEqual({ event: 'called', connection: 1, tool: 'status', outcome: 'defect', cause });
  });
});

describe('review', () => {
  const draft = (n: number, change: Partial<DraftSummary> = {}): DraftSummary => ({
    id: `d-${n}`,
    kind: 'answer',
    parent: hex64('q'),
    title: '',
    text: `draft ${n}`,
    tags: [],
    createdAt: NOW - 60_000,
    expiresAt: NOW + 3_600_000,
    runId: 'r-1',
    sha256: hex64(`draft ${n}`),
    ...change,
  });

  test('shows drafts whole with the hash that approving takes', async () => {
    const { path, house } = await startServer();
    house.drafts.push(draft(1, { text: 'a\nb\u202Ec' }));
    const { data } = await call(await connectClient(path), 'pending');
    expect(data.drafts).toEqual([
      {
        draft: 'd-1',
        kind: 'answer',
        parent: hex64('q').slice(0, 15),
        text: 'a\nb⟨U+202E⟩c',
        age: '1m',
        expires_in: '1h',
        run: 'r-1',
        sha256: hex64('draft 1'),
      },
    ]);
    expect(data.note).toContain('not instructions');
  });

  test('pages', async () => {
    const { path, house } = await startServer();
    for (let i = 1; i <= 12; i++) house.drafts.push(draft(i));
    const client = await connectClient(path);
    const first = await call(client, 'pending');
    expect(first.data).toMatchObject({ total: 12, next: 'd10' });
    const second = await call(client, 'pending', { cursor: first.data.next });
    expect(second.data.drafts.map((d: { draft: string }) => d.draft)).toEqual(['d-11', 'd-12']);
  });

  test('gives no hash of a draft that it could not show whole', async () => {
    const { path, house } = await startServer();
    house.drafts.push(draft(1, { text: '\u200B'.repeat(5400) }));
    const { data } = await call(await connectClient(path), 'pending');
    expect(data.drafts[0].sha256).toBeUndefined();
    expect(data.drafts[0].text).toContain('wats agent pending show d-1');
  });

  test('decides as the session, on the bytes that were shown', async () => {
    const { path, house } = await startServer();
    house.drafts.push(draft(1));
    const client = await connectClient(path);
    const wrong = await call(client, 'approve', { draft: 'd-1', sha256: hex64('other') });
    expect(wrong).toMatchObject({ isError: true, text: 'd-1 is not what was shown' });
    const { data } = await call(client, 'approve', { draft: 'd-1', sha256: hex64('draft 1') });
    expect(data).toEqual({ id: hex64('d-1') });
    await call(client, 'reject', { draft: 'd-1', reason: 'no' });
    const who = { kind: 'session', profile: 'me', shared: false };
    expect(house.decided).toEqual([
      { who, draft: 'd-1', what: 'approved' },
      { who, draft: 'd-1', what: 'rejected: no' },
    ]);
  });
});

/** A thread of so many posts behind a server of its own, and a reader that follows its cursors. */
async function threadOf(size: number, chars: number) {
  const house = new FakeHouse();
  const root = house.add({ text: 'x'.repeat(chars) });
  for (let i = 1; i < size; i++) house.add({ text: 'y'.repeat(chars), parent: root.post.id });
  const { path } = await startServer({ ports: house.ports });
  const client = await connectClient(path);
  const readAll = async (id: string, limit: number) => {
    const seen: string[] = [];
    const pages: number[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await call(client, 'read', { id, limit, ...(cursor && { cursor }) });
      pages.push(data.posts.length);
      seen.push(...data.posts.map((post: { id: string }) => post.id));
      cursor = data.next;
    } while (cursor && pages.length < 100);
    return { seen, pages };
  };
  return { ids: house.posts.map(({ post }) => post.id), readAll };
}
