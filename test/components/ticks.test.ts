import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headline } from '../../components/panels/headline.ts';
import { titleSequence } from '../../components/screen/terminal.ts';
import { nextTick } from '../../components/screen/ticks.ts';
import { firstState } from '../../components/state/state.ts';
import { NOW, VIEW } from './fixture.ts';

const IDLE = { ...VIEW, run: null };

test('an idle screen is drawn again at the full minute and not before', () => {
  expect(nextTick(IDLE, firstState(IDLE), Date.UTC(2026, 0, 1, 0, 0, 14))).toBe(46_000);
  expect(nextTick(IDLE, firstState(IDLE), Date.UTC(2026, 0, 1, 0, 1, 0))).toBe(60_000);
});

test('while a run is going its clock moves once a second, in step with its start', () => {
  expect(nextTick(VIEW, firstState(VIEW), NOW + 300)).toBe(700);
  fc.assert(
    fc.property(fc.nat(10_000_000), (later) => {
      const now = NOW + later;
      const due = now + nextTick(VIEW, firstState(VIEW), now);
      const whole = (due - VIEW.run!.startedAt) % 1_000 === 0 || due % 60_000 === 0;
      expect(due - now <= 1_000 && (whole || due - now === 20)).toBe(true);
    }),
  );
});

test('a line about what happened goes when its time is over', () => {
  const state = { ...firstState(IDLE), notice: { tone: 'ok' as const, text: 'done', until: NOW + 6_000 } };
  expect(nextTick(IDLE, state, NOW)).toBe(6_000);
  expect(nextTick(IDLE, state, NOW + 6_000)).toBe(40_000);
});

test('an alert that stands for ever is not in the title', () => {
  const alerts = [
    { code: 'unguarded', text: 'x', fix: null },
    { code: 'daemon_gone', text: 'y', fix: null },
  ] as const;
  expect(headline({ ...IDLE, drafts: { total: 0, rows: [] }, alerts })).toBe('wats ● ! daemon gone');
  expect(headline({ ...IDLE, drafts: { total: 0, rows: [] }, alerts: alerts.slice(0, 1) })).toBe('wats');
});

test('the title says what waits, and cannot carry a sequence', () => {
  expect(headline({ ...IDLE, drafts: { total: 0, rows: [] } })).toBe('wats');
  expect(headline({ ...VIEW, alerts: [{ code: 'halt', text: 'x', fix: null }] })).toBe(
    'wats ● ! halt · 3 drafts · running',
  );
  expect(titleSequence('a\x1b]0;b\x07c')).toBe('\x1b]2;a]0;bc\x07');
});
