import { afterEach, expect, test } from 'vitest';
import { mountPlain, type PlainOptions, type Screen } from '../../components/index.tsx';
import { TestTerminal } from '../support/terminal.ts';
import { TestControls } from './controls.ts';
import { DRAFT, ENTRIES, NOW, VIEW } from './fixture.ts';

let terminal: TestTerminal;
let screen: Screen | undefined;

afterEach(async () => {
  screen?.unmount();
  await screen?.done;
  screen = undefined;
  terminal.dispose();
});

function mount(options: Partial<PlainOptions> = {}) {
  terminal = new TestTerminal(160, 60);
  const controls = new TestControls();
  const quits: string[] = [];
  const clock = { now: NOW };
  screen = mountPlain({
    controls,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    now: () => clock.now,
    mode: 'daemon',
    idPrefix: 'test',
    onQuit: (how) => quits.push(how),
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  const press = async (chunk: string, then: string | RegExp) => {
    clock.now += 1_000;
    terminal.type(chunk);
    await terminal.until(then);
  };
  return { controls, quits, clock, press };
}

test('it starts with where everything stands, in labelled lines', async () => {
  mount();
  await terminal.until('choices:');
  await expect(terminal.written).toMatchFileSnapshot('golden/plain-start.txt');
});

test('it only ever adds lines: nothing moves the cursor, colours or leaves the screen', async () => {
  const { controls, press } = mount();
  await press('d', 'reads a draft in full');
  await press('1', 'end of the draft');
  controls.change({ run: { ...VIEW.run!, state: 'ended', outcome: 'ok', endedAt: NOW } });
  await press('0', /choices: 1 to 3[\s\S]*choices: 1 to 3/);
  await press('0', 'ended, ok');
  expect(terminal.alternate).toBe(false);
  expect(terminal.written).not.toContain('\x1b');
});

test('a draft is read out in full after its post, and P publishes it', async () => {
  const { controls, press } = mount();
  await press('d', '1 to 3 reads a draft in full');
  await press('1', 'P publishes exactly this');
  const text = await terminal.text();
  for (const line of [...DRAFT.text.split('\n'), ...DRAFT.parent!.text.split('\n')])
    expect(text).toContain(line);
  await press('P', 'done: done');
  expect(controls.sent).toEqual([
    { id: 'test-1', intent: { do: 'approve', draft: 'd-77', sha256: DRAFT.sha256 } },
  ]);
});

test('pasted text, two P at once and a held P publish nothing', async () => {
  const { controls, clock, press } = mount();
  await press('d', 'reads a draft in full');
  await press('1', 'P publishes exactly this');
  clock.now += 1_000;
  terminal.type('PP');
  terminal.type('\x1b[200~P\x1b[201~');
  terminal.type('d1P\r');
  clock.now += 10;
  await press('0', /choices: 1 to 3[\s\S]*choices: 1 to 3/);
  expect(controls.sent).toEqual([]);
});

test('a rejection takes a typed reason', async () => {
  const { controls, press } = mount();
  await press('d', 'reads a draft in full');
  await press('2', 'P publishes exactly this');
  await press('x', 'reason: type it');
  await press('too vague', 'too vague');
  await press('\r', 'done: done');
  expect(controls.sent[0]?.intent).toEqual({ do: 'reject', draft: 'd-78', reason: 'too vague' });
});

test('an edit is read out as what was removed and added', async () => {
  const { controls, press } = mount({
    openEditor: (text) => Promise.resolve(text.replace('hours', 'minutes')),
  });
  await press('d', 'reads a draft in full');
  await press('1', 'P publishes exactly this');
  await press('e', 'added: - Let no reader stay open for minutes');
  expect(await terminal.text()).toContain('removed: - Let no reader stay open for hours');
  await press('P', 'done: done');
  expect(controls.sent[0]?.intent).toMatchObject({ text: DRAFT.text.replace('hours', 'minutes') });
});

test('what the agent says is added as it comes, and waits while a person chooses', async () => {
  const { controls, press } = mount();
  const more = (text: string, n: number) => ({ ...ENTRIES[0]!, n, kind: 'text' as const, text });
  controls.change({
    transcript: { ...VIEW.transcript, total: 14, tail: [...ENTRIES, more('first news', 13)] },
  });
  await terminal.until('agent: first news');
  await press('d', 'reads a draft in full');
  controls.change({
    transcript: {
      ...VIEW.transcript,
      total: 15,
      tail: [...controls.current.transcript.tail, more('later news', 14)],
    },
  });
  expect(await terminal.text()).not.toContain('later news');
  await press('0', 'agent: later news');
});

test('quitting asks what becomes of the run; closing a view does not', async () => {
  const { quits, press } = mount();
  await press('q', 'let the run finish');
  await press('3', 'staying');
  await press('q', /let the run finish[\s\S]*let the run finish/);
  await press('1', 'quitting');
  expect(quits).toEqual(['drain']);
});
