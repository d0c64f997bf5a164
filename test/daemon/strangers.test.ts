import { join } from 'node:path';
import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import type { Post } from '../../src/swarm/index.ts';
import { dataDirectory, eventually, startNode, wats, watsJson } from '../support/node.ts';
import { Author } from '../support/posts.ts';
import { gossip, payload, rawPeer, stopRawPeers } from '../sync/raw-peer.ts';

interface Peer {
  readonly id: string;
  readonly state: string;
  readonly refusedPosts: number;
}
interface Status {
  readonly nodeId: string;
  readonly listening: readonly string[];
  readonly posts: number;
  readonly peers: readonly Peer[];
}
interface Read {
  readonly thread: { readonly total: number };
}

afterEach(stopRawPeers);

function place(): string {
  const { dir, remove } = dataDirectory('profile = "someone"\n');
  onTestFinished(remove);
  return dir;
}

async function running(dir: string): Promise<void> {
  const node = await startNode(dir);
  onTestFinished(async () => {
    node.kill('SIGKILL');
    await node.ended;
  });
}

const status = (dir: string): Promise<Status> => watsJson<Status>(['status'], { dir });
const now = (): number => Math.floor(Date.now() / 1000);

test('a peer that forges posts is cut off, nothing of it is stored, and the person sees who it was and how many', async () => {
  const dir = place();
  await running(dir);
  await watsJson(['peer', 'invite', '--open'], { dir });
  const { listening, nodeId } = await status(dir);
  const hostile = await rawPeer();
  const id = hostile.peerId.toString();
  const { pubsub } = hostile.services;
  pubsub.subscribe('/wats/1/open');
  await hostile.dial(multiaddr(listening[0] ?? ''));
  await eventually(() => pubsub.getSubscribers('/wats/1/open').some((peer) => peer.toString() === nodeId));

  const author = new Author();
  const good = author.post({ ts: now() });
  await gossip(hostile, payload(good));
  await eventually(async () => (await status(dir)).posts === 1);
  for (const n of [1, 2, 3])
    await gossip(hostile, payload({ ...author.post({ ts: now(), text: `${n}` }), text: `forged ${n}` }));
  const peer = await eventually(async () =>
    (await status(dir)).peers.find((each) => each.id === id && each.state === 'ignored'),
  );
  expect(peer.refusedPosts).toBe(3);
  expect((await status(dir)).posts).toBe(1);
  await eventually(() => hostile.getConnections().length === 0);

  const shown = await wats(['status'], { dir });
  expect(shown.stdout).toMatch(/^peer .* ignored .* 3 posts refused$/m);
  expect((await wats(['peer', 'list'], { dir })).stdout).toContain('3 posts refused');
});

/** A directory in which these posts arrived already. */
function filled(posts: readonly Post[]): string {
  const dir = place();
  const store = openStore(join(dir, 'wats.db'));
  store.atomically(() => posts.map((post) => store.append(post, Date.now(), 'peer')));
  store.close();
  return dir;
}

test('hundreds of replies that waited for one post are in its thread once it comes, from a peer or before a restart', {
  timeout: 60_000,
}, async () => {
  const [asker, answerer] = [new Author(), new Author()];
  const root = asker.post({ ts: now() - 60 });
  const replies = Array.from({ length: 400 }, (_, n) =>
    answerer.reply(root, { ts: now(), text: `reply ${n}` }),
  );

  // Killed right after the post came: the rest is done at the next start.
  const again = filled([...replies, root]);
  await running(again);
  await eventually(
    async () => (await watsJson<Read>(['read', root.id], { dir: again })).thread.total === 401,
  );

  const waiting = filled(replies);
  await running(waiting);
  const source = filled([root]);
  await running(source);
  expect((await wats(['read', root.id], { dir: waiting })).code).toBe(1);
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite', '--open'], { dir: source });
  await watsJson(['peer', 'join', invite], { dir: waiting });
  for (const dir of [waiting, source])
    await eventually(async () => {
      const { code, stdout } = await wats(['read', root.id, '--json'], { dir });
      return code === 0 && (JSON.parse(stdout) as Read).thread.total === 401;
    });
});
