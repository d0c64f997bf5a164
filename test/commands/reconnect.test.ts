import { expect, test } from 'vitest';
import { type Link, reconnecting } from '../../src/commands/support/reconnect.ts';
import { WatsError } from '../../src/errors/index.ts';
import { TestControls } from '../components/controls.ts';
import { NOW, VIEW } from '../components/fixture.ts';

interface Held extends Link {
  readonly controls: TestControls;
  drop(): void;
  isClosed: boolean;
}

function link(version: string): Held {
  let drop: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    drop = resolve;
  });
  const held: Held = {
    controls: new TestControls({ ...VIEW, version }),
    closed,
    drop,
    isClosed: false,
    close: () => {
      held.isClosed = true;
      drop();
    },
  };
  return held;
}

/** A dialer that gives out what it has, in order; an error is thrown. Waits end when the test says so. */
function dialer(...answers: (Held | Error)[]) {
  const waits: { readonly ms: number; readonly over: () => void }[] = [];
  return {
    waits,
    connect: async () => {
      const answer = answers.shift() ?? new WatsError('no_daemon', 'no wats daemon is running');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    now: () => NOW,
    wait: (ms: number) => new Promise<void>((over) => waits.push({ ms, over })),
    async pass() {
      waits.shift()?.over();
      await new Promise((done) => setImmediate(done));
    },
  };
}

const settled = () => new Promise((done) => setImmediate(done));

test('while the daemon is away its last view stays under an alert, and nothing that is asked is lost silently', async () => {
  const first = link('1');
  const dial = dialer(first);
  const controls = await reconnecting(dial);
  let changes = 0;
  controls.subscribe(() => {
    changes += 1;
  });
  first.drop();
  await settled();
  expect(changes).toBe(1);
  expect(controls.view().alerts[0]).toMatchObject({
    code: 'daemon_gone',
    text: 'the daemon has gone away; this is what it last said, at 14:02 UTC',
  });
  expect(controls.view().drafts).toEqual(VIEW.drafts);
  expect(await controls.send('a', { do: 'run' })).toMatchObject({ ok: false, code: 'no_daemon' });
  await expect(controls.page({ page: 'draft', id: 'd-77' })).rejects.toMatchObject({ code: 'no_daemon' });
  expect(first.controls.sent).toEqual([]);
  controls.close();
});

test('it dials with growing waits, at most four seconds apart, and shows the daemon that answers', async () => {
  const [first, second] = [link('1'), link('2')];
  const no = new WatsError('no_daemon', 'nobody');
  const dial = dialer(first, no, no, no, no, no, no, second);
  const controls = await reconnecting(dial);
  first.drop();
  await settled();
  const waits: number[] = [];
  while (controls.view().version !== '2') {
    waits.push(dial.waits[0]?.ms ?? 0);
    await dial.pass();
  }
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  expect(controls.view().alerts).toEqual([]);
  second.controls.change({ version: '2.1' });
  expect(controls.view().version).toBe('2.1');
  await controls.send('b', { do: 'run' });
  expect(second.controls.sent).toHaveLength(1);
  controls.close();
  expect(second.isClosed).toBe(true);
});

test('a daemon of another version is told from none', async () => {
  const first = link('1');
  const dial = dialer(first, new WatsError('protocol', 'the daemon speaks control protocol 2, this wats 1'));
  const controls = await reconnecting(dial);
  first.drop();
  await settled();
  await dial.pass();
  expect(controls.view().alerts[0]?.fix).toMatch(/another version of wats is back/);
  await dial.pass();
  expect(controls.view().alerts[0]?.fix).toMatch(/connects again by itself/);
  controls.close();
});

test('a view that was closed meanwhile opens nothing again', async () => {
  const [first, second] = [link('1'), link('2')];
  const dial = dialer(first, second);
  const controls = await reconnecting(dial);
  first.drop();
  await settled();
  controls.close();
  await dial.pass();
  expect(second.isClosed).toBe(false);
  expect(dial.waits).toEqual([]);
});

test('where nobody answers the first time there is no view', async () => {
  await expect(reconnecting(dialer())).rejects.toMatchObject({ code: 'no_daemon' });
});
