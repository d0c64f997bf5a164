import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Event } from '../../components/state/events.ts';
import { Drive } from './drive.ts';
import { DRAFT, VIEW } from './fixture.ts';

const SMALL = { columns: 80, rows: 24 };
const LONG = { ...DRAFT, text: `${'line\n'.repeat(60)}the last line` };

function approvals(drive: Drive): unknown[] {
  return drive.sent().filter((intent) => (intent as { do: string }).do === 'approve');
}

function opened(page = DRAFT): Drive {
  const drive = new Drive(VIEW, SMALL);
  drive.drafts.set(page.id, page);
  drive.keys('enter');
  return drive;
}

function P(drive: Drive, alone = true): void {
  drive.event({ type: 'key', key: 'P', alone });
}

test('P publishes a draft that is on screen in full, with the hash of what was shown', () => {
  const drive = new Drive();
  drive.keys('enter', 'P');
  expect(drive.sent()).toEqual([{ do: 'approve', draft: 'd-77', sha256: 'a'.repeat(64) }]);
});

test('a draft that does not fit must be scrolled to its end first', () => {
  const drive = opened(LONG);
  drive.keys('P');
  expect(approvals(drive)).toEqual([]);
  expect(drive.text()).toContain('scroll to its end first');
  drive.keys('G', 'P');
  expect(approvals(drive)).toHaveLength(1);
});

test('P does nothing before the terminal has shown the draft', () => {
  const drive = new Drive();
  drive.now += 1_000;
  drive.event({ type: 'key', key: 'enter', alone: true });
  drive.answerDrafts();
  drive.now += 1_000;
  P(drive);
  expect(approvals(drive)).toEqual([]);
  drive.paint();
  drive.now += 1_000;
  P(drive);
  expect(approvals(drive)).toHaveLength(1);
});

test('two P in one chunk, a pasted P and a held P publish nothing', () => {
  const drive = opened();
  drive.keys('G');
  drive.now += 1_000;
  P(drive, false);
  P(drive, false);
  drive.event({ type: 'paste', text: 'P' });
  for (let repeats = 0; repeats < 40; repeats += 1) {
    drive.now += 33;
    P(drive);
    drive.paint();
  }
  expect(approvals(drive)).toEqual([]);
  drive.now += 1_000;
  P(drive);
  expect(approvals(drive)).toHaveLength(1);
});

test('a P held since before the draft was there does not publish it when it comes', () => {
  const drive = new Drive();
  drive.keys('enter');
  drive.event({ type: 'key', key: 'esc', alone: true });
  drive.event({ type: 'key', key: 'enter', alone: true });
  for (let repeats = 0; repeats < 5; repeats += 1) {
    drive.now += 100;
    P(drive);
  }
  drive.answerDrafts();
  for (let repeats = 0; repeats < 20; repeats += 1) {
    drive.paint();
    drive.now += 100;
    P(drive);
  }
  expect(approvals(drive)).toEqual([]);
});

test('an edit is shown as a diff, has to be read to its end, and is what is published', () => {
  const drive = opened();
  drive.keys('G', 'e');
  expect(drive.effects).toContainEqual({ do: 'edit', text: DRAFT.text, for: 'draft' });
  const text = `${DRAFT.text}\n${'another line\n'.repeat(30)}and \u001b[31mred`;
  drive.event({ type: 'edited', for: 'draft', text });
  drive.paint();
  expect(drive.text()).toContain('edited by you');
  drive.keys('P');
  expect(approvals(drive)).toEqual([]);
  drive.keys('G');
  expect(drive.text()).toContain('+ and ␛[31mred');
  drive.keys('P');
  expect(approvals(drive)).toEqual([
    { do: 'approve', draft: 'd-77', sha256: 'a'.repeat(64), text: text.replace('\u001b', '␛') },
  ]);
});

test('other bytes under the same draft must be read again', () => {
  const drive = opened(LONG);
  drive.keys('G');
  drive.event({ type: 'draft', id: DRAFT.id, page: { ...LONG, sha256: 'b'.repeat(64) } });
  drive.paint();
  drive.keys('P');
  expect(approvals(drive)).toEqual([]);
});

test('a draft that expired or was decided is not published', () => {
  for (const page of [
    { ...DRAFT, expiresAt: 0 },
    { ...DRAFT, state: 'rejected' as const },
  ]) {
    const drive = opened(page);
    drive.keys('G', 'P');
    expect(approvals(drive)).toEqual([]);
  }
});

test('a draft that another terminal decided is asked for again, and not published', () => {
  const drive = opened();
  drive.keys('G');
  drive.drafts.set(DRAFT.id, { ...DRAFT, state: 'rejected' });
  const rows = VIEW.drafts.rows.filter((row) => row.id !== DRAFT.id);
  drive.change({ drafts: { total: rows.length, rows } });
  drive.answerDrafts();
  drive.paint();
  expect(drive.text()).toContain('rejected already');
  drive.keys('P');
  expect(approvals(drive)).toEqual([]);
});

test('only drafts read to their end can be marked, and all of them go out after their count was typed', () => {
  const drive = new Drive();
  drive.drafts.set('d-78', { ...DRAFT, id: 'd-78', sha256: 'c'.repeat(64) });
  drive.keys('space');
  expect(drive.text()).toContain('opened to its end');
  drive.keys('enter', 'space', 'n', 'space', 'esc', 'A');
  expect(drive.text()).toContain('type 2 to publish all of them');
  drive.keys('3', 'enter');
  expect(approvals(drive)).toEqual([]);
  drive.keys('backspace', '2', 'enter');
  expect(approvals(drive)).toEqual([
    { do: 'approve', draft: 'd-77', sha256: 'a'.repeat(64) },
    { do: 'approve', draft: 'd-78', sha256: 'c'.repeat(64) },
  ]);
});

test('the count of several drafts cannot be pasted or come in a chunk', () => {
  const drive = new Drive();
  drive.keys('enter', 'space', 'esc', 'A');
  drive.event({ type: 'paste', text: '1\r' });
  drive.event({ type: 'key', key: '1', alone: false });
  drive.event({ type: 'key', key: 'enter', alone: false });
  drive.keys('enter');
  expect(approvals(drive)).toEqual([]);
});

test('x asks for a reason and u takes the rejection back', () => {
  const drive = new Drive();
  drive.keys('x');
  drive.type('too long');
  drive.keys('enter');
  const reject = { do: 'reject', draft: 'd-77', reason: 'too long' } as const;
  expect(drive.sent()).toEqual([reject]);
  drive.event({ type: 'result', intent: reject, result: { ok: true, text: 'rejected' } });
  drive.keys('u');
  expect(drive.sent()).toContainEqual({ do: 'unreject', draft: 'd-77' });
});

const key = fc.constantFrom(
  'enter',
  'P',
  'G',
  'g',
  'n',
  'N',
  'tab',
  'space',
  'esc',
  'A',
  '1',
  '2',
  'e',
  'x',
  '?',
  'down',
  'a',
  'j',
);

test('nothing but single typed keys ever publishes', () => {
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc.record({ type: fc.constant('key' as const), key, alone: fc.constant(false) }),
    fc.record({
      type: fc.constant('paste' as const),
      text: fc.constantFrom('P', 'PP', '\rGP', '1\r', 'enter'),
    }),
    fc.record({ type: fc.constant('click' as const), x: fc.nat(79), y: fc.nat(23) }),
    fc.record({
      type: fc.constant('wheel' as const),
      by: fc.constantFrom(-1, 1),
      x: fc.nat(79),
      y: fc.nat(23),
    }),
    fc.constant({ type: 'world' as const }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.boolean(), (events, startOpen) => {
      const drive = startOpen ? opened() : new Drive(VIEW, SMALL);
      for (const one of events) {
        drive.now += 1_000;
        drive.event(one);
        drive.answerDrafts();
        drive.paint();
      }
      expect(approvals(drive)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('another key takes away what was said of a refused P, and the frame offers P again', () => {
  const drive = new Drive(VIEW, SMALL);
  drive.drafts.set('d-77', LONG);
  for (const [key, alone] of [
    ['enter', true],
    ['G', true],
    ['P', false],
  ] as const) {
    drive.event({ type: 'key', key, alone });
    drive.answerDrafts();
    drive.paint();
  }
  expect(drive.text()).toContain('P came with other input');
  drive.event({ type: 'key', key: 'N', alone: true });
  expect(drive.text()).not.toContain('P came with other input');
  expect(drive.text()).toContain('P publishes this');
});

test('whatever is pressed, a draft goes out only by a lone P after a frame that offered it', () => {
  const likely = fc.oneof(
    { weight: 6, arbitrary: fc.constant('P') },
    { weight: 3, arbitrary: fc.constantFrom('G', 'enter') },
    { weight: 2, arbitrary: key },
  );
  const press = fc.record({
    key: likely,
    alone: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    painted: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    after: fc.constantFrom(20, 90, 400, 900),
  });
  let published = 0;
  fc.assert(
    fc.property(fc.array(press, { maxLength: 60 }), (presses) => {
      const drive = new Drive(VIEW, SMALL);
      drive.drafts.set('d-77', LONG);
      drive.drafts.set('d-78', { ...DRAFT, id: 'd-78', sha256: 'c'.repeat(64) });
      let frame = drive.text();
      let lastP: number | null = null;
      for (const one of presses) {
        drive.now += one.after;
        const before = approvals(drive).length;
        const single = drive.state.dialog?.kind === 'draft';
        drive.event({ type: 'key', key: one.key, alone: one.alone });
        if (single && approvals(drive).length > before) {
          published += 1;
          expect(one).toMatchObject({ key: 'P', alone: true });
          expect(frame).toMatch(/P publish/);
          expect(lastP === null || drive.now - lastP >= 700).toBe(true);
        }
        lastP = one.key === 'P' ? drive.now : null;
        drive.answerDrafts();
        if (one.painted) {
          drive.paint();
          frame = drive.text();
        }
      }
    }),
    { numRuns: 400 },
  );
  // Or the property would hold of a screen that never publishes.
  expect(published).toBeGreaterThan(5);
});
