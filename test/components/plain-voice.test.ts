import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caughtUp, firstVoice, listen, missedFrom } from '../../components/plain/voice.ts';
import { ENTRIES, NOW, VIEW } from './fixture.ts';
import { PlainDrive } from './plain-drive.ts';

const ended = { ...VIEW.run!, state: 'ended' as const, outcome: 'ok', endedAt: NOW };

test('entries are read out as they come', () => {
  const drive = new PlainDrive();
  expect(drive.says({ text: 'one' }, { text: 'two' })).toBe('agent: one\nagent: two\n');
  expect(drive.says({ text: 'three' })).toBe('agent: three\n');
});

test('a flood is counted instead, and its newest entries are read out now and then', () => {
  const drive = new PlainDrive();
  let said = 0;
  for (let tick = 0; tick < 100; tick += 1) {
    drive.now += 100;
    const lines = drive.says(...Array.from({ length: 10 }, (_, at) => ({ text: `line ${tick * 10 + at}` })));
    said += lines.split('\n').filter((line) => line.startsWith('agent: ')).length;
  }
  expect(said, 'of 1000 lines in ten seconds').toBeLessThan(70);
  expect(said).toBeGreaterThan(30);
  expect(drive.text).toMatch(/\(\d+ entries not read out\)\nagent: line \d+/);
  expect(drive.text, 'what is read out is the newest').toContain('agent: line 9');
});

test('what a flood left waiting is read out though nothing else happens', () => {
  const drive = new PlainDrive();
  drive.says(...Array.from({ length: 24 }, (_, at) => ({ text: `line ${at}` })));
  expect(drive.says({ text: 'and the last one' })).toBe('');
  expect(drive.wakeAt).toBeGreaterThan(drive.now);
  drive.now = drive.wakeAt ?? 0;
  drive.event({ type: 'world' });
  expect(drive.text).toContain('agent: and the last one');
  expect(drive.wakeAt).toBeNull();
});

test('t holds the transcript, T reads what was missed, t reads it out again', () => {
  const drive = new PlainDrive();
  const more = Array.from({ length: 30 }, (_, at) => ({ text: `held ${at}` }));
  expect(drive.keys('t')).toContain('the transcript is held');
  expect(drive.says(...more)).toBe('');
  const caught = drive.keys('T');
  expect(caught).toContain('transcript of r-0142: entries 14 to 22 of 43');
  expect(caught).toContain('1: agent: held 0');
  drive.keys(' ', ' ', ' ', '0');
  expect(drive.text).toContain('agent: held 29');
  expect(drive.keys('T')).toContain('everything was read out');
  drive.keys('t');
  expect(drive.says({ text: 'heard again' })).toBe('agent: heard again\n');
});

test('T goes on where it was left, and what was passed over by a jump to the end stays missed', () => {
  const drive = new PlainDrive();
  drive.keys('t');
  drive.says(...Array.from({ length: 30 }, (_, at) => ({ text: `held ${at}` })));
  drive.keys('T', '0');
  expect(drive.keys('T')).toContain('1: agent: held 9');
  drive.keys('G');
  expect(drive.text).toContain('agent: held 29');
  expect(drive.keys('0', 'T')).toContain('1: agent: held 18');
});

test('the choices stay in reach while a run floods: nothing of it is read out elsewhere', () => {
  const drive = new PlainDrive();
  drive.keys('d');
  for (let tick = 0; tick < 50; tick += 1) expect(drive.says(...ENTRIES)).toBe('');
  expect(drive.keys('1')).toContain('end of the draft\nchoices:');
  const back = drive.keys('0', '0');
  expect(back).toMatch(/\(\d+ entries not read out\)/);
  expect(back.split('\n').length).toBeLessThan(60);
});

test('a run is announced, heard, and its end told with what it cost', () => {
  const drive = new PlainDrive({ ...VIEW, run: ended, transcript: { runId: 'r-0142', total: 0, tail: [] } });
  const run = { ...VIEW.run!, id: 'r-0143', startedAt: NOW };
  const tail = [{ ...ENTRIES[0]!, kind: 'text' as const, text: 'hello' }];
  expect(drive.change({ run, transcript: { runId: 'r-0143', total: 1, tail } })).toBe(
    'run: r-0143 for ask 9c1e, WAL or rollback journal?, going for 0:00, $0.03\nagent: hello\n',
  );
  expect(drive.change({ run: { ...run, state: 'ended', outcome: 'ok' } })).toMatch(
    /^run: r-0143 ended, ok, \$0\.03\nspend: today/,
  );
});

test('an entry of a thousand lines, and a line of a million characters, are cut and counted', () => {
  const drive = new PlainDrive();
  expect(drive.says({ text: 'x\n'.repeat(1_000) }).split('\n').length).toBeLessThan(15);
  drive.now += 60_000;
  const line = drive.says({ text: 'y'.repeat(1_000_000) });
  expect(line.length).toBeLessThan(1_000);
  expect(line).toContain('(999400 more characters)');
});

test('whatever comes when, lines a minute are bounded and every entry is read out or counted once', () => {
  const tick = fc.record({
    entries: fc.integer({ min: 0, max: 60 }),
    after: fc.integer({ min: 0, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.array(tick, { maxLength: 80, size: 'max' }), (ticks) => {
      let now = NOW;
      let total = 0;
      let voice = firstVoice({ runId: 'r', total: 0, tail: [] }, now);
      let spoken = 0;
      let counted = 0;
      for (const { entries, after } of ticks) {
        now += after;
        total += entries;
        const from = Math.max(0, total - 120);
        const tail = Array.from({ length: total - from }, (_, at) => ({
          ...ENTRIES[0]!,
          kind: 'text' as const,
          text: 'word',
          n: from + at,
        }));
        const heard = listen(voice, { runId: 'r', total, tail }, now);
        voice = heard.voice;
        spoken += heard.lines.filter((line) => line === 'agent: word').length;
        for (const line of heard.lines) counted += Number(/^\((\d+) entr/.exec(line)?.[1] ?? 0);
      }
      expect(spoken + counted).toBe(voice.next);
      expect(spoken).toBeLessThanOrEqual(24 + 1 + ((now - NOW) / 1_000) * 3);
      const missed = missedFrom(voice, { runId: 'r', total, tail: [] });
      if (counted > 0) expect(missed).not.toBeNull();
      expect(missedFrom(caughtUp(voice, 'r', 0, total), { runId: 'r', total, tail: [] })).toBeNull();
    }),
  );
});
