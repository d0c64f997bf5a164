import { once } from 'node:events';
import { chmod, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectControl } from '../../src/control/index.ts';
import { WatsError } from '../../src/errors/index.ts';
import { openHouse, temporaryDir } from './support/house.ts';

test('the first line says protocol, version and process', async () => {
  const house = await openHouse();
  const raw = await house.raw();
  await vi.waitUntil(() => raw.lines.length > 0);
  expect(raw.lines).toEqual([{ wats: 1, version: '1.2.3', pid: process.pid }]);
  expect((await house.connect()).hello).toEqual({ wats: 1, version: '1.2.3', pid: process.pid });
});

test('nobody but its owner may open the socket', async () => {
  const { path } = await openHouse();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a daemon of another protocol is named, with what to do', async () => {
  const path = join(await temporaryDir(), 'control.sock');
  const newer = createServer((socket) => void socket.end('{"wats":2,"version":"9.0.0","pid":1}\n')).listen(
    path,
  );
  onTestFinished(() => void newer.close());
  await once(newer, 'listening');
  await expect(connectControl(path)).rejects.toMatchObject({
    code: 'protocol',
    message: 'the daemon speaks control protocol 2, this wats 1',
    fix: 'restart the daemon',
  });
});

test('without a daemon, with one that hangs, with one that speaks something else: there is none', async () => {
  const path = join(await temporaryDir(), 'control.sock');
  await expect(connectControl(path)).rejects.toMatchObject({ code: 'no_daemon' });
  const silent = createServer((socket) => void socket.resume()).listen(path);
  await once(silent, 'listening');
  await expect(connectControl(path, 50)).rejects.toMatchObject({ code: 'no_daemon' });
  silent.close();
  await once(silent, 'close');
  for (const [n, words] of ['HTTP/1.1 400 Bad Request\r\n\r\n', '7\n', 'null\n'].entries()) {
    const at = `${path}${n}`;
    const other = createServer((socket) => void socket.end(words)).listen(at);
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    await expect(connectControl(at)).rejects.toMatchObject({ code: 'no_daemon' });
  }
});

test('a socket that may not be opened is no daemon to this user', async () => {
  if (process.getuid?.() === 0) return; // root may open everything
  const { path } = await openHouse();
  await chmod(path, 0);
  await expect(connectControl(path)).rejects.toMatchObject({ code: 'no_daemon' });
});

test('a call is answered with what it returns, or with the error that it throws, code and fix kept', async () => {
  const house = await openHouse({
    calls: {
      double: ({ n }) => Number(n) * 2,
      later: async () => ({ at: 'last' }),
      nothing: () => undefined,
      refuse: () => {
        throw new WatsError('rate_limited', 'too fast', { fix: 'wait a minute' });
      },
    },
  });
  const client = await house.connect();
  expect(await client.call('double', { n: 21 })).toBe(42);
  expect(await client.call('later')).toEqual({ at: 'last' });
  expect(await client.call('nothing')).toBeNull();
  await expect(client.call('refuse')).rejects.toMatchObject({
    name: 'WatsError',
    code: 'rate_limited',
    message: 'too fast',
    fix: 'wait a minute',
  });
  expect(house.defects).toEqual([]);
});

test('what a stranger wrote into an error cannot move the cursor of whoever reads it', async () => {
  const house = await openHouse({
    calls: {
      refuse: () => {
        throw new WatsError('failed', 'the peer says \u001b[2J\u202e hello', { fix: 'look \u0007' });
      },
    },
  });
  const error: unknown = await (await house.connect()).call('refuse').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'failed' });
  const { message, fix } = error as WatsError;
  expect(`${message}${fix}`).toMatch(/^[^\u001b\u202e\u0007]*$/);
  expect(message).toContain('the peer says');
  expect(house.defects).toEqual([]);
});

test('a defect is logged here and not told there', async () => {
  const defect = new TypeError('secret of the house');
  const house = await openHouse({
    calls: {
      broken: () => {
        throw defect;
      },
    },
  });
  const error: unknown = await (await house.connect()).call('broken').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'failed', fix: expect.stringContaining('wats.log') });
  expect(String(error)).not.toContain('secret');
  expect(house.defects).toEqual([defect]);
});

test.each(['nonsense', '__proto__', 'constructor', 'toString'])(
  'a call that nobody knows (%s) says to restart the daemon',
  async (name) => {
    const client = await (await openHouse()).connect();
    await expect(client.call(name)).rejects.toMatchObject({
      code: 'protocol',
      fix: expect.stringContaining('restart the daemon'),
    });
  },
);

test('pages come by request, and one that is not there is an error', async () => {
  const controls = await (await (await openHouse()).connect()).watch();
  expect(await controls.page({ page: 'transcript', runId: 'r-1', from: 0, count: 5 })).toEqual({
    runId: 'r-1',
    total: 0,
    entries: [],
  });
  await expect(controls.page({ page: 'draft', id: 'd-1' })).rejects.toMatchObject({ code: 'not_found' });
});

test('answers of one client come under their own ids, whatever order they are ready in', async () => {
  const gates = new Map<string, () => void>();
  const house = await openHouse({
    calls: {
      gate: ({ name }) => new Promise<unknown>((resolve) => gates.set(String(name), () => resolve(name))),
    },
  });
  const client = await house.connect();
  const [one, two] = [client.call('gate', { name: 'one' }), client.call('gate', { name: 'two' })];
  await vi.waitUntil(() => gates.size === 2);
  gates.get('two')?.();
  expect(await two).toBe('two');
  gates.get('one')?.();
  expect(await one).toBe('one');
});

test('an answer that no client would take says to ask for less', async () => {
  const house = await openHouse({
    calls: { much: () => 'x'.repeat(17 << 20), some: () => 'x'.repeat(15 << 20) },
  });
  const client = await house.connect();
  await expect(client.call('much')).rejects.toMatchObject({ code: 'too_large' });
  expect(await client.call('some')).toHaveLength(15 << 20);
});

test('an intent is done once for each key: repeated, at once or after a reconnect, it gets the first answer', async () => {
  const house = await openHouse();
  const controls = await (await house.connect()).watch();
  const both = await Promise.all([controls.send('k1', { do: 'run' }), controls.send('k1', { do: 'run' })]);
  const again = await (await (await house.connect()).watch()).send('k1', { do: 'run' });
  expect([...both, again]).toEqual(Array(3).fill({ ok: true, text: 'done 1' }));
  expect(house.done).toEqual([{ do: 'run' }]);
  expect(await controls.send('k2', { do: 'run' })).toEqual({ ok: true, text: 'done 2' });
});

test('an intent that another version sends is refused, and nothing of it is done', async () => {
  const house = await openHouse();
  const controls = await (await house.connect()).watch();
  const strange = [
    { do: 'dance' },
    { do: 'approve', draft: 'd-1' },
    { do: 'quit', how: 'later' },
    { do: 'post', kind: 'ask', parent: 7, title: '', text: '', tags: [] },
    { do: '__proto__' },
    null,
  ];
  for (const [n, intent] of strange.entries()) {
    expect(await controls.send(`k${n}`, intent as never)).toMatchObject({ ok: false, code: 'protocol' });
  }
  expect(await controls.send('', { do: 'run' })).toMatchObject({ ok: false, code: 'protocol' });
  expect(house.done).toEqual([]);
});

test('when the daemon goes away calls fail, intents say so, and `closed` resolves', async () => {
  const house = await openHouse({ calls: { never: () => new Promise(() => {}) } });
  const client = await house.connect();
  const controls = await client.watch();
  const call = client.call('never');
  const failed = expect(call).rejects.toMatchObject({ code: 'no_daemon' });
  await house.listening.close(0);
  await client.closed;
  await failed;
  await expect(client.call('never')).rejects.toMatchObject({ code: 'no_daemon' });
  expect(await controls.send('k', { do: 'run' })).toMatchObject({ ok: false, code: 'no_daemon' });
  // The last view stays on the screen that is told of it.
  expect(controls.view()).toEqual(house.view());
});
