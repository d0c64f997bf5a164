import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectControl } from '../../src/control/index.ts';
import { placesOf } from '../../src/paths/index.ts';
import { eventually, type RunningNode, wats, watsJson } from '../support/node.ts';
import { node, place } from './support/nodes.ts';

interface Peer {
  readonly id: string;
  readonly addresses: readonly string[];
  readonly state: string;
  readonly lastSeenAt: number | null;
  readonly lag: number | null;
  readonly refusedPosts: number;
}
interface Status {
  readonly nodeId: string;
  readonly space: string;
  readonly peers: readonly Peer[];
  readonly listening: readonly string[];
}

const status = (dir: string): Promise<Status> => watsJson<Status>(['status'], { dir });
const peers = (dir: string): Promise<Peer[]> => watsJson<Peer[]>(['peer', 'list'], { dir });
const ask = async (dir: string, text: string): Promise<string> =>
  (await watsJson<{ id: string }>(['ask', text], { dir })).id;
const has = async (dir: string, id: string): Promise<boolean> =>
  (await wats(['read', id], { dir })).code === 0;
const isState = async (dir: string, id: string, state: string): Promise<boolean> =>
  (await peers(dir)).some((peer) => peer.id === id && peer.state === state);

async function stop(running: RunningNode): Promise<void> {
  running.kill('SIGTERM');
  await running.ended;
}

/** A node that others can dial: its directory, its id and its address. */
async function dialled(config = ''): Promise<{ dir: string; id: string; address: string }> {
  const dir = place(config);
  await node(dir);
  await watsJson(['peer', 'invite', '--open'], { dir });
  const { nodeId, listening } = await status(dir);
  return { dir, id: nodeId, address: listening[0] ?? '' };
}

const withSeeds = (infra: string, ...seeds: string[]): string =>
  `profile = "x"\ninfra = "${infra}"\nseeds = ${JSON.stringify(seeds)}\n`;

test('nodes that share a seed exchange posts through it, and list it among their peers', async () => {
  const seed = await dialled();
  const [one, two] = [place(withSeeds('default', seed.address)), place(withSeeds('default', seed.address))];
  await node(one);
  await node(two);
  const id = await ask(one, 'Who is there?');
  await eventually(() => has(two, id));
  expect(await peers(one)).toEqual([
    {
      id: seed.id,
      addresses: [seed.address],
      state: 'connected',
      relayed: false,
      lastSeenAt: expect.any(Number),
      lag: expect.toBeOneOf([0, null]),
      refusedPosts: 0,
    },
  ]);
  const removed = await wats(['peer', 'remove', seed.id], { dir: one });
  expect(removed).toMatchObject({ code: 2, stderr: expect.stringContaining('take it out of seeds') });
});

test('seeds are not dialled with infra = "none", and a node that stands in its own list of seeds does not dial itself', async () => {
  const seed = await dialled();
  const quiet = place(withSeeds('none', seed.address));
  await node(quiet);
  expect((await status(quiet)).peers).toEqual([]);

  const dir = place();
  const first = await node(dir);
  const { nodeId } = await status(dir);
  await stop(first);
  writeFileSync(
    join(dir, 'config.toml'),
    withSeeds('default', `/ip4/127.0.0.1/tcp/4001/p2p/${nodeId}`, seed.address),
  );
  await node(dir);
  await eventually(() => isState(dir, seed.id, 'connected'));
  expect((await peers(dir)).map(({ id }) => id)).toEqual([seed.id]);
});

test('a list of seeds that is empty, and a seed without its node id, are errors that name the setting', async () => {
  for (const [seeds, says] of [
    [[], 'needs seeds'],
    [['/ip4/192.0.2.1/tcp/4001'], 'node’s id'],
  ] as const) {
    const ended = await wats(['node'], { dir: place(withSeeds('default', ...seeds)) });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('seeds');
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).not.toContain('    at ');
  }
});

test('a node outside peers.allow gets nothing, while the one in it does', async () => {
  const friend = place();
  await node(friend);
  const stranger = place();
  await node(stranger);
  const { nodeId } = await status(friend);
  const guarded = await dialled(`profile = "x"\n[peers]\nallow = ["${nodeId}"]\n`);
  for (const dir of [friend, stranger]) await watsJson(['peer', 'add', guarded.address], { dir });
  await eventually(() => isState(friend, guarded.id, 'connected'));

  const unheard = await ask(stranger, 'Do you hear me?');
  const heard = await ask(friend, 'And me?');
  await eventually(() => has(guarded.dir, heard));
  await eventually(() => isState(stranger, guarded.id, 'unreachable'));
  expect(await has(guarded.dir, unheard)).toBe(false);
  expect(await has(stranger, heard)).toBe(false);
  expect((await peers(guarded.dir)).filter(({ state }) => state === 'connected').map(({ id }) => id)).toEqual(
    [nodeId],
  );
});

test('a node without the key of a private swarm, or with another one, never gets in, and says that it cannot', async () => {
  const dir = place();
  await node(dir);
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir });
  const { nodeId, space, listening } = await status(dir);
  const address = listening[0] ?? '';

  const member = place();
  await node(member);
  await watsJson(['peer', 'join', invite], { dir: member });
  const open = place();
  await node(open);
  const other = place();
  await node(other);
  await watsJson(['peer', 'invite'], { dir: other }); // a key of its own
  for (const outside of [open, other]) await watsJson(['peer', 'add', address], { dir: outside });

  const secret = await ask(dir, 'Only for us.');
  await eventually(() => has(member, secret));
  for (const outside of [open, other]) {
    const unheard = await ask(outside, 'Let me in.');
    await eventually(() => isState(outside, nodeId, 'unreachable'));
    expect(await has(outside, secret)).toBe(false);
    expect(await has(member, unheard)).toBe(false);
  }
  expect((await status(member)).space).toBe(space);
  const joined = await wats(['peer', 'join', invite], { dir: other });
  expect(joined).toMatchObject({ code: 2, stderr: expect.stringContaining('another private swarm') });
});

test('a node that is set to be in one private swarm does not start in another', async () => {
  const dir = place();
  const first = await node(dir);
  await watsJson(['peer', 'invite'], { dir });
  const { space } = await status(dir);
  await stop(first);
  writeFileSync(join(dir, 'config.toml'), `swarm = "${'0'.repeat(64)}"\n`);
  expect(await wats(['node'], { dir })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /swarm names the private swarm 000000000000000, but this node is in .*\n.*--dir/,
    ),
  });
  writeFileSync(join(dir, 'config.toml'), `swarm = "${space}"\n`);
  await node(dir);
  expect((await status(dir)).space).toBe(space);
});

test('the view, the status and their text show each peer with its state, when it was seen, how far behind this node is and what was refused', async () => {
  const there = await dialled();
  const here = place();
  await node(here);
  await watsJson(['peer', 'add', there.address], { dir: here });
  const posts = await Promise.all([1, 2, 3].map((n) => ask(there.dir, `Post ${n}`)));
  await eventually(async () => (await Promise.all(posts.map((id) => has(here, id)))).every(Boolean));
  const known = { id: there.id, state: 'connected', lag: 0, refusedPosts: 0 };
  await eventually(async () => (await peers(here)).some(({ lag }) => lag === 0));
  const [peer] = (await status(here)).peers;
  expect(peer).toMatchObject(known);
  expect(Date.now() - (peer?.lastSeenAt ?? 0)).toBeLessThan(120_000);

  const socketPlace = {
    platform: process.platform,
    runtimeDir: '/nonexistent',
    uid: process.getuid?.() ?? 0,
  };
  const client = await connectControl(placesOf(here, {}, socketPlace).controlSocket);
  onTestFinished(() => client.close());
  const view = (await client.watch()).view();
  expect(view.peers).toEqual({ total: 1, rows: [expect.objectContaining(known)] });

  const shown = await wats(['status'], { dir: here });
  expect(shown.stdout).toMatch(/^peer +\S+ · connected · seen /m);
  const listed = await wats(['peer', 'list'], { dir: here });
  expect(listed.stdout).toMatch(/peer +state +seen\n12D3KooW\S+ +connected +/);
});
