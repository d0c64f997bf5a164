import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowWidth, textOf } from '../../components/cells/cell.ts';
import { screenRows } from '../../components/layout/screen.ts';
import type { View } from '../../src/control/index.ts';
import { cellWidth } from '../../src/text/index.ts';
import { Drive } from './drive.ts';
import { DRAFT, NOW, VIEW } from './fixture.ts';
import { HITS } from './threads.ts';

const ALERTS: View['alerts'] = [
  {
    code: 'safety',
    text: 'agent.review was turned off since you last looked',
    fix: 'wats config ack agent.review',
  },
  { code: 'halt', text: 'guardian ada ordered a halt of everything at 13:40 UTC', fix: null },
  { code: 'login', text: 'claude is not logged in', fix: 'claude /login' },
];

const WIDE = fc.string({
  unit: fc.constantFrom('a', ' ', '日', 'é', '🧪', 'ش', 'ก็', '👩‍💻', '…'),
  maxLength: 60,
});
const KEYS = [
  'enter',
  'tab',
  'esc',
  '?',
  'c',
  'q',
  '/',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  's',
  '+',
  '_',
  'K',
  'D',
  'ctrl-s',
  'down',
  'up',
  'G',
  'g',
  'x',
  'S',
  'W',
  'L',
  'H',
  'w',
  'R',
  'j',
  'k',
  'n',
];

/** The fixture with a stranger's texts in every place that holds one. */
function viewWith(text: string): View {
  return {
    ...VIEW,
    alerts: ALERTS.map((alert) => ({ ...alert, text: text || 'x' })),
    drafts: { total: 90, rows: VIEW.drafts.rows.map((row) => ({ ...row, excerpt: text })) },
    posts: { total: 2, rows: VIEW.posts.rows.map((row) => ({ ...row, title: text, kind: text })) },
    log: { total: 2, rows: VIEW.log.rows.map((row) => ({ ...row, text })) },
    paused: { total: 1, rows: VIEW.paused.rows.map((row) => ({ ...row, title: text })) },
    queue: { ...VIEW.queue, verdict: text, rows: VIEW.queue.rows.map((row) => ({ ...row, hold: text })) },
    transcript: {
      ...VIEW.transcript,
      tail: VIEW.transcript.tail.map((entry) => ({
        ...entry,
        text,
        label: entry.label === null ? null : text,
      })),
    },
    run: { ...VIEW.run!, about: { ...VIEW.run!.about!, title: text } },
    agent: { ...VIEW.agent!, opens: [text], unguarded: [text], runtimeVersion: text },
    settings: {
      total: 5,
      rows: VIEW.settings.rows.map((row) => ({ ...row, value: text, source: text, acknowledged: text })),
    },
    programs: [{ name: 'claude', version: text, loggedIn: false, fix: text }],
  };
}

test('every screen is exactly as wide and as high as the terminal, whatever is on it', () => {
  fc.assert(
    fc.property(
      WIDE,
      fc.integer({ min: 1, max: 220 }),
      fc.integer({ min: 1, max: 70 }),
      fc.array(fc.constantFrom(...KEYS), { maxLength: 6 }),
      fc.boolean(),
      (text, columns, rows, keys, hasAgent) => {
        const view = viewWith(text);
        const drive = new Drive(hasAgent ? view : { ...view, agent: null }, { columns, rows });
        drive.hits = HITS.map((row) => ({ ...row, title: text, kind: text, author: text }));
        drive.drafts.set('d-77', {
          ...DRAFT,
          text: text || 'x',
          title: text,
          parent: { ...DRAFT.parent!, text, title: text },
        });
        drive.keys(...keys);
        const drawn = screenRows(drive.state, drive.context);
        expect(drawn).toHaveLength(rows);
        for (const row of drawn) {
          expect(rowWidth(row)).toBe(columns);
          // Pieces do not join into other graphemes, which would shift what follows them.
          expect(cellWidth(textOf(row))).toBe(columns);
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('what must always be there is there at 80×24', () => {
  const drive = new Drive({ ...VIEW, alerts: ALERTS }, { columns: 80, rows: 24 });
  const text = drive.text();
  for (const word of [
    'LOCKED',
    'review on',
    'today $0.42 of $2.00',
    'SAFETY',
    'HALT',
    'LOGIN',
    'Run r-0142',
    'following',
    'Drafts 3',
    'Paused threads 1',
    'Queue 3',
    '? help',
    'q quit',
  ])
    expect(text).toContain(word);
});

test('under 60×15 there is one clear line: what waits for a person, whatever else stands there', () => {
  const drive = new Drive(VIEW, { columns: 59, rows: 15 });
  const shown = () => drive.lines().filter((line) => line !== '');
  expect(shown()).toEqual(['wats ● 3 drafts · running · needs 60×15']);
  drive.change({ alerts: [{ code: 'unguarded', text: 'a long sentence '.repeat(9), fix: null }] });
  expect(shown()).toEqual(['wats ● 3 drafts · running · needs 60×15']);
  drive.change({ alerts: [{ code: 'halt', text: 'halted by ada', fix: null }] });
  expect(shown()).toEqual(['wats ● ! halt · 3 drafts · running · needs 60×15']);
  drive.resize(20, 3);
  expect(shown()).toEqual(['wats ● ! halt · 3 d…']);
});

test('the footer names only keys that do something now', () => {
  const drive = new Drive();
  const footer = () => drive.lines().at(-1) ?? '';
  expect(footer()).toContain('a approve');
  expect(footer()).toContain('S stop run');
  drive.change({ run: { ...VIEW.run!, state: 'ended', outcome: 'ok', endedAt: NOW } });
  expect(footer()).not.toContain('stop run');
  drive.keys('tab');
  expect(footer(), 'the drafts are on screen in every panel of the overview').toContain('a approve');
  drive.keys('4');
  expect(footer()).not.toContain('approve');
  drive.keys('1');
  drive.change({ drafts: { total: 0, rows: [] } });
  expect(footer()).not.toContain('approve');
  drive.change({ agent: null });
  expect(footer()).not.toContain('run');
});

test('alerts have a word each, and those without a row are counted', () => {
  const drive = new Drive({ ...VIEW, alerts: ALERTS }, { columns: 70, rows: 16 });
  expect(drive.text()).toContain('3 MORE');
  expect(drive.text()).toContain('SAFETY, HALT, LOGIN');
});

test('a bar is full only when the limit is reached, and never empty after something was spent', () => {
  const drive = (spent: number) =>
    new Drive({
      ...VIEW,
      spend: { ...VIEW.spend!, day: { ...VIEW.spend!.day, spentMicroUsd: spent } },
    }).lines()[2];
  expect(drive(0)).toContain('▱▱▱▱▱▱▱▱▱▱   month');
  expect(drive(1)).toContain('▰▱▱▱▱▱▱▱▱▱   month');
  expect(drive(1_999_999)).toContain('▰▰▰▰▰▰▰▰▰▱   month');
  expect(drive(2_000_000)).toContain('▰▰▰▰▰▰▰▰▰▰ resets 10h   month');
});

test('money booked for the run that is going is shown', () => {
  const day = { ...VIEW.spend!.day, bookedMicroUsd: 200_000 };
  expect(new Drive({ ...VIEW, spend: { ...VIEW.spend!, day } }).text()).toContain('($0.20 booked)');
});

test('what nothing guards outlives what is open when the screen is narrow', () => {
  const agent = {
    ...VIEW.agent!,
    access: 'workspace' as const,
    opens: ['/home/me/a/very/long/path/to/a/project'],
    unguarded: ['a shell'],
    review: false,
  };
  const text = new Drive({ ...VIEW, agent }, { columns: 80, rows: 24 }).text();
  expect(text).toContain('WORKSPACE');
  expect(text).toContain('unguarded: a shell');
  expect(text).toContain('review OFF');
});

test('the selected row stays the selected one when others come before it', () => {
  const drive = new Drive();
  drive.keys('4', 'down', 'down');
  expect(drive.text()).toContain('▸9c1e');
  const fresh = { ...VIEW.posts.rows[0]!, id: 'beef'.repeat(16), title: 'newer' };
  drive.change({ posts: { total: 1_205, rows: [fresh, ...VIEW.posts.rows] } });
  expect(drive.text()).toContain('▸9c1e');
});

test('quit asks: with a run going, letting it finish is the default', () => {
  const drive = new Drive();
  drive.keys('q');
  expect(drive.text()).toContain('▸ 1 let the run finish, then quit');
  drive.keys('enter');
  expect(drive.effects).toContainEqual({ do: 'quit', how: 'drain' });
  expect(drive.lines().at(-1)).toContain('QUITS WHEN THE RUN ENDS');
  drive.keys('q');
  expect(drive.text()).toContain('▸ 1 keep waiting for the run to finish');
});

test('a choice of the quit dialog keeps its meaning when a run starts meanwhile', () => {
  const drive = new Drive({ ...VIEW, run: null });
  drive.keys('q', 'down');
  expect(drive.text()).toContain('▸ 2 go on in the background');
  drive.change({ run: VIEW.run });
  expect(drive.text()).toContain('▸ 1 let the run finish, then quit');
  drive.keys('enter');
  expect(drive.effects).toContainEqual({ do: 'quit', how: 'drain' });
});

test('a key that is held confirms neither stopping a run nor quitting', () => {
  for (const key of ['S', 'q', 'x', 'A', 'c']) {
    const drive = new Drive();
    for (let repeats = 0; repeats < 30; repeats += 1) drive.keys(key);
    expect(drive.sent()).toEqual([]);
    expect(drive.effects.filter((effect) => effect.do === 'quit')).toEqual([]);
  }
});

test('in attach q closes only the view', () => {
  const drive = new Drive();
  drive.mode = 'attach';
  drive.keys('q');
  expect(drive.effects).toContainEqual({ do: 'quit', how: 'close' });
});

test('pasted text presses no key', () => {
  const drive = new Drive();
  const before = drive.state.view;
  drive.event({ type: 'paste', text: 'q\rr4cA' });
  expect(drive.sent()).toEqual([]);
  expect(drive.state.dialog).toBeNull();
  expect(drive.state.view).toBe(before);
});

test('a post is written with kind, title and text, and goes out on Enter in the text', () => {
  const drive = new Drive();
  drive.keys('4', 'R', 'right', 'enter');
  drive.type('On WAL');
  drive.keys('enter');
  drive.event({ type: 'paste', text: 'two\nlines' });
  drive.paint();
  drive.keys('enter');
  expect(drive.sent()).toEqual([
    {
      do: 'post',
      kind: 'clarify',
      parent: VIEW.posts.rows[0]!.id,
      title: 'On WAL',
      text: 'two\nlines',
      tags: [],
    },
  ]);
});
