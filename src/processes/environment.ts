import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A value of a process's environment at its start; `null` when it has none or the process can't be looked into. */
export async function environmentValue(pid: number, name: string): Promise<string | null> {
  if (process.platform !== 'linux') return valueInPs(await psWithEnvironment(pid), name);
  try {
    // Another user's processes are not ours to judge, even when root could look.
    if ((await stat(`/proc/${pid}`)).uid !== process.getuid?.()) return null;
    return valueInEnviron(await readFile(`/proc/${pid}/environ`, 'utf8'), name);
  } catch {
    // Gone, or closed to us: either way it carries nothing that we could see.
    return null;
  }
}

/** Reads `/proc/<pid>/environ`: NUL-separated `name=value`. */
export function valueInEnviron(environ: string, name: string): string | null {
  const entry = environ.split('\0').find((pair) => pair.startsWith(`${name}=`));
  return entry === undefined ? null : entry.slice(name.length + 1);
}

/**
 * Reads a line of `ps -Eww`, where the environment follows the arguments, separated by spaces. A value with a
 * space can't be told from the next variable but by the `NAME=` that follows it.
 */
export function valueInPs(line: string, name: string): string | null {
  const from = line.lastIndexOf(` ${name}=`);
  if (from === -1) return null;
  const rest = line.slice(from + name.length + 2);
  const next = / [A-Za-z_][A-Za-z0-9_]*=/.exec(rest);
  return (next === null ? rest : rest.slice(0, next.index)).trimEnd();
}

async function psWithEnvironment(pid: number): Promise<string> {
  try {
    const { stdout } = await run('ps', ['-Eww', '-o', 'command=', '-p', String(pid)], {
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } catch {
    // `ps` answers 1 when the process is gone.
    return '';
  }
}

/** Every process of this user whose `ps -Eww` line is at hand: pid → line. One call for all (macOS). */
export async function psEnvironments(): Promise<ReadonlyMap<number, string>> {
  const { stdout } = await run('ps', ['-Eww', '-x', '-o', 'pid=,command='], {
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
    maxBuffer: 256 * 1024 * 1024,
  });
  return parsePsEnvironments(stdout);
}

export function parsePsEnvironments(output: string): ReadonlyMap<number, string> {
  const lines = new Map<number, string>();
  for (const line of output.split('\n')) {
    const match = /^\s*(\d+) (.*)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) lines.set(Number(match[1]), match[2]);
  }
  return lines;
}
