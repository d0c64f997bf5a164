import { WatsError } from '../../errors/index.ts';
import { isWritable, WRITABLE_KINDS } from '../../swarm/index.ts';
import { nearest } from '../../text/index.ts';

/** A kind that a person may write. @throws WatsError `usage` with the nearest one */
export function kindOf(word: string): string {
  if (isWritable(word)) return word;
  const near = nearest(word, WRITABLE_KINDS);
  throw new WatsError('usage', `there is no kind "${word}"`, {
    fix: near === undefined ? `one of: ${WRITABLE_KINDS.join(', ')}` : `did you mean ${near}?`,
  });
}
