import { afterEach, expect, test } from 'vitest';
import { mountScreen, type Screen, type ScreenOptions } from '../../components/index.tsx';
import { TestTerminal } from '../support/terminal.ts';
import { DRAFT_TEXT, NOW, TestControls, VIEW } from './fixture.ts';

let terminal: TestTerminal;
let screen: Screen | undefined;

afterEach(async () => {
  screen?.unmount();
  await screen?.done;
  screen = undefined;
  terminal.dispose();
});

function mount(options: Partial<ScreenOptions> = {}, columns = 120, rows = 40, view = VIEW) {
  terminal = new TestTerminal(columns, rows);
  const controls = new TestControls(view);
  const quits: string[] = [];
  const errors: unknown[] = [];
  const clock = { now: NOW };
  screen = mountScreen({
    controls,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    now: () => clock.now,
    mode: 'daemon',
    theme: 'none',
    idPrefix: 'test',
    maxFps: 1_000,
    onQuit: (how) => quits.push(how),
    onError: (error) => errors.push(error),
    ...options,
  });
  /** A key as a person presses it: some time after the one before. */
  const press = (chunk: string) => {
    clock.now += 1_000;
    terminal.type(chunk);
  };
  return { controls, quits, errors, clock, press };
}

for (const [columns, rows] of [
  [120, 40],
  [80, 24],
] as const) {
  const golden = (name: string) => `golden/${name}-${columns}x${rows}.txt`;

  test(`a working day at ${columns}×${rows}`, async () => {
    mount({ openEditor: () => Promise.resolve(null) }, columns, rows);
    await expect(await terminal.until('Drafts 3')).toMatchFileSnapshot(golden('overview'));
  });

  test(`a draft beside or under its post at ${columns}×${rows}`, async () => {
    const { press } = mount({ openEditor: () => Promise.resolve(null) }, columns, rows);
    await terminal.until('Drafts 3');
    press('\r');
    await expect(await terminal.until(/scroll to the end to publish|P publishes this/)).toMatchFileSnapshot(
      golden('draft'),
    );
  });

  test(`the help at ${columns}×${rows}`, async () => {
    const { press } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('?');
    await expect(await terminal.until('type to find')).toMatchFileSnapshot(golden('help'));
  });

  test(`quitting while a run is going at ${columns}×${rows}`, async () => {
    const { press } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('q');
    await expect(await terminal.until('let the run finish')).toMatchFileSnapshot(golden('quit'));
  });

  test(`trouble at ${columns}×${rows}`, async () => {
    mount({}, columns, rows, {
      ...VIEW,
      alerts: [
        { code: 'halt', text: 'guardian ada ordered a halt of everything at 13:40 UTC', fix: null },
        { code: 'safety', text: 'agent.review was turned off', fix: 'wats config ack agent.review' },
      ],
      agent: {
        ...VIEW.agent!,
        access: 'workspace',
        opens: ['files of /home/me/project'],
        unguarded: ['a shell (Bash)', 'the network'],
        review: false,
        paused: true,
      },
      spend: {
        ...VIEW.spend!,
        day: { ...VIEW.spend!.day, spentMicroUsd: 2_000_000, bookedMicroUsd: 200_000 },
      },
      run: { ...VIEW.run!, state: 'ended', outcome: 'error', endedAt: NOW - 3 * 60_000 },
      queue: { ...VIEW.queue, verdict: 'paused: day budget, resets 00:00 UTC' },
    });
    await expect(await terminal.until('HALT')).toMatchFileSnapshot(golden('trouble'));
  });

  test(`the first start, without an agent, at ${columns}×${rows}`, async () => {
    const empty = { total: 0, rows: [] };
    mount({}, columns, rows, {
      ...VIEW,
      agent: null,
      spend: null,
      run: null,
      transcript: { runId: null, total: 0, tail: [] },
      drafts: empty,
      paused: empty,
      runs: empty,
      queue: { ...empty, verdict: null, until: null },
    });
    await expect(await terminal.until('WATCHING')).toMatchFileSnapshot(golden('first-start'));
  });
}

test('each list has its view', async () => {
  const { press } = mount({}, 80, 24);
  await terminal.until('Drafts 3');
  const seen: string[] = [];
  for (const [key, title] of [
    ['2', 'Drafts 3'],
    ['3', 'Runs 5 of 142'],
    ['4', 'Posts 5 of 1204'],
    ['5', 'Peers 4'],
    ['6', 'Log 4 of 812'],
  ] as const) {
    press(key);
    seen.push(await terminal.until(title), '');
  }
  await expect(seen.join('\n')).toMatchFileSnapshot('golden/views-80x24.txt');
});

test('Enter, then P: the draft is published, and the screen says how it ended', async () => {
  const { controls, press } = mount();
  controls.answer = () => ({ ok: true, text: 'published as 3f2a91' });
  await terminal.until('Drafts 3');
  press('\r');
  await terminal.until('P publishes this');
  press('P');
  await terminal.until('✓ published as 3f2a91');
  expect(controls.sent).toEqual([
    { id: 'test-1', intent: { do: 'approve', draft: 'd-77', sha256: 'a'.repeat(64) } },
  ]);
});

test('a chunk with two P, a bracketed paste of P and a mouse click on the word publish nothing', async () => {
  const { controls, press } = mount();
  await terminal.until('Drafts 3');
  press('m');
  await terminal.until('clicks are on');
  press('\r');
  await terminal.until('P publishes this');
  press('PP');
  await terminal.until('P came with other input');
  press('\x1b[200~P\x1b[201~');
  await terminal.until('pasted text does nothing here');
  press('\x1b[<0;100;39M');
  press('g');
  await terminal.until('P publishes this');
  press('\x1b[BP');
  await terminal.until('P came with other input');
  expect(controls.sent).toEqual([]);
  press('P');
  await terminal.until('done');
  expect(controls.sent).toHaveLength(1);
});

test('P right behind the Enter that opens a draft comes too early', async () => {
  const { controls, clock } = mount();
  await terminal.until('Drafts 3');
  clock.now += 1_000;
  terminal.type('\r');
  clock.now += 10;
  terminal.type('P');
  await terminal.until((text) => text.includes('P publishes this') || text.includes('press'));
  expect(controls.sent).toEqual([]);
});

test('every key press has an id of its own', async () => {
  const { controls, press } = mount();
  await terminal.until('Drafts 3');
  press('r');
  press('r');
  await terminal.until('done');
  expect(controls.sent.map((one) => one.id)).toEqual(['test-1', 'test-2']);
});

test('the editor gets the terminal, and its text comes back as a diff', async () => {
  const during: boolean[] = [];
  const { controls, press } = mount({
    openEditor: async (text) => {
      await terminal.until(() => !terminal.alternate);
      during.push(terminal.alternate, terminal.raw);
      return text.replace('hours', 'minutes');
    },
  });
  await terminal.until('Drafts 3');
  press('e');
  const text = await terminal.until('edited by you');
  expect(during).toEqual([false, false]);
  expect(terminal.alternate).toBe(true);
  expect(terminal.raw).toBe(true);
  expect(text).toMatch(/- - Let no reader stay open for hours/);
  expect(text).toMatch(/\+ - Let no reader stay open for minutes/);
  await terminal.until('P publishes this');
  press('P');
  await terminal.until('done');
  expect(controls.sent[0]?.intent).toMatchObject({
    do: 'approve',
    text: DRAFT_TEXT.replace('hours', 'minutes'),
  });
});

test('^Z gives the terminal away while the job is stopped', async () => {
  let goOn: () => void = () => undefined;
  const { press } = mount({
    suspend: () =>
      new Promise((resolve) => {
        goOn = resolve;
      }),
  });
  await terminal.until('Drafts 3');
  press('\x1a');
  await terminal.until(() => !terminal.alternate);
  expect(terminal.raw).toBe(false);
  goOn();
  await terminal.until('Drafts 3');
  expect(terminal.alternate).toBe(true);
});

test('y copies by OSC 52 and says so', async () => {
  const { press } = mount();
  await terminal.until('Drafts 3');
  press('y');
  await terminal.until('copied 4 characters');
  expect(terminal.written).toContain(`\x1b]52;c;${Buffer.from('d-77').toString('base64')}\x07`);
});

test('the wheel scrolls the transcript, and clicks reach panels only when they are on', async () => {
  const { press } = mount({}, 100, 24);
  await terminal.until('Drafts 3');
  press('m');
  await terminal.until('clicks are on');
  expect(terminal.written).toContain('\x1b[?1000h');
  press('\x1b[<0;10;6M');
  await terminal.until('╭▸Run r-0142');
  press('\x1b[<64;10;6M');
  await terminal.until('G to the end');
  press('m');
  await terminal.until('clicks are off');
  expect(terminal.written).toContain('\x1b[?1000l');
});

test('thirty random sizes leave no garbage', async () => {
  const { controls } = mount({}, 100, 30);
  await terminal.until('Drafts 3');
  let seed = 7;
  const random = (from: number, to: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from + (seed % (to - from + 1));
  };
  for (let at = 0; at < 30; at += 1) terminal.resize(random(40, 180), random(8, 60));
  terminal.resize(120, 40);
  controls.change({});
  const clean = await terminal.until('? help');
  const after = await terminal.until(
    (text) => text.startsWith(' wats 0.1.0') && text.includes('╰') && text === clean,
  );
  const first = after;
  screen?.unmount();
  await screen?.done;
  terminal.dispose();
  mount();
  expect(await terminal.until('Drafts 3')).toBe(first);
});

test('a terminal that is gone closes the screen, and nothing else', async () => {
  const { controls, errors } = mount();
  await terminal.until('Drafts 3');
  terminal.break();
  controls.change({ drafts: { total: 0, rows: [] } });
  await screen?.done;
  expect(errors).toEqual([]);
  expect(controls.listening).toBe(0);
});

test('a screen that breaks is taken down, the terminal is restored, and the daemon hears of it', async () => {
  const { controls, errors } = mount();
  await terminal.until('Drafts 3');
  controls.change({ node: null as never });
  await screen?.done;
  expect(errors).toHaveLength(1);
  await terminal.until(() => !terminal.alternate);
  expect(controls.listening).toBe(0);
  // Later changes of the view reach nobody.
  controls.change({});
  expect(errors).toHaveLength(1);
});

test('unmounting gives back the alternate screen, raw mode, wheel and title', async () => {
  mount({ setTitle: true });
  await terminal.until('Drafts 3');
  expect(terminal.alternate).toBe(true);
  expect(terminal.written).toContain('\x1b]2;wats ● 3 drafts · running\x07');
  screen?.unmount();
  await screen?.done;
  await terminal.until(() => !terminal.alternate);
  expect(terminal.raw).toBe(false);
  expect(terminal.written).toContain('\x1b[?1007r');
  expect(terminal.written).toContain('\x1b[23;2t');
});

test('what does not change writes nothing', async () => {
  const { controls } = mount();
  await terminal.until('Drafts 3');
  const written = terminal.written.length;
  for (let at = 0; at < 5; at += 1) {
    controls.change({});
    await terminal.until('Drafts 3');
  }
  expect(terminal.written.slice(written)).toBe('');
});
