import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOLD_ORDER, type HoldFacts, holdOf, type LoopVerdict } from '../../src/waking/index.ts';

const ANN = 'c'.repeat(64);
const NOW = Date.UTC(2026, 10, 30, 12);
const MIN = 60_000;
const CLEAR: LoopVerdict = { kind: 'clear', turns: 2, limit: 30, other: ANN };
const PAUSED: LoopVerdict = { kind: 'paused', turns: 31, limit: 30, other: ANN };

const free: HoldFacts = {
  halt: null,
  author: ANN,
  filter: { localAuthors: [], ignoreLocal: true, allow: null },
  takenAt: [],
  authorPerHour: 0,
  loop: () => CLEAR,
};

describe('holdOf', () => {
  it('holds nothing when no rule applies', () => {
    expect(holdOf(free, NOW)).toBeNull();
  });

  it('holds every wake while halted, a heartbeat too', () => {
    expect(holdOf({ ...free, halt: 'h1', author: null }, NOW)).toEqual({ rule: 'halted', saw: 'h1' });
  });

  it('looks at allow and ignore_local again when the wake is taken', () => {
    const { filter } = free;
    expect(holdOf({ ...free, filter: { ...filter, allow: ['d'] } }, NOW)).toEqual({
      rule: 'not_allowed',
      saw: ANN,
      limit: 1,
    });
    expect(holdOf({ ...free, filter: { ...filter, localAuthors: [ANN] } }, NOW)).toEqual({
      rule: 'ignored_local',
      saw: ANN,
    });
  });

  it('holds an author over the hourly cap until the oldest counted wake is an hour old', () => {
    const takenAt = [NOW - 61 * MIN, NOW - 10 * MIN, NOW - 50 * MIN];
    expect(holdOf({ ...free, takenAt, authorPerHour: 3 }, NOW)).toBeNull();
    expect(holdOf({ ...free, takenAt, authorPerHour: 2 }, NOW)).toEqual({
      rule: 'author_cap',
      saw: 2,
      limit: 2,
      until: NOW + 10 * MIN,
    });
    expect(holdOf({ ...free, takenAt, authorPerHour: 1 }, NOW)).toMatchObject({ until: NOW + 50 * MIN });
  });

  it('counts wakes that a faster clock dated in the future', () => {
    expect(holdOf({ ...free, takenAt: [NOW + 5 * MIN], authorPerHour: 1 }, NOW)).toMatchObject({ saw: 1 });
  });

  it('holds a thread that the loop detector paused', () => {
    expect(holdOf({ ...free, loop: () => PAUSED }, NOW)).toEqual({
      rule: 'loop',
      saw: 31,
      limit: 30,
      other: ANN,
    });
  });

  it('asks the loop detector only when nothing before it holds', () => {
    const loop = (): LoopVerdict => {
      throw new Error('looked up');
    };
    expect(holdOf({ ...free, loop, takenAt: [NOW], authorPerHour: 1 }, NOW)?.rule).toBe('author_cap');
    expect(holdOf({ ...free, loop, author: null }, NOW)).toBeNull();
  });

  it('answers with the first hold of the list, and holds none that no rule asks for', () => {
    const facts = fc.record({
      halted: fc.boolean(),
      notAllowed: fc.boolean(),
      local: fc.boolean(),
      capped: fc.boolean(),
      looping: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, ({ halted, notAllowed, local, capped, looping }) => {
        const hold = holdOf(
          {
            halt: halted ? 'h' : null,
            author: ANN,
            filter: { allow: notAllowed ? [] : null, localAuthors: local ? [ANN] : [], ignoreLocal: true },
            takenAt: [NOW, NOW],
            authorPerHour: capped ? 2 : 3,
            loop: () => (looping ? PAUSED : CLEAR),
          },
          NOW,
        );
        const applies = [halted, notAllowed, local, capped, looping];
        expect(hold?.rule).toBe(HOLD_ORDER.find((_, n) => applies[n]));
      }),
    );
  });

  it('is free again at the time that it names', () => {
    const times = fc.array(fc.integer({ min: NOW - 120 * MIN, max: NOW + 120 * MIN }), { maxLength: 12 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 5 }), (takenAt, authorPerHour) => {
        const facts = { ...free, takenAt, authorPerHour };
        const hold = holdOf(facts, NOW);
        if (hold?.rule !== 'author_cap') return;
        expect(holdOf(facts, hold.until)).toBeNull();
        expect(holdOf(facts, hold.until - 1)?.rule).toBe('author_cap');
      }),
    );
  });
});
