import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { Answer } from './raw.ts';

/** A bridge as a host runs it. */
export interface BridgeProcess {
  readonly child: ChildProcess;
  readonly lines: Answer[];
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
  say(line: string): void;
  next(fits: (line: Answer) => boolean): Promise<Answer>;
}

export interface HowToStart {
  readonly launcher: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
}

/** What any program needs; nothing that would tell the bridge where a node is. */
function pick({ PATH = '', HOME = '' }: { PATH?: string; HOME?: string }): Record<string, string> {
  return { PATH, HOME };
}

export function startBridge({ launcher, args, env = {} }: HowToStart): BridgeProcess {
  const child = spawn(process.execPath, [launcher, 'mcp', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...pick(process.env), ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {}); // some tests end the bridge while it is written to
  const lines: Answer[] = [];
  const waiting = new Set<() => void>();
  let stderr = '';
  let over = false;
  let rest = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    rest += chunk;
    const parts = rest.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((part) => JSON.parse(part)));
    for (const look of waiting) look();
  });
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      over = true;
      for (const look of waiting) look();
      resolve(code);
    });
  });
  return {
    child,
    lines,
    stderr: () => stderr,
    exited,
    say: (line) => void child.stdin.write(line),
    next: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(fits);
          if (found) resolve(found);
          else if (over) reject(new Error(`the bridge ended: ${stderr} ${JSON.stringify(lines)}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
  };
}
