import { createInterface } from 'node:readline/promises';
import { WatsError } from '../../errors/index.ts';
import { insideRun } from '../../processes/index.ts';
import type { Context } from './command.ts';

/** Whether somebody sits there who can be asked. */
export function isAttended(context: Context): boolean {
  return Boolean(context.stdin.isTTY && context.stdout.isTTY);
}

/**
 * Refuses where nobody sits, and inside a run: what an agent must not do on its own.
 * @throws WatsError `forbidden`
 */
export async function demandPerson(what: string, context: Context): Promise<void> {
  await refuseInsideRun(what, context);
  if (!isAttended(context))
    throw new WatsError('forbidden', `to ${what} needs a person at a terminal`, {
      fix: 'run it in a terminal, without a pipe',
    });
}

/** Asks a yes-or-no question on the terminal. */
export async function asked(question: string, preset: 'yes' | 'no', context: Context): Promise<boolean> {
  const prompt = createInterface({ input: context.stdin, output: context.stdout });
  try {
    const answer = (await prompt.question(`${question} ${preset === 'yes' ? '[Y/n]' : '[y/N]'} `)).trim();
    return answer === '' ? preset === 'yes' : /^y(es)?$/i.test(answer);
  } finally {
    prompt.close();
  }
}

/**
 * Refuses what is a person's to do where an agent's run does it: a process of a run, or one below it.
 * An agent with a shell of the same user can get around this; the real boundary is a sandbox or another user.
 * @throws WatsError `forbidden`
 */
export async function refuseInsideRun(what: string, context: Context): Promise<void> {
  if ((await insideRun(context.env, process.pid)) === null) return;
  throw new WatsError('forbidden', `a run of the agent does not ${what}`, {
    fix: 'a person does, in another terminal',
  });
}
