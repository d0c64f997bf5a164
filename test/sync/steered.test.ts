import { afterEach, expect, test } from 'vitest';
import type { Post } from '../../src/swarm/index.ts';
import { Author, DAY, MemoryStore, startNode, stateOf, stopAll, until } from './support.ts';

afterEach(stopAll);

/**
 * Two sets of posts of one day with the same size and the same XOR of ids, as a hostile author can make them: of 257
 * pairs, a part whose differences XOR to nothing (there always is one, ids have 256 bits).
 */
function steeredSets(author: Author): [Post[], Post[]] {
  const ts = Math.floor(Date.now() / 1000 / DAY) * DAY;
  const pairs = Array.from({ length: 257 }, () => [author.post({ ts }), author.post({ ts })] as const);
  const basis = new Map<number, { value: bigint; members: bigint }>();
  for (const [i, [left, right]] of pairs.entries()) {
    let value = BigInt(`0x${left.id}`) ^ BigInt(`0x${right.id}`);
    let members = 1n << BigInt(i);
    while (value !== 0n) {
      const top = value.toString(2).length;
      const known = basis.get(top);
      if (known === undefined) {
        basis.set(top, { value, members });
        break;
      }
      value ^= known.value;
      members ^= known.members;
    }
    if (value !== 0n) continue;
    const chosen = pairs.filter((_, k) => (members >> BigInt(k)) & 1n);
    return [chosen.map(([post]) => post), chosen.map(([, post]) => post)];
  }
  throw new Error('no dependency');
}

test('two sets that were made to look alike to an XOR of their ids are told apart, and both sides get both', async () => {
  const [left, right] = steeredSets(new Author());
  const [here, there] = [new MemoryStore(), new MemoryStore()];
  for (const post of left) here.put(post);
  for (const post of right) there.put(post);
  const xor = (posts: readonly Post[]): bigint => posts.reduce((sum, { id }) => sum ^ BigInt(`0x${id}`), 0n);
  expect(xor(left)).toBe(xor(right));
  expect(left).toHaveLength(right.length);
  const a = await startNode({ store: here });
  const b = await startNode({ store: there, peers: [a.address] });
  await until('linked', () => stateOf(a, b) === 'connected');
  await b.engine.syncNow();
  await until('both have both sets', () =>
    [here, there].every(({ posts }) => posts.size === left.length + right.length),
  );
});
