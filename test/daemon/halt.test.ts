import { expect, onTestFinished, test } from 'vitest';
import { dataDirectory, eventually, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';
import { Pty } from '../support/pty.ts';
import { type House, makeHouse } from './support/house.ts';

interface Status {
  readonly halted: boolean;
  readonly alerts: readonly { code: string; text: string; fix: string | null }[];
  readonly queue: { readonly total: number; readonly verdict: string | null };
}
interface Listed {
  readonly you: string;
  readonly guardians: readonly { author: string; label: string }[];
  readonly halts: readonly { id: string; here: boolean; yours: boolean }[];
}
interface Thread {
  readonly thread: { readonly posts: readonly { id: string; kind: string; parent: string | null }[] };
}

/** A node of a person without an agent. */
async function personNode(): Promise<RunningNode> {
  const place = dataDirectory('profile = "ada"\n');
  const node = await startNode(place.dir);
  onTestFinished(async () => {
    node.kill('SIGKILL');
    await node.ended;
    place.remove();
  });
  return node;
}

/** A command typed at a terminal, to its end; answers its question when it asks one. */
async function typed(
  dir: string,
  args: readonly string[],
  answer?: string,
): Promise<{ code: number; screen: string }> {
  const pty = new Pty([...args, '--dir', dir], { columns: 160, rows: 30 });
  onTestFinished(() => pty.close());
  if (answer !== undefined) {
    await pty.until('[y/N]');
    pty.type(`${answer}\r`);
  }
  const code = await pty.ended;
  return { code, screen: await pty.text() };
}

async function link(a: string, b: string): Promise<void> {
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: a });
  await watsJson(['peer', 'join', invite], { dir: b });
  await connected(a);
}

async function connected(dir: string): Promise<void> {
  await eventually(async () =>
    (await watsJson<{ state: string }[]>(['peer', 'list'], { dir })).some(
      ({ state }) => state === 'connected',
    ),
  );
}

const status = (dir: string): Promise<Status> => watsJson<Status>(['status'], { dir });
const keyOf = async (dir: string): Promise<string> =>
  (await watsJson<Listed>(['guardian', 'list'], { dir })).you;
const replies = async (dir: string, ask: string): Promise<number> =>
  (await watsJson<Thread>(['read', ask], { dir })).thread.posts.filter(({ kind }) => kind === 'answer')
    .length;
const ask = async (dir: string, text: string): Promise<string> =>
  (await watsJson<{ id: string }>(['ask', text], { dir })).id;

/** An agent whose posts nobody reviews, on a node that trusts a guardian on another one. */
async function guarded(): Promise<{ ada: RunningNode; house: House; node: RunningNode }> {
  const ada = await personNode();
  const house = makeHouse({ settings: ['review = false'] });
  const node = await house.start();
  await link(ada.dir, house.dir);
  const added = await typed(house.dir, ['guardian', 'add', await keyOf(ada.dir), 'Ada', 'of', 'node', 'A']);
  expect(added).toMatchObject({ code: 0, screen: expect.stringContaining('their halt stops your agent') });
  return { ada, house, node };
}

test('a guardian on another node stops the run, nothing is published until they resume, also over a restart', {
  timeout: 90_000,
}, async () => {
  const { ada, house, node } = await guarded();
  house.hold('before');
  const first = await ask(ada.dir, 'What is going on there?');
  await eventually(() => house.steps('before').length === 1);

  const halted = await typed(ada.dir, ['guardian', 'halt', '--reason', 'it\u202e posts nonsense']);
  expect(halted).toMatchObject({ code: 0, screen: expect.stringMatching(/halt [0-9a-f]{15} is published/) });
  await node.saw(({ type }) => type === 'halt');
  const ended = await node.saw(({ type }) => type === 'run_ended');
  expect(ended['outcome']).toBe('stopped');
  house.release('before');
  expect(house.marked()).toEqual([]);

  // Red everywhere, and the reason is shown as text.
  const now = await status(house.dir);
  expect(now.halted).toBe(true);
  expect(now.alerts[0]).toMatchObject({
    code: 'halt',
    text: expect.stringContaining('guardian Ada of node A'),
  });
  expect(now.alerts[0]?.text).toContain('posts nonsense');
  expect(now.alerts[0]?.text).not.toContain('\u202e');

  // Nothing starts and nothing goes out, whoever asks.
  const second = await ask(ada.dir, 'And now?');
  await node.saw(({ type, post }) => type === 'woken' && post === second);
  await eventually(async () => (await status(house.dir)).queue.verdict?.includes('halted by a guardian'));
  expect((await wats(['agent', 'run'], { dir: house.dir })).code).toBe(75);
  expect((await wats(['why', second], { dir: house.dir })).stdout).toContain('held: halted by a guardian');

  node.kill('SIGKILL');
  await node.ended;
  const again = await house.start();
  await again.saw(({ type }) => type === 'halt');
  expect(await status(house.dir)).toMatchObject({ halted: true, queue: { total: 1 } });
  expect(house.steps('started')).toHaveLength(1);
  expect(await replies(house.dir, first)).toBe(0);

  await connected(ada.dir);
  expect(await typed(ada.dir, ['resume'], 'n')).toMatchObject({ code: 1 });
  expect((await status(house.dir)).halted).toBe(true);
  const resumed = await typed(ada.dir, ['resume'], 'y');
  expect(resumed).toMatchObject({ code: 0, screen: expect.stringContaining('lifted for everybody') });
  await again.saw(({ type }) => type === 'halt_lifted');
  await again.saw(({ type }) => type === 'run_ended');
  await eventually(async () => (await replies(ada.dir, second)) === 1);
  // The run that was stopped is done with its wake: the first ask is not answered after all.
  expect(await replies(ada.dir, first)).toBe(0);
  expect((await status(house.dir)).alerts.map(({ code }) => code)).not.toContain('halt');
  // Nothing is left to lift.
  expect((await typed(ada.dir, ['resume'])).screen).toContain('nothing is halted');
});

test('a person lifts a halt at their own node, and it stays lifted', { timeout: 60_000 }, async () => {
  const { ada, house, node } = await guarded();
  await typed(ada.dir, ['guardian', 'halt']);
  await node.saw(({ type }) => type === 'halt');
  const question = await ask(ada.dir, 'Anybody?');
  await node.saw(({ type }) => type === 'woken');
  const lifted = await typed(house.dir, ['resume'], 'y');
  expect(lifted).toMatchObject({ code: 0, screen: expect.stringContaining('lifted at this node') });
  await eventually(async () => (await replies(ada.dir, question)) === 1);
  node.kill('SIGTERM');
  await node.ended;
  await house.start();
  expect((await status(house.dir)).halted).toBe(false);
  // For everybody else it is in force: its author has not resumed.
  expect((await watsJson<Listed>(['guardian', 'list'], { dir: ada.dir })).halts).toMatchObject([
    { yours: true },
  ]);
});

test('a halt of somebody who is no guardian does nothing, until they are one; and nothing once they are not', {
  timeout: 60_000,
}, async () => {
  const ada = await personNode();
  const house = makeHouse({ settings: ['review = false'] });
  const node = await house.start();
  await link(ada.dir, house.dir);
  await typed(ada.dir, ['guardian', 'halt']);
  const question = await ask(ada.dir, 'Still there?');
  await eventually(async () => (await replies(ada.dir, question)) === 1);
  expect((await status(house.dir)).halted).toBe(false);

  const key = await keyOf(ada.dir);
  await typed(house.dir, ['guardian', 'add', key]);
  await node.saw(({ type }) => type === 'halt');
  expect((await status(house.dir)).halted).toBe(true);
  await typed(house.dir, ['guardian', 'remove', key]);
  await node.saw(({ type }) => type === 'halt_lifted');
  expect((await status(house.dir)).halted).toBe(false);
});

test('with halt.accept off no halt is in force, and the list says so', { timeout: 60_000 }, async () => {
  const ada = await personNode();
  const house = makeHouse({
    settings: ['review = false', '[halt]', 'accept = false', `guardians = ["${await keyOf(ada.dir)}"]`],
  });
  await house.start();
  await link(ada.dir, house.dir);
  await typed(ada.dir, ['guardian', 'halt']);
  const question = await ask(ada.dir, 'Still there?');
  await eventually(async () => (await replies(ada.dir, question)) === 1);
  expect((await status(house.dir)).halted).toBe(false);
  const listed = await wats(['guardian', 'list'], { dir: house.dir });
  expect(listed.stdout).toContain('halt.guardians');
  expect(listed.stderr).toContain('halt.accept is off');
});

test('guardians and halts are a person’s: not without a terminal, not inside a run', {
  timeout: 60_000,
}, async () => {
  const ada = await personNode();
  const key = 'a'.repeat(64);
  for (const args of [
    ['guardian', 'add', key],
    ['guardian', 'remove', key],
    ['guardian', 'halt'],
    ['resume', '--yes'],
  ]) {
    const piped = await wats(args, { dir: ada.dir });
    expect(piped).toMatchObject({ code: 1, stderr: expect.stringContaining('a person at a terminal') });
    const pty = new Pty([...args, '--dir', ada.dir], {
      columns: 120,
      rows: 10,
      env: { WATS_RUN_DIR: '/run/of/an/agent' },
    });
    onTestFinished(() => pty.close());
    expect(await pty.ended).toBe(1);
    expect(await pty.text()).toContain('a run of the agent does not');
  }
  expect(await watsJson<Listed>(['guardian', 'list'], { dir: ada.dir })).toMatchObject({
    guardians: [],
    halts: [],
  });
});

test('what is mistyped is told with the nearest right word', { timeout: 60_000 }, async () => {
  const ada = await personNode();
  for (const [words, says] of [
    [['add', 'abc'], 'a full key'],
    [['add'], 'the key of the guardian is missing'],
    [['remove', 'b'.repeat(64)], 'no guardian with that key'],
    [['ad', 'b'.repeat(64)], 'did you mean "wats guardian add"'],
  ] as const) {
    const { code, screen } = await typed(ada.dir, ['guardian', ...words]);
    expect(code).not.toBe(0);
    expect(screen).toContain(says);
  }
});

test('the agent’s own key is no guardian', { timeout: 30_000 }, async () => {
  const house = makeHouse();
  await house.start();
  const profiles = await watsJson<{ author: string; profile: string }[]>(['profile', 'list'], {
    dir: house.dir,
  });
  const agent = profiles.find(({ profile }) => profile === 'person-agent')?.author ?? '';
  expect((await typed(house.dir, ['guardian', 'add', agent])).screen).toContain('the key of your agent');
});
