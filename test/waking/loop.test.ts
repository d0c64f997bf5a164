import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectLoop, type LoopVerdict, loopLine, type NewestByOther } from '../../src/waking/index.ts';

/** A thread as a string of authors, oldest first; `me` is the agent. Seqs are spread, as in a real store. */
function thread(authors: string): { find: NewestByOther; lookups: () => number } {
  const posts = [...authors].map((author, n) => ({ seq: n * 7 + 3, author }));
  let lookups = 0;
  return {
    find: (before, not) => {
      lookups += 1;
      return posts.findLast((post) => post.seq < before && post.author !== not) ?? null;
    },
    lookups: () => lookups,
  };
}

const M = 'm'; // the agent
const verdict = (authors: string, limit: number): LoopVerdict => detectLoop(thread(authors).find, M, limit);

/** Reads the whole list, newest first, in the words of the addendum. */
function naive(authors: string, limit: number): 'off' | 'clear' | 'paused' {
  if (limit === 0) return 'off';
  const newestFirst = [...authors].reverse();
  const other = newestFirst.find((author) => author !== M);
  const third = newestFirst.findIndex((author) => author !== M && author !== other);
  const stretch = third === -1 ? newestFirst : newestFirst.slice(0, third);
  const turns = stretch.filter((author, n) => n === 0 || author !== stretch[n - 1]).length;
  return turns > limit ? 'paused' : 'clear';
}

describe('detectLoop', () => {
  it('pauses a thread after more than the limit of turns, and names the other author', () => {
    expect(verdict('xmxm', 4)).toEqual({ kind: 'clear', turns: 4, limit: 4, other: 'x' });
    expect(verdict('xmxmx', 4)).toEqual({ kind: 'paused', turns: 5, limit: 4, other: 'x' });
  });

  it('counts consecutive posts by one author as one turn, so that posting twice resets nothing', () => {
    expect(verdict('xxxmmmxmm', 4)).toMatchObject({ kind: 'clear', turns: 4 });
    expect(verdict('xxxmmmxmmxx', 4)).toMatchObject({ kind: 'paused', turns: 5 });
  });

  it('goes on as soon as any third author posts', () => {
    expect(verdict('xmxmxmz', 4)).toMatchObject({ kind: 'clear', turns: 2, other: 'z' });
  });

  it('stops at the first third author going back', () => {
    expect(verdict('xmxmxmzmxm', 4)).toMatchObject({ kind: 'clear', turns: 3, other: 'x' });
  });

  it('is no loop when two others talk and the agent does not', () => {
    expect(verdict('xyxyxyxyxy', 4)).toMatchObject({ kind: 'clear', turns: 1, other: 'y' });
  });

  it('is off at limit 0 and looks nothing up', () => {
    const { find, lookups } = thread('xmxmxmxm');
    expect(detectLoop(find, M, 0)).toEqual({ kind: 'off' });
    expect(lookups()).toBe(0);
  });

  it('needs no more look-ups for turns of a thousand posts', () => {
    const { find, lookups } = thread(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? M : 'x').repeat(1000)).join(''),
    );
    expect(detectLoop(find, M, 30)).toMatchObject({ kind: 'paused', turns: 31 });
    expect(lookups()).toBeLessThanOrEqual(32);
  });

  it('agrees with a model that reads the whole thread, within limit + 2 look-ups', () => {
    const turnsHeavy = fc.array(fc.constantFrom('m', 'x', 'mm', 'xx', 'mxmx', 'y', 'xmxmxm'), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(turnsHeavy, fc.integer({ min: 0, max: 12 }), (parts, limit) => {
        const authors = parts.join('');
        const { find, lookups } = thread(authors);
        expect(detectLoop(find, M, limit).kind).toBe(naive(authors, limit));
        expect(lookups()).toBeLessThanOrEqual(limit + 2);
      }),
      { numRuns: 5000 },
    );
  });

  it('has the log line of the addendum', () => {
    expect(loopLine('51be', 30)).toBe(
      'agent wake paused: loop detected in thread 51be (agent.loop_max_exchanges = 30)',
    );
  });
});
