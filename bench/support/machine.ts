import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';

/** What else the machine did: figures of a loaded machine are worth little. */
export interface Machine {
  readonly at: string;
  readonly node: string;
  readonly system: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** Processes that ran or waited, over 1, 5 and 15 minutes. */
  readonly load: readonly number[];
}

export function machine(): Machine {
  return {
    at: new Date().toISOString(),
    node: process.version,
    system: `${platform()} ${arch()} ${release()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: loadavg().map((value) => Number(value.toFixed(2))),
  };
}

export function describeMachine({ node, system, cpu, cores, memoryGb }: Machine): string {
  return `Node ${node} · ${system} · ${cores} cores (${cpu.trim()}) · ${memoryGb} GB`;
}

export function describeLoad({ load, cores, at }: Machine): string {
  const [one = 0] = load;
  const busy = one > cores * 0.5 ? ': others are at work, so times are noisy' : '';
  return `load ${load.join(' ')} at ${at}${busy}`;
}
