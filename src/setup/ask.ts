import { execFile } from 'node:child_process';
import { WatsError } from '../errors/index.ts';
import type { Answer, Ask, Machine } from './host.ts';

const ASK_MS = 30_000;
const MOST_BYTES = 1 << 20;

/** Asks a program of the person's PATH, in the directory that a project scope is about. */
export function askerOf(program: string, machine: Machine): Ask {
  return (args) =>
    new Promise((resolve, reject) => {
      const options = {
        cwd: machine.cwd,
        env: machine.env as NodeJS.ProcessEnv,
        timeout: ASK_MS,
        maxBuffer: MOST_BYTES,
        killSignal: 'SIGKILL' as const,
      };
      const child = execFile(program, [...args], options, (error, stdout, stderr) => {
        if (error === null) return resolve({ code: 0, stdout, stderr });
        if (error.code === 'ENOENT' || error.code === 'EACCES') return resolve(null);
        if (error.killed === true && child.exitCode === null)
          return reject(
            new WatsError('runtime', `${program} ${args[0] ?? ''} did not answer within ${ASK_MS / 1000} s`, {
              fix: `run "${program} ${args.join(' ')}" by hand and look at what it says`,
            }),
          );
        resolve({ code: typeof error.code === 'number' ? error.code : null, stdout, stderr });
      });
      // A program that reads its input gets none: nobody is asked anything here.
      child.stdin?.end();
    });
}

/** The last line that a program wrote, for an error; what it says is its own, and shown as text. */
export function lastWords({ stdout, stderr }: Answer): string {
  const line = (text: string): string | undefined =>
    text
      .split('\n')
      .map((each) => each.trim())
      .findLast((each) => each !== '');
  return (line(stderr) ?? line(stdout) ?? 'it said nothing').slice(0, 500);
}
