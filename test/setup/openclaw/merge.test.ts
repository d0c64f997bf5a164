import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  differing,
  inverse,
  joined,
  type Patch,
  takenBack,
  union,
} from '../../../src/setup/openclaw/merge.ts';
import { startProblem } from '../../../src/setup/openclaw/start-checks.ts';

type Json = Record<string, unknown>;

/** What `openclaw config patch` does with a patch [seen]: objects merge, the rest replaces, null deletes. */
function patched(into: Json, patch: Patch): Json {
  const out: Json = { ...into };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else if (typeof value === 'object' && !Array.isArray(value)) {
      const was = out[key];
      out[key] = patched(
        typeof was === 'object' && was !== null && !Array.isArray(was) ? (was as Json) : {},
        value as Patch,
      );
    } else out[key] = value;
  }
  return out;
}

const leaf = fc.oneof(
  fc.boolean(),
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('x', 'y'),
  fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map((list) => [...new Set(list)]),
);
const tree: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.dictionary(
    fc.constantFrom('p', 'q', 'r'),
    fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: tie('node') }),
    { maxKeys: 3, depthIdentifier: 'tree' },
  ),
})).node;
/** A patch that only adds: what setup makes. Objects stay objects. */
const fits = (now: Json, patch: Json): boolean =>
  Object.entries(patch).every(([key, value]) => {
    const was = now[key];
    const isObject = (one: unknown): one is Json =>
      typeof one === 'object' && one !== null && !Array.isArray(one);
    if (was === undefined) return !isObject(value) || (Object.keys(value).length > 0 && fits({}, value));
    return isObject(value)
      ? isObject(was) && fits(was, value)
      : !isObject(was) && Array.isArray(value) === Array.isArray(was);
  });

test('what differs is what a patch still has to say, and nothing is left to say after it', () => {
  fc.assert(
    fc.property(tree, tree, (now, wanted) => {
      const patch = differing(now, wanted);
      expect(differing(patched(now, patch), wanted)).toEqual({});
      expect(patched(now, patch)).toEqual(patched(now, wanted));
    }),
  );
  expect(differing({ a: ['x'] }, { a: ['x'], b: { c: 1 } })).toEqual({ b: { c: 1 } });
});

test('the inverse of a patch puts back what stood there', () => {
  fc.assert(
    fc.property(tree, tree, (now, wanted) => {
      fc.pre(fits(now, wanted));
      expect(patched(patched(now, wanted), inverse(now, wanted))).toEqual(now);
    }),
  );
});

test('what is taken back right away leaves every earlier value', () => {
  fc.assert(
    fc.property(tree, tree, (now, more) => {
      fc.pre(fits(now, more));
      // Lists are extended, never replaced.
      const extended = (into: Json, patch: Json): Json =>
        Object.fromEntries(
          Object.entries(patch).map(([key, value]) => {
            if (Array.isArray(value)) return [key, union(into[key], value as string[])];
            return [
              key,
              typeof value === 'object' && value !== null
                ? extended((into[key] ?? {}) as Json, value as Json)
                : value,
            ];
          }),
        );
      const patch = differing(now, extended(now, more));
      const after = patched(now, patch);
      expect(patched(after, takenBack(after, patch, inverse(now, patch)))).toEqual(now);
    }),
  );
});

test('what a person changed since stays', () => {
  const before = { list: ['mine'], size: 1 };
  const patch = { list: ['mine', 'ours'], size: 2, hooks: { on: true, ids: ['ours'] } };
  const back = inverse(before, patch);
  const now = {
    list: ['mine', 'ours', 'later'],
    size: 3,
    hooks: { on: true, ids: ['ours', 'theirs'], theirs: 1 },
  };
  expect(takenBack(now, patch, back)).toEqual({
    list: ['mine', 'later'],
    hooks: { on: null, ids: ['theirs'] },
  });
});

test('two setups in a row are taken back as one, to what stood before the first', () => {
  const before = { a: [1], b: 'x' };
  const first = { a: [1, 2], c: { d: true } };
  const middle = patched(before, first);
  const second = { a: [1, 2, 3], b: 'y', c: { e: 5 } };
  const after = patched(middle, second);
  const applied = joined(first, second);
  const back = joined(inverse(middle, second), inverse(before, first));
  expect(patched(after, takenBack(after, applied, back))).toEqual(before);
});

test('what OpenClaw checks only when it starts is checked before', () => {
  const hooks = { enabled: true, token: 'x'.repeat(64) };
  expect(startProblem({})).toBeNull();
  expect(startProblem(hooks)).toBeNull();
  expect(startProblem({ enabled: true })).toMatch(/token/);
  expect(startProblem({ ...hooks, path: '/' })).toMatch(/path/);
  expect(startProblem({ ...hooks, allowedSessionKeyPrefixes: ['wats:'] })).toMatch(/must include "hook:"/);
  expect(startProblem({ ...hooks, allowedSessionKeyPrefixes: ['wats:', 'hook:'] })).toBeNull();
  expect(
    startProblem({ ...hooks, allowedSessionKeyPrefixes: ['wats:'], defaultSessionKey: 'wats:all' }),
  ).toBeNull();
  expect(
    startProblem({ ...hooks, allowedSessionKeyPrefixes: ['wats:'], defaultSessionKey: 'mail:all' }),
  ).toMatch(/defaultSessionKey/);
  expect(startProblem({ enabled: false, path: '/' })).toBeNull();
});
