import { afterEach, expect, test, vi } from 'vitest';
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

test('while the editor has the terminal nothing is written, and what came is said after it', async () => {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const { controls, clock, press } = mount({ openEditor: () => promise });
  await press('d', 'reads a draft in full');
  await press('1', 'e edits it');
  clock.now += 1_000;
  terminal.type('e');
  await vi.waitFor(() => expect(terminal.raw).toBe(false));
  const before = terminal.written;
  controls.change({ alerts: [{ code: 'halt', text: 'halted by a guardian', fix: null }] });
  terminal.type('P');
  await new Promise((done) => setTimeout(done, 20));
  expect(terminal.written).toBe(before);
  resolve(null);
  await terminal.until('ALERT halt: halted by a guardian');
  expect(terminal.raw).toBe(true);
  expect(controls.sent).toEqual([]);
});

test('a command of ours and a suspended job get the terminal as it was, and give it back', async () => {
  const ran: (readonly string[])[] = [];
  let raw: boolean | null = null;
  const { press } = mount({
    runCommand: (args) => {
      ran.push(args);
      raw = terminal.raw;
      return Promise.resolve(0);
    },
    suspend: () => {
      raw = terminal.raw;
      return Promise.resolve();
    },
  });
  await press('7', 'K acknowledges');
  await press('K', /K acknowledges[\s\S]*K acknowledges/);
  expect(ran).toEqual([['config', 'ack']]);
  expect(raw).toBe(false);
  await press('0', 'choices: s status');
  raw = null;
  terminal.type('\x1a');
  await vi.waitFor(() => expect(raw).toBe(false));
  await vi.waitFor(() => expect(terminal.raw).toBe(true));
});

test('the whole transcript is saved to a file, and where is said', async () => {
  const saved: string[] = [];
  const { press } = mount({
    saveFile: (name, text) => {
      saved.push(text);
      return Promise.resolve(`/tmp/wats-${name}.txt`);
    },
  });
  await press('3', 'reads the transcript of a run');
  await press('1', 'entries 1 to 9 of 13');
  await press('s', 'saved /tmp/wats-run-r-0142.txt');
  expect(saved[0]).toContain('Nothing else in the inbox needs me.');
});

test('what a flood left over is read out by itself a little later', async () => {
  const { controls, clock } = mount();
  const says = (from: number, many: number) => {
    const tail = Array.from({ length: many }, (_, at) => ({
      ...ENTRIES[0]!,
      n: from + at,
      kind: 'text' as const,
      text: `line ${from + at}`,
    }));
    controls.change({ transcript: { ...VIEW.transcript, total: from + many, tail } });
  };
  says(13, 24);
  await terminal.until('agent: line 36');
  clock.now += 2_700;
  says(37, 9);
  clock.now += 5_000;
  expect(await terminal.text()).not.toContain('line 45');
  await terminal.until('agent: line 45');
});

test('a step that breaks ends the linear mode, gives the terminal back and says so', async () => {
  const errors: unknown[] = [];
  const { controls } = mount({ onError: (error) => errors.push(error) });
  controls.current = null as never;
  terminal.type('s');
  await screen?.done;
  expect(errors).toHaveLength(1);
  expect(terminal.raw).toBe(false);
  expect(controls.listening).toBe(0);
});

test('quitting asks what becomes of the run; closing a view does not', async () => {
  const { quits, press } = mount();
  await press('q', 'let the run finish');
  await press('3', 'staying');
  await press('q', /let the run finish[\s\S]*let the run finish/);
  await press('1', 'quitting');
  expect(quits).toEqual(['drain']);
});
