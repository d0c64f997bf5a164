/** Completes the chains that wait in a store, a few replies a step, and prints after each one. To be killed. */
import { writeSync } from 'node:fs';
import { openStore } from '../../../src/store/index.ts';

const store = openStore(process.argv[2] ?? '');
for (;;) {
  const { isMore } = store.completeChains(7);
  writeSync(1, isMore ? 'more\n' : 'done\n');
  if (!isMore) break;
}
// Killed by the test; when it isn't, by the end of its input.
process.stdin.resume();
