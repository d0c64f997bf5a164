import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { debounceUntil, heartbeatDue, lookAgain, timerDelay } from '../../src/schedule/index.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const MIN = 60_000;
const HOUR = 60 * MIN;

describe('debounceUntil', () => {
  it('starts with the first queued wake and is not pushed away by later ones', () => {
    expect(debounceUntil(NOON, 30_000, NOON)).toBe(NOON + 30_000);
    expect(debounceUntil(NOON, 30_000, NOON + 29_000)).toBe(NOON + 30_000);
  });

  it('is over at once when it is 0', () => {
    expect(debounceUntil(NOON, 0, NOON)).toBe(NOON);
  });

  it('is over when the clock was set back to before the wake', () => {
    expect(debounceUntil(NOON, 30_000, NOON - 5 * HOUR)).toBe(NOON - 5 * HOUR);
  });
});

describe('heartbeatDue', () => {
  it('comes one interval after heartbeats were turned on', () => {
    expect(heartbeatDue(null, HOUR, NOON)).toEqual({ due: false, missed: 0, next: NOON + HOUR, keep: NOON });
  });

  it('is never due while off, and forgets the old time', () => {
    expect(heartbeatDue(NOON - 9 * HOUR, null, NOON)).toEqual({
      due: false,
      missed: 0,
      next: null,
      keep: null,
    });
  });

  it('is due at the previous due time plus the interval, however late the run is', () => {
    expect(heartbeatDue(NOON, HOUR, NOON + HOUR - 1)).toMatchObject({ due: false, next: NOON + HOUR });
    expect(heartbeatDue(NOON, HOUR, NOON + HOUR)).toMatchObject({ due: true, missed: 0 });
    expect(heartbeatDue(NOON, HOUR, NOON + HOUR + 7 * MIN)).toEqual({
      due: true,
      missed: 0,
      next: NOON + 2 * HOUR,
      keep: NOON + HOUR,
    });
  });

  it('is one run after a sleep, and says how many were missed', () => {
    expect(heartbeatDue(NOON, HOUR, NOON + 8 * HOUR + 10 * MIN)).toEqual({
      due: true,
      missed: 7,
      next: NOON + 9 * HOUR,
      keep: NOON + 8 * HOUR,
    });
  });

  it('starts a new interval when the clock was set back', () => {
    expect(heartbeatDue(NOON, HOUR, NOON - 1000)).toEqual({
      due: false,
      missed: 0,
      next: NOON - 1000 + HOUR,
      keep: NOON - 1000,
    });
    expect(heartbeatDue(NOON + 365 * 24 * HOUR, HOUR, NOON)).toMatchObject({ next: NOON + HOUR });
  });

  it('over any life of the clock: one run per look, none twice, and the next never further than an interval', () => {
    const looks = fc.array(fc.integer({ min: -3 * 24 * HOUR, max: 12 * HOUR }), { maxLength: 40 });
    fc.assert(
      fc.property(looks, fc.integer({ min: 1, max: 26 * HOUR }), (steps, interval) => {
        let kept: number | null = null;
        let now = NOON;
        for (const step of steps) {
          now += step;
          const verdict = heartbeatDue(kept, interval, now);
          expect(verdict.next).toBeGreaterThan(now);
          expect(verdict.next).toBeLessThanOrEqual(now + interval);
          if (verdict.due && kept !== null) expect(now - kept).toBeGreaterThanOrEqual(interval);
          kept = verdict.keep;
          expect(heartbeatDue(kept, interval, now).due).toBe(false);
        }
      }),
    );
  });

  it('while the clock only goes forward, runs and missed ones add up to every interval that passed', () => {
    const looks = fc.array(fc.integer({ min: 0, max: 5 * HOUR }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(looks, fc.integer({ min: MIN, max: 3 * HOUR }), (steps, interval) => {
        let kept = heartbeatDue(null, interval, NOON).keep;
        let now = NOON;
        let count = 0;
        for (const step of steps) {
          now += step;
          const verdict = heartbeatDue(kept, interval, now);
          if (verdict.due) count += 1 + verdict.missed;
          kept = verdict.keep;
        }
        expect(count).toBe(Math.floor((now - NOON) / interval));
      }),
    );
  });
});

describe('lookAgain', () => {
  const pause = (failures: number, resetAt: number | null = null) => ({ failedAt: NOON, failures, resetAt });

  it('backs off from 10 minutes to two hours', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 2000].map((n) => (lookAgain(pause(n), NOON).at - NOON) / MIN);
    expect(minutes).toEqual([10, 20, 40, 80, 120, 120, 120]);
  });

  it('waits for the reset time that the provider named', () => {
    expect(lookAgain(pause(3, NOON + 5 * HOUR), NOON)).toEqual({
      at: NOON + 5 * HOUR,
      because: { rule: 'reset_named', saw: NOON + 5 * HOUR },
    });
  });

  it.each([NOON - 1, NOON, NOON + 9 * 24 * HOUR, Number.NaN])('does not believe a reset at %s', (resetAt) => {
    expect(lookAgain(pause(1, resetAt), NOON)).toEqual({
      at: NOON + 10 * MIN,
      because: { rule: 'backoff', saw: 1, limit: 10 * MIN },
    });
  });

  it('looks now when the clock was set back to before the failure', () => {
    expect(lookAgain(pause(1), NOON - HOUR).at).toBe(NOON - HOUR);
  });

  it('never waits for over eight days', () => {
    const resets = fc.option(fc.integer({ min: 0, max: 2 ** 45 }));
    fc.assert(
      fc.property(fc.nat(1e6), resets, fc.integer({ min: -HOUR, max: HOUR }), (failures, resetAt, passed) => {
        const now = NOON + passed;
        expect(lookAgain(pause(failures, resetAt), now).at - now).toBeLessThanOrEqual(8 * 24 * HOUR + HOUR);
      }),
    );
  });
});

describe('timerDelay', () => {
  it('sleeps until the time, at most a minute, and not at all when it has come', () => {
    expect(timerDelay(NOON + 5_000, NOON)).toBe(5_000);
    expect(timerDelay(NOON + HOUR, NOON)).toBe(60_000);
    expect(timerDelay(NOON - HOUR, NOON)).toBe(0);
  });
});
