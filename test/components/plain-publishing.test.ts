import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HELD_MS, QUIET_MS } from '../../components/dialogs/guard.ts';
import { graphemesOf } from '../../components/keys/names.ts';
import { spoken } from '../../components/plain/spoken.ts';
import type { DraftPage, Intent, View } from '../../src/control/index.ts';
import { DRAFT, VIEW } from './fixture.ts';
import { PlainDrive } from './plain-drive.ts';

const LONG: DraftPage = { ...DRAFT, text: `${'line\n'.repeat(90)}the last line` };

function opened(page = DRAFT): PlainDrive {
  const drive = new PlainDrive();
  drive.data.drafts.set(page.id, page);
  drive.keys('d', '1');
  return drive;
}

const approvals = (drive: PlainDrive) => drive.sent().filter((intent) => intent.do === 'approve');

test('P publishes what was read out, with the hash of it', () => {
  const drive = opened();
  drive.keys('P');
  expect(drive.sent()).toEqual([{ do: 'approve', draft: 'd-77', sha256: DRAFT.sha256 }]);
});

test('a long draft is read out part by part, and only its end lets it be published', () => {
  const drive = opened(LONG);
  expect(drive.text).not.toContain('the last line');
  expect(drive.text).not.toContain('P publishes exactly this');
  expect(drive.keys('P')).toContain('hear it to its end first');
  expect(drive.keys(' ')).toMatch(/^\(\d+ more lines: Space reads on\)$/m);
  drive.keys('P');
  expect(approvals(drive)).toEqual([]);
  expect(drive.keys(' ')).toContain('the last line\nend of the draft\nchoices: P publishes exactly this');
  drive.keys('P');
  expect(approvals(drive)).toHaveLength(1);
});

test('reading it again from the beginning asks for its end once more', () => {
  const drive = opened(LONG);
  drive.keys(' ', ' ', 'l', 'P');
  expect(approvals(drive)).toEqual([]);
});

test('a P with others, a pasted one, a held one and one with a line end publish nothing', () => {
  const drive = opened();
  drive.chunk('PP');
  drive.chunk('\x1b[200~P\x1b[201~');
  drive.chunk('P\r');
  drive.chunk('P', 20);
  for (let repeats = 0; repeats < 40; repeats += 1) drive.chunk('P', 33);
  drive.chunk('P', 300);
  expect(drive.text).toContain('not published: P was held or repeated');
  expect(drive.text.match(/not published/g)?.length, 'a held key is told of once').toBeLessThan(5);
  expect(approvals(drive)).toEqual([]);
  drive.chunk('P', HELD_MS);
  expect(approvals(drive)).toHaveLength(1);
});

test('a P held since before the draft was there does not publish it when it comes', () => {
  const drive = new PlainDrive();
  drive.slow = true;
  drive.keys('d', '1');
  for (let repeats = 0; repeats < 5; repeats += 1) drive.chunk('P', 100);
  for (const event of drive.later.splice(0)) drive.event(event);
  for (let repeats = 0; repeats < 20; repeats += 1) drive.chunk('P', 100);
  expect(drive.text).toContain('end of the draft');
  expect(approvals(drive)).toEqual([]);
});

test('an edit is read out as what changed, and that is published', () => {
  const drive = opened();
  drive.edit = (text) => `${text.replace('hours', 'minutes')}\nand \u001b[31mred\n`;
  const said = drive.keys('e');
  expect(said).toContain('removed: - Let no reader stay open for hours');
  expect(said).toContain('added: - Let no reader stay open for minutes');
  expect(said).toContain('added: and ␛[31mred');
  drive.keys('P');
  const text = `${DRAFT.text.replace('hours', 'minutes')}\nand ␛[31mred`;
  expect(drive.sent()).toEqual([{ do: 'approve', draft: 'd-77', sha256: DRAFT.sha256, text }]);
});

test('an edit of a draft that was not read to its end is read out in full', () => {
  const drive = opened(LONG);
  drive.edit = (text) => `${text}\nmore`;
  expect(drive.keys('e')).toContain('added: more');
  drive.keys('P');
  expect(approvals(drive)).toEqual([]);
  drive.keys(' ', ' ', ' ');
  expect(drive.text).toContain('the last line\nmore\nend of the draft');
  drive.keys('P');
  expect(approvals(drive)).toHaveLength(1);
});

test('a draft that expired, was decided, or that another terminal decides meanwhile is not published', () => {
  for (const page of [
    { ...DRAFT, expiresAt: 0 },
    { ...DRAFT, state: 'rejected' as const },
  ]) {
    const drive = opened(page);
    expect(drive.keys('P')).toMatch(/rejected already|has expired/);
    expect(approvals(drive)).toEqual([]);
  }
  const drive = opened();
  const rows = VIEW.drafts.rows.filter(({ id }) => id !== 'd-77');
  drive.change({ drafts: { total: rows.length, rows } });
  expect(drive.keys('P')).toContain('it waits no more');
  expect(approvals(drive)).toEqual([]);
});

test('frames and braille of a draft are named, so that nothing of it goes unheard', () => {
  const drive = opened({ ...DRAFT, text: '╭────╮ ⠋ done' });
  expect(drive.text).toContain('text: ⟨U+256D⟩⟨U+2500 ×4⟩⟨U+256E⟩ ⟨U+280B⟩ done\n');
});

/** Whatever a person, a paste, a cat on the keyboard or the swarm does. */
const act = fc.oneof(
  { weight: 14, arbitrary: fc.record({ is: fc.constant('chunk' as const), chunk: chunks(), after: gaps() }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('keys' as const), keys: ways() }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('view' as const), gone: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('said' as const), many: fc.integer({ min: 1, max: 80 }) }),
  },
);

function chunks() {
  const keys = fc.constantFrom(
    ...'ddnnnNPPPPPPPxeuccR112213456789lgGsyTtwrpSKaq0?/    \r\r\r\x7f\x1b\x03\x13\x1a',
  );
  return fc.oneof(
    { weight: 12, arbitrary: keys },
    {
      weight: 1,
      arbitrary: fc.constantFrom('PP', 'd1P\r', 'P\r', '\x1b[200~P\x1b[201~', '\x1b[A', 'so\nit\n'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    { weight: 1, arbitrary: fc.constant('hello ╭──╮ ⠋\x1b[31m\nP') },
  );
}

/** Ways to where something can be published: chance alone seldom gets there. */
function ways() {
  return fc.constantFrom(
    ['c', '1', '\r', 'x', '\r'],
    ['n', ' ', ' ', ' '],
    ['d', '1', ' ', ' ', ' ', 'e'],
    ['d', '3'],
  );
}

function gaps() {
  return fc.constantFrom(1_000, 1_000, 1_000, 1_000, 700, 300, 100, 79, 33, 0);
}

const HOSTILE = '╭──╮│ ⠋⠙ ';
const hostileView: View = {
  ...VIEW,
  drafts: {
    ...VIEW.drafts,
    rows: VIEW.drafts.rows.map((row) => ({ ...row, excerpt: HOSTILE + row.excerpt })),
  },
  posts: { ...VIEW.posts, rows: VIEW.posts.rows.map((row) => ({ ...row, title: HOSTILE + row.title })) },
  log: { ...VIEW.log, rows: VIEW.log.rows.map((row) => ({ ...row, text: HOSTILE + row.text })) },
};

test('whatever comes in whatever order, only what was read to its end is published, by one lone key', () => {
  const counts = { approve: 0, post: 0 };
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60, size: 'max' }), fc.boolean(), (acts, readOnly) => {
      const drive = new PlainDrive(hostileView, { readOnly });
      drive.data.drafts.set('d-77', { ...DRAFT, text: `${HOSTILE}\n${LONG.text}` });
      drive.edit = (text) => `${text}\nedited ${HOSTILE}\x1b[2J`;
      let sincePublish = Number.POSITIVE_INFINITY;
      for (const one of acts) {
        const before = drive.sent().length;
        const heard = drive.text;
        if (one.is === 'view') {
          const alerts = one.gone ? [{ code: 'daemon_gone', text: 'gone', fix: null } as const] : [];
          drive.change({ alerts });
        } else if (one.is === 'said') {
          drive.says(...Array.from({ length: one.many }, () => ({ text: `${HOSTILE}\x1b]0;t\x07` })));
        } else if (one.is === 'keys') {
          sincePublish = Number.POSITIVE_INFINITY;
          drive.keys(...one.keys);
        } else {
          sincePublish += one.after;
          drive.chunk(one.chunk, one.after);
        }
        for (const intent of drive.sent().slice(before)) {
          expect(readOnly).toBe(false);
          if (intent.do !== 'approve' && intent.do !== 'post') continue;
          counts[intent.do] += 1;
          expect(one).toMatchObject({ is: 'chunk', chunk: 'P' });
          expect(one.is === 'chunk' && one.after).toBeGreaterThanOrEqual(QUIET_MS);
          expect(sincePublish).toBeGreaterThanOrEqual(HELD_MS);
          expectHeard(drive, intent, heard);
        }
        // Another key in between: a P that was held has been let go.
        if (one.is === 'chunk' && graphemesOf(one.chunk).length === 1)
          sincePublish = one.chunk === 'P' ? 0 : Number.POSITIVE_INFINITY;
      }
      if (readOnly) {
        const acting = drive.effects.filter(({ do: what }) => ['send', 'command', 'edit'].includes(what));
        expect(acting).toEqual([]);
      }
      expect(drive.text).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u2500-\u257f\u2800-\u28ff]/,
      );
      expect(drive.text.length).toBeLessThan(400_000);
    }),
    { numRuns: 1_000 },
  );
  // The property holds of something.
  expect(counts.approve).toBeGreaterThan(50);
  expect(counts.post).toBeGreaterThan(10);
});

/** Everything that an intent would publish stands in what was read out, its end after it. */
function expectHeard(drive: PlainDrive, intent: Intent & { do: 'approve' | 'post' }, heard: string): void {
  const lines = new Set(heard.split('\n').map((line) => line.replace(/^(text|added|title): /, '')));
  const page = intent.do === 'approve' ? drive.data.drafts.get(intent.draft) : undefined;
  const text = intent.text ?? page?.text ?? '';
  for (const line of spoken(text).split('\n')) expect(lines).toContain(line);
  if (page !== undefined) {
    expect(intent).toMatchObject({ sha256: page.sha256 });
    const end = heard.lastIndexOf('end of the draft');
    expect(end).toBeGreaterThan(heard.lastIndexOf('Space reads on)'));
  } else expect(heard.trimEnd()).toMatch(/end of the post/);
}
