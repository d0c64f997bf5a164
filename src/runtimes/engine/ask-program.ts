export type AskEnv = Readonly<Record<string, string | undefined>>;

const ANSWER_WITHIN_MS = 15_000;

/**
 * Asks an agent program something that it answers by itself (its version, its login). Never rejects: a program that
 * hangs, fails or is not there has given no answer.
 */
export async function askProgram(
  path: string,
  args: readonly string[],
  env: AskEnv,
  signal: AbortSignal,
): Promise<{ readonly ok: boolean; readonly stdout: string }> {
  // Only a probe needs it: a daemon without an agent does not load it.
  const { execa } = await import('execa');
  const { failed, stdout } = await execa(path, args, {
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: ANSWER_WITHIN_MS,
    cancelSignal: signal,
    maxBuffer: 1_000_000,
  });
  return { ok: !failed, stdout };
}
