/** Opens the keys of the directory given as its argument when a line comes, and prints the node seed and an author. */
import { join } from 'node:path';
import { openKeys } from '../../../src/keys/index.ts';

process.stdin.once('data', () => {
  const at = (name: string) => ({ path: join(process.argv[2] ?? '', name), moved: false });
  const keys = openKeys({ secret: at('secret'), nodeKey: at('node_key') }, () => {});
  console.log(`${Buffer.from(keys.nodeSeed).toString('hex')} ${keys.authorOf('ann')}`);
  process.exit(0);
});
console.log('ready');
