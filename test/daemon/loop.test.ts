import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, wats, watsJson } from '../support/node.ts';
import { type House, makeHouse } from './support/house.ts';

interface Status {
  readonly paused: { readonly rows: readonly { root: string; turns: number; limit: number }[] };
}

const inThread = (house: House): readonly { id: string; author: string }[] =>
  house.rows(
    `SELECT lower(hex(id)) AS id, lower(hex(author)) AS author FROM posts
      WHERE chain IN ('root', 'resolved') ORDER BY seq`,
  );
const paused = async (house: House) => (await watsJson<Status>(['status'], { dir: house.dir })).paused.rows;
/** Once nothing is booked or spawned any more. */
const atRest = (house: House) =>
  eventually(() => house.rows("SELECT id FROM runs WHERE state <> 'ended'").length === 0);

test('two agents that answer each other are paused at the limit, once, also over a restart, until a third author posts', {
  timeout: 90_000,
}, async () => {
  const settings = ['review = false', 'loop_max_exchanges = 4'];
  const asking = makeHouse({ agent: ['asks'], settings });
  const answering = makeHouse({ settings });
  const first = await asking.start();
  let second = await answering.start();
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: asking.dir });
  await watsJson(['peer', 'join', invite], { dir: answering.dir });
  await eventually(async () =>
    (await watsJson<{ state: string }[]>(['peer', 'list'], { dir: asking.dir })).some(
      ({ state }) => state === 'connected',
    ),
  );

  // The agent of one node asks; then each answers the other: ask, answer, answer, answer, and a fifth turn that is one too many.
  expect((await wats(['agent', 'run'], { dir: asking.dir })).code).toBe(0);
  const loop = await second.saw(({ type }) => type === 'loop');
  await Promise.all([atRest(asking), atRest(answering)]);
  const posts = inThread(answering);
  expect(posts).toHaveLength(5);
  const root = posts[0]?.id ?? '';
  expect(loop).toMatchObject({ thread: root, limit: 4 });
  expect(await paused(answering)).toMatchObject([{ root, turns: 5, limit: 4 }]);
  expect(first.said.filter(({ type }) => type === 'loop')).toEqual([]);
  expect(answering.rows("SELECT id FROM wakes WHERE state = 'queued'")).toHaveLength(1);
  expect((await wats(['why', posts[4]?.id ?? ''], { dir: answering.dir })).stdout).toContain(
    'a third author',
  );

  second.kill('SIGKILL');
  await second.ended;
  second = await answering.start();
  expect(await paused(answering)).toMatchObject([{ root, turns: 5, limit: 4 }]);
  expect(second.said.filter(({ type }) => type === 'loop')).toEqual([]);
  const logged = readFileSync(join(answering.dir, 'wats.log'), 'utf8').match(/agent_wake_paused_loop/g);
  expect(logged).toHaveLength(1);

  // A person is a third author, whatever they say; the exchange begins anew and is paused again.
  const note = await watsJson<{ id: string }>(
    ['reply', '--kind', 'note', posts[4]?.id ?? '', 'Go on, both of you.'],
    { dir: answering.dir },
  );
  const since = () => inThread(answering).slice(5);
  await eventually(() => since().length >= 6);
  await eventually(async () => (await paused(asking)).length + (await paused(answering)).length === 1);
  await Promise.all([atRest(asking), atRest(answering)]);
  expect(since()[0]?.id).toBe(note.id);
  // Five turns more; six, where the note reached the other node after the answer to it.
  expect([6, 7]).toContain(since().length);
});

test('with the limit at 0 nobody is paused', { timeout: 60_000 }, async () => {
  const settings = ['review = false', 'loop_max_exchanges = 0'];
  const asking = makeHouse({ agent: ['asks'], settings });
  const answering = makeHouse({ settings });
  const [first] = await Promise.all([asking.start(), answering.start()]);
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: asking.dir });
  await watsJson(['peer', 'join', invite], { dir: answering.dir });
  await wats(['agent', 'run'], { dir: asking.dir });
  await eventually(() => inThread(asking).length > 6);
  expect(first.said.filter(({ type }) => type === 'loop')).toEqual([]);
  // Two real agents would go on until the budget ends it; here a person does.
  await Promise.all([asking, answering].map(({ dir }) => wats(['agent', 'pause'], { dir })));
});
