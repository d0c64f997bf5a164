import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** One process as the kernel lists it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Session id; 0 where the system does not tell it (macOS). */
  readonly session: number;
  readonly zombie: boolean;
  readonly startToken: string;
}

const run = promisify(execFile);

/** `ps` prints local times and words in the user's language unless told otherwise; a token must not depend on either. */
const PS_ENV = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC0' };

/** Every process that this user may see. */
export async function readTable(): Promise<readonly ProcessRow[]> {
  if (process.platform !== 'linux') return parsePs(await ps(['-ax']));
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const row = readProcStat(Number(name));
    if (row !== null) rows.push(row);
  }
  return rows;
}

/** One process, or `null` when no such process exists. */
export async function readRow(pid: number): Promise<ProcessRow | null> {
  if (process.platform === 'linux') return readProcStat(pid);
  return parsePs(await ps(['-p', String(pid)]))[0] ?? null;
}

function readProcStat(pid: number): ProcessRow | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'), bootId());
  } catch {
    // Gone between two looks: exactly what `null` says.
    return null;
  }
}

let knownBootId: string | undefined;
function bootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return knownBootId;
}

/** Reads a line of `/proc/<pid>/stat`. The program's name comes second and may hold spaces and brackets. */
export function parseStat(line: string, boot: string): ProcessRow | null {
  const pid = Number.parseInt(line, 10);
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  // Counted from 1 as proc(5) does, `fields[0]` is number 3: state, parent, group, session, and 22 the start.
  const [state, parent, group, session] = fields;
  const start = fields[22 - 3];
  if (!Number.isSafeInteger(pid) || state === undefined || start === undefined) return null;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
    startToken: `${boot}:${start}`,
  };
}

async function ps(selection: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('ps', [...selection, '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
      env: PS_ENV,
    });
    return stdout;
  } catch (error) {
    // `ps -p` answers 1 and nothing when the process is gone; a missing `ps` is a defect of the machine.
    if (error instanceof Error && 'code' in error && error.code === 1) return '';
    throw error;
  }
}

/** Reads `ps -o pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePs(output: string): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of output.split('\n')) {
    const [pid, parent, group, state, ...start] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || start.length === 0) continue;
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      zombie: state.startsWith('Z'),
      startToken: start.join(' '),
    });
  }
  return rows;
}
