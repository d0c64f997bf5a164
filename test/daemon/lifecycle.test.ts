import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  cleanEnv,
  dataDirectory,
  eventually,
  finished,
  startNode,
  WATS,
  wats,
  watsJson,
} from '../support/node.ts';
import { type House, makeHouse } from './support/house.ts';

/** A background node, as `wats mcp` starts one; it says nothing, so its socket tells that it is there. */
async function startBackground(
  house: House,
): Promise<{ readonly pid: number; readonly code: Promise<number | null> }> {
  const child: ChildProcess = spawn(process.execPath, [WATS, 'node', '--background', '--dir', house.dir], {
    env: cleanEnv(),
    stdio: 'ignore',
  });
  const code = new Promise<number | null>((resolve) => child.on('exit', (status) => resolve(status)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await code;
  });
  await eventually(async () => {
    const client = await house.person().catch(() => undefined);
    return client?.hello.pid === child.pid;
  });
  return { pid: child.pid ?? -1, code };
}

const pidOfDaemon = async (house: House): Promise<number> => (await house.person()).hello.pid;

test('from a post on one node to the answer of an agent on another', async () => {
  const house = makeHouse();
  const asking = dataDirectory('profile = "asker"\n');
  const asker = await startNode(asking.dir);
  onTestFinished(async () => {
    asker.kill('SIGKILL');
    await asker.ended;
    asking.remove();
  });
  const node = await house.start();
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: asking.dir });
  await watsJson(['peer', 'join', invite], { dir: house.dir });
  const { id: ask } = await watsJson<{ id: string }>(['ask', 'Which journal mode?'], { dir: asking.dir });

  await node.saw(({ type, post }) => type === 'woken' && post === ask);
  await node.saw(({ type }) => type === 'run_ended');
  const controls = await (await house.person()).watch();
  const [draft] = await eventually(() => {
    const { rows } = controls.view().drafts;
    return rows.length > 0 && rows;
  });
  const page = await controls.page({ page: 'draft', id: draft?.id ?? '' });
  expect(page.parent?.id).toBe(ask);
  const approved = await controls.send(randomUUID(), { do: 'approve', draft: page.id, sha256: page.sha256 });
  expect(approved).toMatchObject({ ok: true });

  const answer = await eventually(async () => {
    const { thread } = await watsJson<{
      thread: { posts: { kind: string; text: string; parent: string }[] };
    }>(['read', ask], { dir: asking.dir });
    return thread.posts.find(({ kind }) => kind === 'answer');
  });
  expect(answer).toMatchObject({ parent: ask, text: page.text });
});

test('a second daemon on the directory is refused with what to do, and the first one does not notice', async () => {
  const house = makeHouse();
  const node = await house.start();
  const second = await wats(['node'], { dir: house.dir });
  expect(second).toMatchObject({ code: 75, stdout: '' });
  expect(second.stderr).toContain('another wats daemon runs on this data directory');
  expect(second.stderr).toContain('wats agent attach');
  expect(await pidOfDaemon(house)).toBe(node.pid);
});

test('of many daemons that start at once, one runs', async () => {
  const house = makeHouse();
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [WATS, 'node', '--dir', house.dir], { env: cleanEnv() }),
  );
  const ends = children.map(finished);
  const codes = new Map<number | undefined, number | null>();
  for (const [n, end] of ends.entries()) void end.then(({ code }) => codes.set(children[n]?.pid, code));
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ends);
  });
  await eventually(() => codes.size === 3);
  expect([...codes.values()]).toEqual([75, 75, 75]);
  expect(codes.has(await pidOfDaemon(house))).toBe(false);
});

test('a data directory that others can read is refused with the fix, and nothing is written into it', async () => {
  const place = dataDirectory();
  onTestFinished(place.remove);
  chmodSync(place.dir, 0o750);
  const { code, stderr } = await wats(['node'], { dir: place.dir });
  expect(code).toBe(1);
  expect(stderr).toContain('can be read by others (mode 0750)');
  expect(stderr).toContain(`chmod 700 ${place.dir}`);
  expect(readdirSync(place.dir)).toEqual([]);
});

test('SIGTERM lets the run in progress end by itself, then the daemon ends with 0 and leaves no socket', async () => {
  const house = makeHouse();
  house.hold('before');
  const node = await house.start();
  const ask = await house.ask('what now?');
  await eventually(() => house.steps('before')[0]);
  node.kill('SIGTERM');
  // It still serves its run and its person while it drains, and starts nothing more.
  const late = await house.ask('and now?');
  house.release('before');
  expect(await node.ended).toMatchObject({ code: 0 });
  expect(house.rows('SELECT outcome FROM runs')).toEqual([{ outcome: 'ok' }]);
  expect(house.rows('SELECT lower(hex(parent)) AS parent FROM drafts')).toEqual([{ parent: ask }]);
  for (const socket of ['mcp.sock', 'control.sock']) expect(existsSync(join(house.dir, socket))).toBe(false);
  expect(house.marked()).toEqual([]);

  const next = await house.start();
  await next.saw(({ type, post }) => type === 'woken' && post === late);
  await next.saw(({ type }) => type === 'run_ended');
});

test('a second SIGTERM stops the run in progress', async () => {
  const house = makeHouse({ agent: ['family'] });
  house.hold('before');
  const node = await house.start();
  await house.ask('what now?');
  await eventually(() => house.steps('before')[0]);
  node.kill('SIGTERM');
  const client = await house.person();
  expect(await client.call('status')).toMatchObject({ run: { state: 'spawned' } });
  node.kill('SIGTERM');
  expect(await node.ended).toMatchObject({ code: 0 });
  expect(house.rows('SELECT state, outcome FROM runs')).toEqual([{ state: 'ended', outcome: 'stopped' }]);
  expect(house.rows('SELECT state FROM wakes')).toEqual([{ state: 'done' }]);
  expect(house.marked()).toEqual([]);
});

test('what a person asks to quit is answered before the daemon goes', async () => {
  const house = makeHouse();
  const node = await house.start();
  expect(await house.send({ do: 'quit', how: 'drain' })).toMatchObject({ ok: true });
  expect(await node.ended).toMatchObject({ code: 0 });
});

test('sockets that a killed daemon left are replaced, for their owner only', async () => {
  const house = makeHouse();
  const dead = await house.start();
  dead.kill('SIGKILL');
  await dead.ended;
  expect(existsSync(join(house.dir, 'control.sock'))).toBe(true);
  const node = await house.start();
  expect(await pidOfDaemon(house)).toBe(node.pid);
  for (const socket of ['mcp.sock', 'control.sock']) {
    expect(statSync(join(house.dir, socket)).mode & 0o777).toBe(0o600);
  }
});

test('a file in the place of a socket is left alone', async () => {
  const house = makeHouse();
  writeFileSync(join(house.dir, 'control.sock'), 'precious');
  const { code, stderr } = await wats(['node'], { dir: house.dir });
  expect(code).toBe(1);
  expect(stderr).toContain('control.sock is not a socket');
  expect(statSync(join(house.dir, 'control.sock')).size).toBe(8);
});

// A socket's path has at most 107 bytes: that of a run is the first to be too long, then those of the daemon.
test.each([70, 90, 100, 180])(
  'a data directory whose path has %i bytes works, its runs too',
  async (pathBytes) => {
    const house = makeHouse({ pathBytes });
    expect(house.dir.length).toBe(pathBytes);
    house.hold('before');
    const dead = await house.start();
    const ask = await house.ask('what now?');
    await eventually(() => house.steps('before')[0]);
    dead.kill('SIGKILL');
    await dead.ended;
    house.release('before');
    const node = await house.start();
    await node.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'ok');
    expect(house.rows('SELECT lower(hex(parent)) AS parent FROM drafts')).toEqual([{ parent: ask }]);
    node.kill('SIGTERM');
    await node.ended;
    // Not even those of the run that was cut short stay behind.
    const folder = join(house.runtimeDir, `wats-${process.getuid?.()}`);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    expect(names.filter((name) => name.endsWith('.sock'))).toEqual([]);
  },
);

test('a key press that is repeated after the daemon was killed gets its first answer', async () => {
  const house = makeHouse();
  const dead = await house.start();
  const key = randomUUID();
  const first = await house.ask('once', key);
  dead.kill('SIGKILL');
  await dead.ended;
  await house.start();
  expect(await house.ask('once', key)).toBe(first);
  expect(house.rows("SELECT count(*) AS n FROM posts WHERE kind = 'ask'")).toEqual([{ n: 1 }]);
});

test('a pause that is repeated after a resume and a restart is answered, not done again', async () => {
  const house = makeHouse();
  const first = await house.start();
  const key = randomUUID();
  const paused = await house.send({ do: 'pause' }, key);
  await house.send({ do: 'resume' });
  first.kill('SIGTERM');
  await first.ended;
  const node = await house.start();
  expect(await house.send({ do: 'pause' }, key)).toEqual(paused);
  await house.ask('are you awake?');
  await node.saw(({ type }) => type === 'run_ended');
});

test('a background node yields to a foreground daemon, runs no agent, and its people find the new one', async () => {
  const house = makeHouse();
  const background = await startBackground(house);
  const ask = await house.ask('what now?');
  expect((await wats(['node', '--background'], { dir: house.dir })).code).toBe(75);
  const node = await house.start();
  expect(await background.code).toBe(0);
  expect(await pidOfDaemon(house)).toBe(node.pid);
  expect(house.rows('SELECT lower(hex(id)) AS id FROM posts WHERE kind = ?', 'ask')).toEqual([{ id: ask }]);
  expect(house.steps()).toEqual([]);
});

test('a background node does not yield to another one, nor a foreground daemon to it', async () => {
  const house = makeHouse();
  const node = await house.start();
  expect((await wats(['node', '--background'], { dir: house.dir })).code).toBe(75);
  expect(await pidOfDaemon(house)).toBe(node.pid);
  await expect((await house.person()).call('node.yield')).rejects.toMatchObject({ code: 'protocol' });
});

test('a background node that follows a killed daemon ends the run that it left, and starts none', async () => {
  const house = makeHouse({ agent: ['family'] });
  house.hold('before');
  const dead = await house.start();
  await house.ask('what now?');
  await eventually(() => house.steps('before')[0]);
  dead.kill('SIGKILL');
  await dead.ended;
  expect(house.marked().length).toBeGreaterThan(1);
  house.release('before');
  await startBackground(house);
  expect(house.marked()).toEqual([]);
  expect(house.rows('SELECT outcome FROM runs')).toEqual([{ outcome: 'interrupted' }]);
  expect(house.rows('SELECT state, tries FROM wakes')).toEqual([{ state: 'queued', tries: 1 }]);
  expect(house.steps('started')).toHaveLength(1);
});
