import { spawn } from 'node:child_process';
import { WatsError } from '../../errors/index.ts';
import { lastWords } from '../ask.ts';
import type { Answer } from '../host.ts';

/** Seen: 2–5 s of work a call, 6–20 s on a busy machine. */
const ANSWER_MS = 60_000;
const MOST_BYTES = 4 << 20;

/** OpenClaw's own command line. What it prints is its own: untrusted. */
export interface OpenclawCli {
  /**
   * Runs it once, with `input` on its stdin. Never rejects for a bad exit; `null` when it isn't there.
   * @throws WatsError `runtime` when it does not answer in time, or says more than anybody asked for
   */
  run(args: readonly string[], input?: string): Promise<Answer | null>;
}

/** The one of the person's PATH. @param within ms for one call */
export function openclawCli(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  within = ANSWER_MS,
): OpenclawCli {
  return {
    run: (args, input = '') =>
      new Promise((resolve, reject) => {
        const child = spawn('openclaw', [...args], { cwd, env: { ...env, NO_COLOR: '1' }, stdio: 'pipe' });
        const out = { stdout: '', stderr: '' };
        let failed: string | null = null;
        const fail = (why: string): void => {
          failed ??= why;
          child.kill('SIGKILL');
        };
        const late = setTimeout(() => fail(`did not answer within ${within / 1000} s`), within);
        for (const name of ['stdout', 'stderr'] as const)
          child[name].setEncoding('utf8').on('data', (chunk: string) => {
            out[name] += chunk;
            if (out[name].length > MOST_BYTES) fail('said more than anybody asked for');
          });
        child.on('error', (error: NodeJS.ErrnoException) => {
          clearTimeout(late);
          if (error.code === 'ENOENT' || error.code === 'EACCES') resolve(null);
          else reject(error);
        });
        child.on('close', (code) => {
          clearTimeout(late);
          if (failed === null) return resolve({ code, ...out });
          reject(
            new WatsError('runtime', `openclaw ${args.slice(0, 2).join(' ')} ${failed}`, {
              fix: `run "openclaw ${args.slice(0, 2).join(' ')}" by hand and look at what it says`,
            }),
          );
        });
        child.stdin.on('error', () => {}); // it ended without reading: its exit says more
        child.stdin.end(input);
      }),
  };
}

/** What it answered as JSON; `undefined` when that is none. */
export function jsonOf({ stdout }: Answer): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined; // plain words, for a person
  }
}

/** Why a call failed, in its own words: from the JSON of a failure, else the last line. */
export function whyOf(answer: Answer): string {
  const value = jsonOf(answer);
  if (isObject(value) && isObject(value['error']) && typeof value['error']['message'] === 'string')
    return value['error']['message'].slice(0, 500);
  if (isObject(value) && Array.isArray(value['errors']))
    return value['errors']
      .flatMap((one) => (isObject(one) && typeof one['message'] === 'string' ? [one['message']] : []))
      .join('; ')
      .slice(0, 500);
  return lastWords(answer);
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
