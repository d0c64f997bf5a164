import { existsSync, readFileSync } from 'node:fs';

/** Ticks a second of the times in /proc/<pid>/stat; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Seconds of processor time that a process has used, in user and kernel mode, all its threads. */
export function cpuSeconds(pid: number): number {
  const stat = ofProcess(pid, 'stat');
  // The name stands in brackets and may hold blanks: fields are counted after it. 14 is utime, 15 stime.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident memory of a process in MB (2^20 bytes): what it has now, and the most it ever had. */
export function residentMb(pid: number): { readonly now: number; readonly peak: number } {
  const status = ofProcess(pid, 'status');
  const kb = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return { now: kb('VmRSS') / 1024, peak: kb('VmHWM') / 1024 };
}

function ofProcess(pid: number, file: 'stat' | 'status'): string {
  if (!existsSync('/proc/self/stat')) throw new Error('this row reads /proc, which only Linux has');
  return readFileSync(`/proc/${pid}/${file}`, 'latin1');
}

export interface Usage {
  /** Per cent of one core. */
  readonly cpu: number;
  /** MB at the end. */
  readonly rss: number;
  readonly seconds: number;
}

/** What a process uses over so many seconds. */
export async function usage(pid: number, seconds: number): Promise<Usage> {
  const from = { at: performance.now(), cpu: cpuSeconds(pid) };
  await pause(seconds * 1_000);
  const spent = (performance.now() - from.at) / 1_000;
  return { cpu: ((cpuSeconds(pid) - from.cpu) / spent) * 100, rss: residentMb(pid).now, seconds: spent };
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Waits for a condition of the outside world. */
export async function until(what: string, condition: () => unknown, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it did not happen within ${withinMs} ms: ${what}`);
    await pause(20);
  }
}
