import { existsSync } from 'node:fs';
import { isWatsError } from '../../errors/index.ts';
import type { Context, Input } from './command.ts';
import { withDaemon } from './place.ts';
import { print } from './print.ts';

export interface Answer<T> {
  readonly answer: T;
  /** Whether a daemon gave it; else it is what the directory holds. */
  readonly running: boolean;
}

/**
 * Asks the daemon; while none runs, reads what its directory holds, and says so on stderr.
 * @throws WatsError `no_daemon` when there is nothing to read either
 */
export async function askOrRead<T>(
  input: Input,
  context: Context,
  what: 'status' | 'pending' | 'runs',
  args: { readonly limit: number } = { limit: 1 },
): Promise<Answer<T>> {
  try {
    const answer = (await withDaemon(input, context, (client) => client.call(what, { ...args }))) as T;
    return { answer, running: true };
  } catch (error) {
    if (!isWatsError(error) || error.code !== 'no_daemon') throw error;
    return { answer: await read<T>(input, context, what, args, error), running: false };
  }
}

/** The code of a daemon is loaded only now: with one running nobody needs it. */
async function read<T>(
  input: Input,
  context: Context,
  what: 'status' | 'pending' | 'runs',
  args: { readonly limit: number },
  noDaemon: Error,
): Promise<T> {
  const [{ loadFor, placesFor }, { openAsleep }] = await Promise.all([
    import('./start.ts'),
    import('../../daemon/index.ts'),
  ]);
  const places = placesFor(input, context);
  if (!existsSync(places.database)) throw noDaemon;
  const { version, user, now } = context;
  const asleep = openAsleep(places, loadFor(places, new Map(), context), { version, user, now });
  try {
    const answer = asleep[what](args) as T;
    print(context.stderr, `no wats daemon is running on ${places.dir}: this is what it left there`);
    return answer;
  } finally {
    asleep.close();
  }
}
