import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pagesOf } from '../../components/transcript/geometry.ts';
import { linesAt, moved } from '../../components/transcript/position.ts';
import type { TranscriptEntry } from '../../src/control/index.ts';
import { Drive } from './drive.ts';
import { VIEW } from './fixture.ts';

const entry = (n: number, text: string, kind: TranscriptEntry['kind'] = 'text'): TranscriptEntry => ({
  n,
  at: null,
  kind,
  label: kind.startsWith('tool') ? 'search' : null,
  text,
  omitted: 0,
});

const many = (count: number) => Array.from({ length: count }, (_, n) => entry(n, `line ${n}`));

function reading(entries: readonly TranscriptEntry[], columns = 100, rows = 30): Drive {
  const transcript = { runId: 'r-1', total: entries.length, tail: entries };
  const drive = new Drive({ ...VIEW, transcript }, { columns, rows });
  drive.keys('1');
  while (drive.state.panel !== 'transcript') drive.keys('tab');
  return drive;
}

function grow(drive: Drive, by: readonly TranscriptEntry[]): void {
  const tail = [...drive.view.transcript.tail, ...by];
  drive.change({ transcript: { runId: 'r-1', total: tail.length, tail } });
}

const topOf = (drive: Drive) => {
  const pages = pagesOf(drive.state, drive.context);
  return linesAt(drive.state.transcript.position, pages)[0];
};

test('the end is followed until a person scrolls up, then what is read stays and the new is counted', () => {
  const drive = reading(many(200));
  expect(drive.text()).toContain('line 199');
  expect(drive.text()).toContain('following');
  drive.keys('up');
  const top = topOf(drive)?.n;
  grow(
    drive,
    Array.from({ length: 42 }, (_, at) => entry(200 + at, `line ${200 + at}`)),
  );
  expect(topOf(drive)?.n).toBe(top);
  expect(drive.text()).toContain('▼ 42 new');
  drive.keys('G');
  expect(drive.text()).toContain('line 241');
  expect(drive.text()).toContain('following');
});

test('scrolling down to the end follows it again', () => {
  const drive = reading(many(60));
  drive.keys('up', 'up', 'up');
  expect(drive.text()).not.toContain('following');
  drive.keys('down', 'down', 'down');
  expect(drive.text()).toContain('following');
});

const texts = fc.array(
  fc.string({ unit: fc.constantFrom('word ', 'a', '日本', '\n', 'é', '🧪'), maxLength: 120 }),
  {
    minLength: 5,
    maxLength: 40,
  },
);

test('the entry at the top survives every resize and everything that comes in', () => {
  const change = fc.oneof(
    fc.record({ columns: fc.integer({ min: 60, max: 200 }), rows: fc.integer({ min: 15, max: 60 }) }),
    fc.record({ add: fc.integer({ min: 1, max: 30 }) }),
  );
  fc.assert(
    fc.property(texts, fc.nat(60), fc.array(change, { maxLength: 12 }), (lines, up, changes) => {
      const drive = reading(lines.map((text, n) => entry(n, text || 'x')));
      for (let at = 0; at < up; at += 1) drive.keys('up');
      const { position } = drive.state.transcript;
      const before = drive.text();
      for (const one of changes) {
        if ('add' in one) {
          const from = drive.view.transcript.total;
          grow(
            drive,
            Array.from({ length: one.add }, (_, at) => entry(from + at, 'more')),
          );
        } else drive.resize(one.columns, one.rows);
        if (position.at === 'end') continue;
        // Near its end a taller panel is filled from above: the entry is then further down, but on screen.
        const pages = pagesOf(drive.state, drive.context);
        const shown = linesAt(drive.state.transcript.position, pages);
        expect(shown.some((line) => line.n === position.n)).toBe(true);
        if (shown[0]?.n !== position.n) expect(shown.length).toBeLessThanOrEqual(pages.height);
      }
      expect(drive.state.transcript.position).toEqual(position);
      if (changes.every((one) => !('add' in one))) {
        drive.resize(100, 30);
        expect(drive.text()).toBe(before);
      }
    }),
    { numRuns: 150 },
  );
});

test('in a long entry the words at the top stay about the same when the width changes', () => {
  const words = Array.from({ length: 1_500 }, (_, at) => `w${at}`).join(' ');
  const drive = reading([
    entry(0, 'before'),
    entry(1, words),
    ...many(50).map((one) => entry(2 + one.n, 'after')),
  ]);
  drive.keys('g');
  for (let at = 0; at < 50; at += 1) drive.keys('down');
  const word = () => Number(/w(\d+)/.exec(drive.text())?.[1]);
  const before = word();
  expect(before).toBeGreaterThan(300);
  for (const columns of [60, 200, 84, 140]) {
    drive.resize(columns, 30);
    // Within two rows of the widest.
    expect(Math.abs(word() - before)).toBeLessThan(80);
  }
  drive.resize(100, 30);
  expect(word()).toBe(before);
});

test('scrolling by lines up and down again comes back to the same rows', () => {
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 30 }),
      (lines, by, start) => {
        const drive = reading(lines.map((text, n) => entry(n, text || 'x')));
        const pages = pagesOf(drive.state, drive.context);
        const from = moved({ at: 'end' }, -start, pages);
        const up = moved(from, -by, pages);
        const top = linesAt(up, pages)[0];
        const stopped = top === undefined || (top.n === 0 && top.line === 0);
        if (stopped) return;
        expect(linesAt(moved(up, by, pages), pages)).toEqual(linesAt(from, pages));
      },
    ),
  );
});

test('a frame looks at what is on screen, not at what lies behind it', () => {
  const drive = reading(many(5_000));
  let looked = 0;
  const own = pagesOf(drive.state, drive.context);
  const pages = {
    ...own,
    rows: (one: TranscriptEntry) => {
      looked += 1;
      return own.rows(one);
    },
  };
  linesAt({ at: 'entry', n: 2_500, line: 0, of: 1 }, pages);
  linesAt({ at: 'end' }, pages);
  expect(looked).toBeLessThan(4 * pages.height);
});

test('results and thoughts fold, Enter shows them whole, and the rest stays in place', () => {
  const drive = reading([entry(0, 'first'), entry(1, 'a\nb\nc\nd\ne\nf', 'tool_result')]);
  expect(drive.text()).toContain('▸ 3 more lines');
  expect(drive.text()).not.toMatch(/^│ +f /m);
  drive.keys('enter');
  expect(drive.text()).toMatch(/^│. {2}f /m);
  drive.keys('enter');
  expect(drive.text()).toContain('▸ 3 more lines');
});

test('what was left out of an entry is fetched when it is opened', () => {
  const drive = reading([{ ...entry(0, 'start', 'tool_result'), omitted: 900 }]);
  expect(drive.text()).toContain('900 more characters');
  drive.keys('enter');
  expect(drive.effects).toContainEqual({ do: 'transcript', runId: 'r-1', from: 0, count: 1 });
  const page = { runId: 'r-1', total: 1, entries: [entry(0, 'start and the whole end', 'tool_result')] };
  drive.event({ type: 'transcript', from: 0, page });
  expect(drive.text()).toContain('and the whole end');
  // The next view has the short form again: what was fetched stays.
  drive.change({
    transcript: { ...drive.view.transcript, tail: [{ ...entry(0, 'start', 'tool_result'), omitted: 900 }] },
  });
  expect(drive.text()).toContain('and the whole end');
});

test('older entries are asked for when their place comes near, once', () => {
  const all = many(1_000);
  const drive = new Drive({ ...VIEW, transcript: { runId: 'r-1', total: 1_000, tail: all.slice(-100) } });
  while (drive.state.panel !== 'transcript') drive.keys('tab');
  drive.keys('g');
  const asked = drive.effects.filter((effect) => effect.do === 'transcript');
  expect(asked).toEqual([{ do: 'transcript', runId: 'r-1', from: 0, count: 200 }]);
  drive.keys('up');
  expect(drive.effects.filter((effect) => effect.do === 'transcript')).toHaveLength(1);
  drive.event({
    type: 'transcript',
    from: 0,
    page: { runId: 'r-1', total: 1_000, entries: all.slice(0, 200) },
  });
  expect(drive.text()).toContain('line 0');
  drive.keys('G');
  expect(drive.text()).toContain('line 999');
});

test('a new run is followed, but not while a person reads the old one', () => {
  const drive = reading(many(100));
  const next = { transcript: { runId: 'r-2', total: 1, tail: [entry(0, 'second run')] } };
  drive.keys('up');
  drive.change({ ...next, run: { ...VIEW.run!, id: 'r-2' } });
  expect(drive.text()).toContain('run r-2 is going now');
  expect(drive.text()).not.toContain('second run');
  drive.keys('G');
  expect(drive.text()).toContain('second run');
});

test('a filter shows what matches, and Esc brings back the rest around it', () => {
  const drive = reading([
    ...many(300),
    entry(300, 'needle'),
    ...many(300).map((one) => entry(301 + one.n, 'hay')),
  ]);
  drive.keys('/');
  drive.type('needle');
  expect(drive.text()).toContain('needle');
  expect(drive.text()).not.toContain('hay');
  drive.keys('enter', 'esc');
  expect(drive.text()).toContain('hay');
});

test('a past run opens from the runs and Esc goes back to the one that is going', () => {
  const drive = new Drive();
  drive.keys('3', 'down', 'enter');
  expect(drive.effects).toContainEqual({ do: 'transcript', runId: 'r-0141', from: 0, count: 200 });
  const page = { runId: 'r-0141', total: 2, entries: [entry(0, 'long ago'), entry(1, 'the end of it')] };
  drive.event({ type: 'transcript', from: 0, page });
  expect(drive.text()).toContain('long ago');
  drive.keys('esc', '1');
  expect(drive.text()).toContain('Run r-0142');
});

test('W cuts long lines at the edge, and L and H go along them and back', () => {
  const words = Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ');
  const drive = reading([entry(0, words), entry(1, '日本'.repeat(80)), entry(2, 'short')]);
  expect(drive.text()).toContain('w99');
  drive.keys('L');
  expect(drive.text()).toContain('long lines wrap: W turns that off');
  drive.keys('W');
  expect(drive.text()).toContain('w0 w1');
  expect(drive.text()).not.toContain('w99');
  for (let at = 0; at < 10; at += 1) drive.keys('L');
  expect(drive.text()).toContain('w99');
  expect(drive.text()).not.toContain('w0 w1');
  for (let at = 0; at < 10; at += 1) drive.keys('H');
  expect(drive.text()).toContain('w0 w1');
  drive.keys('L', 'W');
  expect(drive.text(), 'wrapped again, from the first cell on').toContain('w0 w1');
});
