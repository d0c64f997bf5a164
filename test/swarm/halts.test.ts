import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HaltFacts, type HaltPost, haltsInForce } from '../../src/swarm/index.ts';

const none: HaltFacts = { halts: [], resumes: [], guardians: new Set(['g']), lifted: new Set() };
const halt = (id: string, author = 'g', ts = 100): HaltPost => ({ id, author, ts });
const ids = (facts: Partial<HaltFacts>): string[] => haltsInForce({ ...none, ...facts }).map(({ id }) => id);

describe('a halt', () => {
  test('of a guardian is in force', () => expect(ids({ halts: [halt('h')] })).toEqual(['h']));

  test('of anybody else is not', () => expect(ids({ halts: [halt('h', 'stranger')] })).toEqual([]));

  test('is lifted by a resume of the same guardian with that halt as parent', () =>
    expect(ids({ halts: [halt('h')], resumes: [{ author: 'g', parent: 'h' }] })).toEqual([]));

  test('is not lifted by another guardian, nor by a stranger', () => {
    const guardians = new Set(['g', 'g2']);
    for (const author of ['g2', 'stranger'])
      expect(ids({ guardians, halts: [halt('h')], resumes: [{ author, parent: 'h' }] })).toEqual(['h']);
  });

  test('is not lifted by a resume of another halt, or of nothing', () => {
    for (const parent of ['h2', null])
      expect(ids({ halts: [halt('h')], resumes: [{ author: 'g', parent }] })).toEqual(['h']);
  });

  test('is lifted at this node by a person, and a later one of the same guardian holds again', () =>
    expect(ids({ halts: [halt('h'), halt('later', 'g', 200)], lifted: new Set(['h']) })).toEqual(['later']));

  test('stops counting with its guardian', () =>
    expect(ids({ halts: [halt('h')], guardians: new Set() })).toEqual([]));

  test('comes first that was ordered first', () =>
    expect(ids({ halts: [halt('b', 'g', 7), halt('a', 'g', 7), halt('c', 'g', 3)] })).toEqual([
      'c',
      'a',
      'b',
    ]));
});

const AUTHORS = ['g1', 'g2', 'stranger'];
const author = fc.constantFrom(...AUTHORS);
const name = fc.constantFrom('h1', 'h2', 'h3', 'h4');
const history = fc.record({
  halts: fc.uniqueArray(fc.record({ id: name, author, ts: fc.nat(3) }), { selector: ({ id }) => id }),
  resumes: fc.array(fc.record({ author, parent: fc.option(name) })),
  lifted: fc.uniqueArray(name).map((list) => new Set(list)),
});
const guardians = new Set(['g1', 'g2']);

test('the order in which posts arrive never matters', () => {
  fc.assert(
    fc.property(
      history.chain((facts) =>
        fc.record({
          facts: fc.constant(facts),
          halts: fc.shuffledSubarray(facts.halts, { minLength: facts.halts.length }),
          resumes: fc.shuffledSubarray(facts.resumes, { minLength: facts.resumes.length }),
        }),
      ),
      ({ facts, halts, resumes }) => {
        expect(haltsInForce({ ...facts, halts, resumes, guardians })).toEqual(
          haltsInForce({ ...facts, guardians }),
        );
      },
    ),
  );
});

test('exactly those are in force that a guardian ordered and neither they nor a person here lifted', () => {
  fc.assert(
    fc.property(history, (facts) => {
      const inForce = haltsInForce({ ...facts, guardians }).map(({ id }) => id);
      for (const { id, author: by } of facts.halts) {
        const own = facts.resumes.filter((resume) => resume.author === by && resume.parent === id);
        expect(inForce.includes(id)).toBe(by !== 'stranger' && own.length === 0 && !facts.lifted.has(id));
      }
      expect(new Set(inForce).size).toBe(inForce.length);
    }),
  );
});

test('whatever strangers post changes nothing', () => {
  fc.assert(
    fc.property(history, (facts) => {
      const without = {
        ...facts,
        halts: facts.halts.filter(({ author: by }) => by !== 'stranger'),
        resumes: facts.resumes.filter(({ author: by }) => by !== 'stranger'),
      };
      expect(haltsInForce({ ...facts, guardians })).toEqual(haltsInForce({ ...without, guardians }));
    }),
  );
});
