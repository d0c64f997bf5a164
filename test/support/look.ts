import { existsSync, readFileSync } from 'node:fs';

/** Waits for a condition of the outside world; the test's own timeout is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Whether a process runs, asked of the kernel and not of the code under test. */
export function runs(pid: number | undefined): boolean {
  if (pid === undefined) throw new Error('no such process was started');
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return status !== '' && !/^State:\s*[ZX]/m.test(status);
}
