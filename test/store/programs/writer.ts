/** Appends posts and judges them without end, and prints each number once it was acknowledged. To be killed. */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openStore } from '../../../src/store/index.ts';

const hex = (word: string): string => createHash('sha256').update(word).digest('hex');
const store = openStore(process.argv[2] ?? '');
store.people.addAgent('main', hex('agent'));
for (let n = store.posts.count() + 1; ; n++) {
  store.append(
    {
      v: 1,
      space: 'open',
      author: hex('ann'),
      ts: n,
      kind: 'ask',
      root: null,
      parent: null,
      title: '',
      text: `post ${n}`,
      tags: [],
      id: hex(`post ${n}`),
      sig: hex('sig').repeat(2),
    },
    n,
    'own',
  );
  writeSync(1, `${n}\n`);
  if (n % 3 === 0) store.wakes.step('main', 2, n, () => ({ verdict: 'wake', rule: 'ask' }));
}
