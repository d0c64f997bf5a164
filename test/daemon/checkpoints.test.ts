import { expect, test } from 'vitest';
import { createCheckpoints } from '../../src/daemon/checkpoints.ts';

/** A log of so many pages, and a reader thread that moves as many of them as a test says. */
function made(pages: number, moved: () => number = () => Number.POSITIVE_INFINITY) {
  const log = { pages, waiting: pages };
  const failures: unknown[] = [];
  let calls = 0;
  const checkpoints = createCheckpoints({
    store: { logState: () => ({ ...log }) },
    reader: {
      async checkpoint() {
        calls += 1;
        await new Promise((resolve) => setImmediate(resolve));
        log.waiting = Math.max(0, log.waiting - moved());
      },
    },
    failed: (error) => failures.push(error),
  });
  return { checkpoints, log, failures, calls: () => calls };
}

test('posts of others wait while a long log is emptied, and not for a short one', async () => {
  const short = made(7_999);
  await short.checkpoints.room();
  expect(short.calls()).toBe(0);

  const long = made(8_000);
  let hasRoom = false;
  const room = long.checkpoints.room().then(() => {
    hasRoom = true;
  });
  await Promise.resolve();
  expect([hasRoom, long.calls()]).toEqual([false, 1]);
  await room;
  expect(long.log.waiting).toBe(0);
  // It is as long as before until somebody writes, but there is nothing to move.
  await long.checkpoints.room();
  expect(long.calls()).toBe(1);
});

test('a log that cannot be emptied, or a thread that fails, holds posts up a few times and no longer', async () => {
  const read = made(9_000, () => 10);
  await read.checkpoints.room();
  expect(read.calls()).toBe(3);

  const failing = made(9_000, () => {
    throw new Error('the disk is full');
  });
  await failing.checkpoints.room();
  expect(failing.failures).toHaveLength(3);
});

test('tidying empties what is worth it, once at a time', async () => {
  const small = made(999);
  small.checkpoints.tidy();
  expect(small.calls()).toBe(0);

  const grown = made(1_000);
  grown.checkpoints.tidy();
  grown.checkpoints.tidy();
  expect(grown.calls()).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  grown.checkpoints.tidy();
  expect(grown.calls()).toBe(1);
});
