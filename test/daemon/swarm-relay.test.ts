import { expect, test } from 'vitest';
import { eventually, wats, watsJson } from '../support/node.ts';
import { node, place } from './support/nodes.ts';

interface Status {
  readonly nodeId: string;
  readonly listening: readonly string[];
  readonly peers: readonly { readonly id: string; readonly state: string; readonly relayed: boolean }[];
  readonly relays: readonly { readonly seed: string; readonly state: string }[];
  readonly serving: { readonly places: number; readonly of: number; readonly links: number } | null;
}

const status = (dir: string): Promise<Status> => watsJson<Status>(['status'], { dir });
const ask = async (dir: string, text: string): Promise<string> =>
  (await watsJson<{ id: string }>(['ask', text], { dir })).id;
const has = async (dir: string, id: string): Promise<boolean> =>
  (await wats(['read', id], { dir })).code === 0;
const isRelayed = async (dir: string, peer: string): Promise<boolean> =>
  (await status(dir)).peers.some(({ id, state, relayed }) => id === peer && state === 'connected' && relayed);

/** A node without a listener, with one seed. */
const hidden = (seed: string): string =>
  place(`profile = "x"\ninfra = "default"\nlisten = []\nseeds = ["${seed}"]\n`);

test('an invite leads through the seed to a node that cannot be dialled, the screens say so, and it survives the seed being killed', async () => {
  const seed = place('profile = "x"\ninfra = "default"\nrelay.serve = true\n');
  const running = await node(seed);
  const { listening } = await status(seed);
  const address = listening.find((each) => each.startsWith('/ip4/127.0.0.1/')) ?? '';

  const one = hidden(address);
  await node(one);
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite', '--open'], { dir: one });
  const { nodeId, listening: reachedAt } = await status(one);
  expect(reachedAt).toEqual([`${address}/p2p-circuit/p2p/${nodeId}`]);

  const two = hidden(address);
  await node(two);
  await watsJson(['peer', 'join', invite], { dir: two });
  await eventually(() => isRelayed(two, nodeId));
  const heard = await ask(one, 'Do you hear me?');
  await eventually(() => has(two, heard));
  expect((await wats(['peer', 'list'], { dir: two })).stdout).toMatch(/^\S+: through a relay$/m);
  const shown = await wats(['status'], { dir: two });
  expect(shown.stdout).toMatch(/^peer +\S+ · connected · seen \S+ ago · through a relay$/m);
  expect(shown.stdout).toMatch(/^relay +\S+ · others reach this node through it$/m);
  expect((await status(seed)).serving).toEqual({ places: 2, of: 128, links: 1 });
  expect((await wats(['status'], { dir: seed })).stdout).toMatch(
    /^serving +2 of 128 places taken · 1 links go through this node$/m,
  );

  running.kill('SIGKILL');
  await running.ended;
  await eventually(async () => !(await isRelayed(two, nodeId)));
  const missed = await Promise.all([ask(one, 'And now?'), ask(two, 'And I?')]);
  await node(seed);
  await eventually(() => isRelayed(two, nodeId));
  await eventually(async () => (await has(two, missed[0])) && (await has(one, missed[1])));
});

test('a node that uses no relay refuses an invite that leads through one, and says what to set', async () => {
  const seed = place(
    'profile = "x"\ninfra = "default"\nrelay.serve = true\nlisten = ["/ip4/127.0.0.1/tcp/0"]\n',
  );
  await node(seed);
  const [address = ''] = (await status(seed)).listening;
  const one = hidden(address);
  await node(one);
  // A key of its own would part it from the seed.
  expect(await wats(['peer', 'invite'], { dir: one })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--open'),
  });
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite', '--open'], { dir: one });
  const [through = ''] = (await status(one)).listening;

  const quiet = place('profile = "x"\n');
  await node(quiet);
  for (const command of [
    ['peer', 'join', invite],
    ['peer', 'add', through],
  ]) {
    expect(await wats(command, { dir: quiet })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`seeds = ["${address}"]`),
    });
  }
  expect(await status(quiet)).toMatchObject({ peers: [], relays: [], serving: null });
});

test('a seed that does not serve is said to be no relay', async () => {
  const peer = place('profile = "x"\nlisten = ["/ip4/127.0.0.1/tcp/0"]\n');
  await node(peer);
  const [address = ''] = (await status(peer)).listening;
  const one = hidden(address);
  await node(one);
  await eventually(async () => (await status(one)).relays[0]?.state === 'not_serving');
  expect((await wats(['status'], { dir: one })).stdout).toMatch(/^relay +\S+ · is no relay/m);
  const refused = await wats(['peer', 'invite', '--open'], { dir: one });
  expect(refused.stderr).toContain('listens nowhere');
});
