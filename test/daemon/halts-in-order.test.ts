import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHalts } from '../../src/daemon/halts.ts';
import { openStore } from '../../src/store/index.ts';
import type { Post } from '../../src/swarm/index.ts';

const GUARDIAN = 'a'.repeat(64);
const STRANGER = 'b'.repeat(64);
const idOf = (n: number): string => n.toString(16).padStart(64, '0');

function post(n: number, author: string, kind: string, parent: string | null = null): Post {
  const body = {
    v: 1,
    space: 'open',
    author,
    ts: n,
    kind,
    root: parent,
    parent,
    title: '',
    text: '',
  } as const;
  return { ...body, tags: [], id: idOf(n), sig: '0'.repeat(128) };
}

/** Two halts of a guardian, the first resumed by them; a stranger resumes both, and halts too. */
const POSTS = [
  post(1, GUARDIAN, 'halt'),
  post(2, GUARDIAN, 'halt'),
  post(3, GUARDIAN, 'resume', idOf(1)),
  post(4, STRANGER, 'resume', idOf(2)),
  post(5, STRANGER, 'halt'),
];

test('a node comes to the same halt in whatever order and batches the posts arrive, and again after a restart', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(POSTS, { minLength: POSTS.length }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(4),
      (posts, batch, guardianAt) => {
        const dir = mkdtempSync(join(tmpdir(), 'wats-halts-'));
        const store = openStore(join(dir, 'wats.db'));
        const told: string[] = [];
        const open = () =>
          createHalts({
            store,
            accept: true,
            configured: [],
            onChange: (began, ended) =>
              told.push(...began.map(({ id }) => `+${id}`), ...ended.map(({ id }) => `-${id}`)),
            onDefect: (error) => {
              throw error;
            },
          });
        try {
          const halts = open();
          for (let i = 0; i < posts.length; i += batch) {
            if (guardianAt >= i && guardianAt < i + batch) {
              store.halts.addGuardian(GUARDIAN, '', 1);
              halts.refresh();
            }
            const stored = posts.slice(i, i + batch).map((each) => {
              const seq = store.append(each, 1, 'peer')?.seq ?? 0;
              return { post: each, seq, source: 'peer' } as const;
            });
            halts.stored(stored);
          }
          expect(halts.inForce()).toBe(idOf(2));
          // What was told adds up to what is in force: nobody is left with a halt that was lifted.
          const standing = new Set<string>();
          for (const line of told)
            line.startsWith('+') ? standing.add(line.slice(1)) : standing.delete(line.slice(1));
          expect([...standing]).toEqual([idOf(2)]);
          expect(open().inForce()).toBe(idOf(2));
        } finally {
          store.close();
          rmSync(dir, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('while the store cannot say, nobody is told that nothing is in force', () => {
  const dir = mkdtempSync(join(tmpdir(), 'wats-halts-'));
  const store = openStore(join(dir, 'wats.db'));
  try {
    store.halts.addGuardian(GUARDIAN, '', 1);
    let broken = false;
    const defects: unknown[] = [];
    const halts = createHalts({
      store: {
        halts: {
          ...store.halts,
          haltsBy: (author) => {
            if (broken) throw new Error('the disk is gone');
            return store.halts.haltsBy(author);
          },
        },
      },
      accept: true,
      configured: [],
      onChange: () => {},
      onDefect: (error) => defects.push(error),
    });
    const halt = post(1, GUARDIAN, 'halt');
    store.append(halt, 1, 'peer');
    broken = true;
    halts.stored([{ post: halt, seq: 1, source: 'peer' }]);
    expect(defects).toHaveLength(1);
    expect(() => halts.inForce()).toThrow('the disk is gone');
    broken = false;
    expect(halts.inForce()).toBe(idOf(1));
  } finally {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
