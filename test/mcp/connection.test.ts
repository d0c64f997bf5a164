import { describe, expect, test, vi } from 'vitest';
import { CONNECTION_LIMITS } from '../../src/mcp/limits.ts';
import { connectRaw, line, toolCall } from './support/raw.ts';
import { call, connectClient, startServer } from './support/server.ts';

const MIB = 1_048_576;

describe('a connection', () => {
  test('answers a method that it does not know at once, as newer hosts try before the handshake', async () => {
    const { path } = await startServer();
    const client = await connectRaw(path);
    client.socket.write(line({ id: 'd', method: 'server/discover', params: {} }));
    expect((await client.next(({ id }) => id === 'd')).error?.code).toBe(-32601);
  });

  test('takes half lines, many lines at once and characters cut in two', async () => {
    const { path, house } = await startServer();
    house.add({ text: 'überall 🦀' });
    const client = await connectRaw(path);
    const bytes = Buffer.from(toolCall(1, 'search', { text: 'überall 🦀' }) + toolCall(2, 'status'));
    for (const byte of bytes) client.socket.write(Buffer.of(byte));
    const found = await client.next(({ id }) => id === 1);
    expect(found.result.structuredContent.total).toBe(1);
    await client.next(({ id }) => id === 2);
  });

  test('answers what was asked before the client closed its side, and then ends', async () => {
    const { path, house } = await startServer();
    let release = () => {};
    house.onSearch = () => new Promise((resolve) => (release = () => resolve({ posts: [], total: 0 })));
    const client = await connectRaw(path);
    client.socket.end(toolCall(1, 'search') + toolCall(2, 'status'));
    await client.next(({ id }) => id === 2);
    release();
    await client.next(({ id }) => id === 1);
    await client.closed;
  });

  test('that is ended by the daemon still gets what is in flight answered, and starts nothing more', async () => {
    const { path, house, listening } = await startServer();
    let release = () => {};
    let searches = 0;
    house.onSearch = () =>
      new Promise((resolve) => {
        searches++;
        release = () => resolve({ posts: [], total: 0 });
      });
    const client = await connectRaw(path);
    client.socket.write(toolCall(1, 'search'));
    await vi.waitUntil(() => searches === 1);
    const closing = listening.close(20_000);
    client.socket.write(toolCall(2, 'search'));
    release();
    await Promise.all([closing, client.closed]);
    expect(client.lines.map(({ id }) => id)).toEqual([1]);
    expect(searches).toBe(1);
  });

  test('says so about a line that is no message, and ends at the 16th', async () => {
    const { path, log } = await startServer();
    const client = await connectRaw(path);
    client.socket.write('nonsense\n[1,2]\n{"id":1}\n\n');
    client.socket.write(toolCall(1, 'status'));
    await client.next(({ id }) => id === 1);
    expect(client.lines.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
      -32700, -32700, -32700,
    ]);
    client.socket.write('{"jsonrpc":"1.0"}\n'.repeat(13));
    await client.closed;
    expect(log).toContainEqual({ event: 'dropped', connection: 1, why: 'bad_lines' });
  });

  test('refuses the id of a request that is still being answered', async () => {
    const { path, house } = await startServer();
    house.onSearch = () => new Promise(() => {});
    const client = await connectRaw(path);
    client.socket.write(toolCall(1, 'search') + toolCall(1, 'status'));
    expect((await client.next(({ id }) => id === 1)).error?.code).toBe(-32600);
  });

  test('takes a line of exactly a mebibyte and is closed, with the reason, over that', async () => {
    const { path, log } = await startServer();
    const client = await connectRaw(path);
    const empty = line({ id: 1, method: 'ping', params: { pad: '' } }).length - 1;
    const padded = (bytes: number) =>
      line({ id: 1, method: 'ping', params: { pad: 'x'.repeat(bytes - empty) } });
    client.socket.write(padded(MIB));
    await client.next(({ id }) => id === 1);
    client.socket.write(padded(MIB + 1));
    expect((await client.next(({ id }) => id === null)).error?.message).toContain('1048576 bytes');
    await client.closed;
    expect(log).toContainEqual({ event: 'dropped', connection: 1, why: 'line_too_long' });
  });

  test('is closed at a hello of another version, with the reason', async () => {
    const { path } = await startServer();
    const client = await connectRaw(path);
    client.socket.write('{"wats":9}\n');
    expect((await client.next(() => true)).error?.message).toContain('version 1');
    await client.closed;
  });

  test('of a socket with a token is nothing without it, and nothing with another', async () => {
    const { path } = await startServer({ admits: (token) => token === 'right' });
    for (const first of [toolCall(1, 'status'), '{"wats":1}\n', '{"wats":1,"token":"wrong"}\n']) {
      const client = await connectRaw(path);
      client.socket.write(first + toolCall(2, 'status'));
      await client.closed;
      expect(client.lines).toMatchObject([
        { id: null, error: { message: expect.stringContaining('token') } },
      ]);
    }
    expect((await call(await connectClient(path, { wats: 1, token: 'right' }), 'status')).isError).toBe(
      false,
    );
  });
});

describe('a client that misbehaves harms nobody else:', () => {
  test('one that floods has at most 64 calls in flight, and every one of them is answered', async () => {
    const { path, house } = await startServer();
    let open = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    house.onSearch = () =>
      new Promise((resolve) => {
        most = Math.max(most, ++open);
        releases.push(() => {
          open--;
          resolve({ posts: [], total: 0 });
        });
      });
    const flood = await connectRaw(path);
    for (let id = 0; id < 5000; id++) flood.socket.write(toolCall(id, 'search'));
    await vi.waitUntil(() => releases.length === 64);
    expect((await call(await connectClient(path), 'status')).isError).toBe(false);
    expect(most).toBe(64);

    const answered = flood.next(({ id }) => id === 4999);
    const releasing = setInterval(() => {
      for (const release of releases.splice(0)) release();
    });
    await answered.finally(() => clearInterval(releasing));
    expect(flood.lines).toHaveLength(5000);
    expect(most).toBe(64);
  });

  test('calls that were cancelled do not count as in flight', async () => {
    const { path, house } = await startServer();
    house.onSearch = () => new Promise(() => {});
    const client = await connectRaw(path);
    for (let id = 1; id <= 100; id++) {
      client.socket.write(toolCall(id, 'search'));
      client.socket.write(line({ method: 'notifications/cancelled', params: { requestId: id } }));
    }
    client.socket.write(toolCall('after', 'status'));
    await client.next(({ id }) => id === 'after');
  });

  test('one that never reads is dropped, and what waits for it stays bounded', async () => {
    const { path, house, log, listening } = await startServer({
      limits: { ...CONNECTION_LIMITS, stallMs: 300 },
    });
    for (let i = 0; i < 50; i++) house.add({ text: 'x'.repeat(16_000) });
    let calls = 0;
    const search = house.ports.posts.search;
    house.onSearch = (query) => {
      calls++;
      house.onSearch = undefined;
      try {
        return search(query);
      } finally {
        house.onSearch = again;
      }
    };
    const again = house.onSearch;
    const deaf = await connectRaw(path);
    deaf.socket.pause();
    for (let id = 0; id < 20_000; id++) deaf.socket.write(toolCall(id, 'search', { limit: 50 }));
    const client = await connectClient(path);
    expect((await call(client, 'search')).data.total).toBe(50);
    await vi.waitUntil(
      () => log.some((entry) => entry.event === 'dropped' && entry.why === 'unread_answers'),
      10_000,
    );
    // Each answer has some 30 kB: what was made fits into the limit, the kernel's buffer and one batch.
    expect(calls).toBeLessThan(100);
    await vi.waitUntil(() => listening.count() === 1);
    expect((await call(client, 'status')).isError).toBe(false);
  });

  test('one that leaves in the middle of a line, or of a call, is forgotten', async () => {
    const { path, house, listening } = await startServer();
    let searching = false;
    let release = () => {};
    house.onSearch = () =>
      new Promise((resolve) => {
        searching = true;
        release = () => resolve({ posts: [], total: 0 });
      });
    const half = await connectRaw(path);
    half.socket.write('{"jsonrpc":"2.0","id":1,"meth');
    half.socket.destroy();
    const leaver = await connectRaw(path);
    leaver.socket.write(toolCall(1, 'search'));
    await vi.waitUntil(() => searching);
    leaver.socket.destroy();
    release();
    await vi.waitUntil(() => listening.count() === 0);
    expect((await call(await connectClient(path), 'status')).isError).toBe(false);
  });

  test('one that sends a deep or a poisoned structure is answered like any other', async () => {
    const { path } = await startServer();
    const client = await connectRaw(path);
    client.socket.write(
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}\n`,
    );
    client.socket.write(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status","arguments":{"__proto__":{"x":1}}}}\n',
    );
    await client.next(({ id }) => id === 1);
    await client.next(({ id }) => id === 2);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
