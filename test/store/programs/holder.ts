/** Holds the lock given as its argument, or says why it doesn't; ends when its stdin does. */
import { isWatsError } from '../../../src/errors/index.ts';
import { acquireLock } from '../../../src/store/index.ts';

process.stdin.once('data', () => {
  try {
    acquireLock(process.argv[2] ?? '');
    console.log('held');
  } catch (error) {
    console.log(isWatsError(error) ? error.code : String(error));
  }
});
process.stdin.on('end', () => process.exit(0));
console.log('ready');
