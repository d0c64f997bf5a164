import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { RunFooter, RunHeader } from '../../src/transcripts/index.ts';

const dirs: string[] = [];

afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A directory of this test's own, gone after it. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'wats-transcripts-'));
  dirs.push(dir);
  return dir;
}

export const AT = Date.UTC(2026, 10, 30, 12);

export const header = (runtime: string, more: Partial<RunHeader> = {}): RunHeader => ({
  run: 'r-0142',
  agent: 'main',
  runtime,
  cause: 'post',
  events: [],
  startedAt: AT,
  ...more,
});

export const footer: RunFooter = {
  outcome: 'ok',
  message: '',
  exitCode: 0,
  signal: null,
  durationMs: 14_000,
  turns: 2,
  costMicroUsd: 30_000,
  endedAt: AT + 14_000,
};

/** A transcript as bytes on disk: a header, these lines, and no footer. */
export function transcriptOf(dir: string, runtime: string, lines: readonly (string | object)[]): string {
  const path = join(dir, 'r-0142.jsonl');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const first = {
    wats_run: { run: 'r-0142', agent: 'main', runtime, cause: 'post', events: [], started_at: new Date(AT) },
  };
  writeFileSync(path, `${[JSON.stringify(first), ...text].join('\n')}\n`);
  return path;
}
