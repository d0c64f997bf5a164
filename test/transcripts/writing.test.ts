import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendRun,
  createTranscript,
  type EndedRun,
  LIMITS,
  openTranscriptFile,
  prune,
  readRuns,
  repairTranscripts,
  toRemove,
  transcriptPath,
} from '../../src/transcripts/index.ts';
import { AT, footer, header, tempDir } from './helpers.ts';

const room = new URL('../../src/transcripts/index.ts', import.meta.url).href;
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n');

describe('a transcript', () => {
  it('is a header, the lines of the program as they are, and a footer', () => {
    const path = transcriptPath(tempDir(), 'r-0142');
    const transcript = createTranscript(path, header('claude', { events: ['ab'] }));
    expect(transcript.line('{"type": "x",  "é": 1}')).toBe('written');
    expect(transcript.line('plain \t text\r')).toBe('written');
    expect(transcript.end(footer)).toBe('written');
    expect(linesOf(path)).toEqual([
      '{"wats_run":{"run":"r-0142","agent":"main","runtime":"claude","cause":"post","events":["ab"],"started_at":"2026-11-30T12:00:00.000Z"}}',
      '{"type": "x",  "é": 1}',
      'plain \t text\r',
      '{"wats_end":{"outcome":"ok","message":"","exit_code":0,"signal":null,"duration_ms":14000,"turns":2,"cost_micro_usd":30000,"ended_at":"2026-11-30T12:00:14.000Z"}}',
      '',
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('has each line in the file when the call returns, so that kill -9 loses none that was taken', async () => {
    const path = transcriptPath(tempDir(), 'r-9');
    const program = `
      const { createTranscript } = await import(${JSON.stringify(room)});
      const t = createTranscript(${JSON.stringify(path)}, ${JSON.stringify(header('command'))});
      for (let n = 0; ; n += 1) { t.line('line ' + n); process.stdout.write(n + '\\n'); await new Promise(setImmediate); }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let acknowledged = -1;
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line);
      if (acknowledged === 500) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(acknowledged).toBeGreaterThanOrEqual(500);
    const lines = linesOf(path);
    for (let n = 0; n <= acknowledged; n += 1) expect(lines[n + 1]).toBe(`line ${n}`);
    expect(repairTranscripts(join(path, '..'))).toEqual([{ run: 'r-9', cutBytes: expect.any(Number) }]);
  });

  it('cannot be ended by its program', async () => {
    const path = transcriptPath(tempDir(), 'r-1');
    const transcript = createTranscript(path, header('command'));
    transcript.line('{"wats_end":{"outcome":"ok","message":"all is well"}}');
    const file = await openTranscriptFile(path);
    expect(file.ended()).toBe(false);
    transcript.line('{"wats_run":{"run":"r-2"}}');
    transcript.end({ ...footer, outcome: 'timeout', message: 'It took too long.' });
    await file.refresh();
    expect(file.ended()).toBe(true);
    expect(file.tail(3).map(({ kind, text }) => [kind, text])).toEqual([
      ['text', ' {"wats_end":{"outcome":"ok","message":"all is well"}}'],
      ['text', ' {"wats_run":{"run":"r-2"}}'],
      ['error', 'ended: timeout · 0:14 · 2 turns · $0.03\nIt took too long.'],
    ]);
    await file.close();
  });

  it('takes no line over 8 MiB and no more than 64 MiB, and still gets its footer', () => {
    const path = transcriptPath(tempDir(), 'r-big');
    const transcript = createTranscript(path, header('command'));
    expect(transcript.line('x'.repeat(LIMITS.lineBytes + 1))).toBe('full');
    const line = 'y'.repeat(LIMITS.lineBytes - 1);
    const written = Array.from({ length: 9 }, () => transcript.line(line));
    expect(written).toEqual([...Array(7).fill('written'), 'full', 'full']);
    expect(transcript.end(footer)).toBe('written');
    expect(statSync(path).size).toBeLessThan(64 * 1024 * 1024);
  });

  it('is not written over', () => {
    const path = transcriptPath(tempDir(), 'r-1');
    createTranscript(path, header('command')).end(footer);
    expect(() => createTranscript(path, header('command'))).toThrow(/cannot be made: EEXIST/);
  });

  it('tells of a disk that takes no more, never throws, and ends with whole lines and a footer', async () => {
    const path = transcriptPath(tempDir(), 'r-1');
    const program = `
      const { createTranscript } = await import(${JSON.stringify(room)});
      const t = createTranscript(${JSON.stringify(path)}, ${JSON.stringify(header('command'))});
      const written = [];
      do written.push(t.line('x'.repeat(3000))); while (written.at(-1) === 'written' && written.length < 99);
      written.push(t.line('late'), t.end(${JSON.stringify(footer)}));
      console.log(JSON.stringify([written, t.failure()?.code]));`;
    // A limit on the size of files, in blocks of 512 or 1,024 bytes: the kernel refuses what goes beyond.
    const args = ['-c', 'ulimit -f 16 && exec "$0" --input-type=module -e "$1"', process.execPath, program];
    const child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const output = await text(child.stdout);
    const [written, code] = JSON.parse(output) as [string[], string];
    const took = written.indexOf('failed');
    expect(took).toBeGreaterThanOrEqual(2);
    expect(written).toEqual([...Array(took).fill('written'), 'failed', 'failed', 'written']);
    expect(code).toBe('EFBIG');
    const lines = linesOf(path);
    expect(lines.slice(1, 1 + took)).toEqual(Array(took).fill('x'.repeat(3000)));
    expect(lines[1 + took]).toMatch(/^\{"wats_end":.*\}$/);
    expect(lines).toHaveLength(took + 3);
  });

  it('refuses an id that is a path', () => {
    expect(() => transcriptPath('/x', '../../etc/passwd')).toThrow('There is no run ../../etc/passwd.');
  });
});

describe('repairTranscripts', () => {
  const torn = (dir: string, cut: number): { path: string; whole: string } => {
    const path = transcriptPath(dir, 'r-1');
    const transcript = createTranscript(path, header('command'));
    transcript.line('first');
    transcript.line('x'.repeat(200_000));
    const whole = readFileSync(path, 'utf8');
    truncateSync(path, whole.length - cut);
    return { path, whole };
  };

  it('cuts a torn last line off and says that the run was interrupted', () => {
    const dir = tempDir();
    const { path } = torn(dir, 1);
    expect(repairTranscripts(dir)).toEqual([{ run: 'r-1', cutBytes: 200_000 }]);
    const lines = linesOf(path);
    expect(lines[1]).toBe('first');
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ wats_end: { outcome: 'interrupted' } });
    expect(repairTranscripts(dir)).toEqual([]);
  });

  it('leaves a whole transcript alone, and files that are none', () => {
    const dir = tempDir();
    const path = transcriptPath(dir, 'r-1');
    createTranscript(path, header('command')).end(footer);
    writeFileSync(join(dir, 'notes.txt'), 'torn');
    const before = readFileSync(path, 'utf8');
    expect(repairTranscripts(dir)).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readFileSync(join(dir, 'notes.txt'), 'utf8')).toBe('torn');
  });

  it('removes a file that holds not even a whole header', () => {
    const dir = tempDir();
    writeFileSync(transcriptPath(dir, 'r-1'), '{"wats_run":{"run"');
    expect(repairTranscripts(dir)).toEqual([{ run: 'r-1', cutBytes: 18 }]);
    expect(existsSync(transcriptPath(dir, 'r-1'))).toBe(false);
  });

  it('has nothing to do in a directory that is not there', () => {
    expect(repairTranscripts(join(tempDir(), 'runs'))).toEqual([]);
  });

  it('cut anywhere, keeps every whole line and leaves no torn one', () => {
    const bytes = Buffer.from('{"wats_run":{"run":"r-1"}}\nfirst\n\nthird é\n');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length }), (length) => {
        const dir = tempDir();
        const path = transcriptPath(dir, 'r-1');
        writeFileSync(path, bytes.subarray(0, length));
        repairTranscripts(dir);
        const kept = bytes.subarray(0, length).toString().split('\n').slice(0, -1);
        expect(existsSync(path)).toBe(kept.length > 0);
        if (kept.length === 0) return;
        const lines = linesOf(path);
        expect(lines.slice(0, kept.length)).toEqual(kept);
        expect(lines).toHaveLength(kept.length + 2);
      }),
      { numRuns: 60 },
    );
  });
});

describe('retention', () => {
  const DAY = 24 * 60 * 60 * 1000;

  it('keeps the newest 200, and none that is over 30 days old', () => {
    const runs = Array.from({ length: 205 }, (_, n) => ({ run: `r-${n}`, at: AT - n * 60_000 }));
    expect(toRemove(runs, AT)).toEqual(['r-200', 'r-201', 'r-202', 'r-203', 'r-204']);
    const old = [
      { run: 'edge', at: AT - 30 * DAY },
      { run: 'over', at: AT - 30 * DAY - 1 },
    ];
    expect(toRemove(old, AT)).toEqual(['over']);
  });

  it('over any list: at most 200 stay, none old stays, and nothing newer goes than stays', () => {
    const list = fc.array(fc.integer({ min: AT - 60 * DAY, max: AT + DAY }), { maxLength: 400 });
    fc.assert(
      fc.property(list, (times) => {
        const runs = times.map((at, n) => ({ run: String(n), at }));
        const gone = new Set(toRemove(runs, AT));
        const stays = runs.filter(({ run }) => !gone.has(run));
        const fresh = runs.filter(({ at }) => at >= AT - 30 * DAY);
        expect(stays).toHaveLength(Math.min(200, fresh.length));
        const oldest = Math.min(...stays.map(({ at }) => at));
        for (const { run, at } of fresh) if (gone.has(run)) expect(at).toBeLessThanOrEqual(oldest);
      }),
    );
  });

  it('removes files by the time they were last written, but never that of the run in progress', () => {
    const dir = tempDir();
    for (const run of ['old', 'going', 'new']) {
      createTranscript(transcriptPath(dir, run), header('command')).end(footer);
      const at = new Date(run === 'new' ? AT : AT - 31 * DAY);
      utimesSync(transcriptPath(dir, run), at, at);
    }
    writeFileSync(join(dir, 'other.txt'), '');
    utimesSync(join(dir, 'other.txt'), new Date(0), new Date(0));
    expect(prune(dir, AT, 'going')).toEqual(['old']);
    expect(
      ['old.jsonl', 'going.jsonl', 'new.jsonl', 'other.txt'].map((f) => existsSync(join(dir, f))),
    ).toEqual([false, true, true, true]);
  });
});

describe('the list of ended runs', () => {
  const run: EndedRun = {
    run: 'r-1',
    agent: 'main',
    runtime: 'claude',
    cause: 'post',
    outcome: 'ok',
    bookedAt: AT,
    endedAt: AT + 14_000,
    turns: 2,
    costMicroUsd: 9_001,
    charge: { microUsd: 9_001, runs: 1, unpricedRuns: 0 },
  };

  it('gives back what was appended', () => {
    const path = join(tempDir(), 'runs.jsonl');
    const charge = { microUsd: 0, runs: 1, unpricedRuns: 1 } as const;
    const unpriced = { ...run, run: 'r-2', runtime: 'codex', costMicroUsd: null, charge, turns: null };
    appendRun(path, run);
    appendRun(path, unpriced);
    expect(readRuns(path)).toEqual({ runs: [run, unpriced], unreadable: 0 });
  });

  it('is empty when there is none', () => {
    expect(readRuns(join(tempDir(), 'runs.jsonl'))).toEqual({ runs: [], unreadable: 0 });
  });

  it('loses one line to a crash, not the next one', () => {
    const path = join(tempDir(), 'runs.jsonl');
    appendRun(path, run);
    appendFileSync(path, '{"run":"r-2","agent":"ma');
    appendRun(path, { ...run, run: 'r-3' });
    expect(readRuns(path)).toEqual({ runs: [run, { ...run, run: 'r-3' }], unreadable: 1 });
  });

  it('does not take a damaged amount for money', () => {
    const path = join(tempDir(), 'runs.jsonl');
    const whole = { micro_usd: 5, runs: 1, unpriced_runs: 0 };
    const damaged = [
      { micro_usd: -5 },
      { micro_usd: 0.5 },
      { micro_usd: '9' },
      { runs: 2 },
      { unpriced_runs: null },
    ];
    for (const charge of damaged) {
      const line = { run: 'r', booked_at: '2026-11-30T12:00:00Z', charge: { ...whole, ...charge } };
      writeFileSync(path, `${JSON.stringify(line)}\n`);
      expect(readRuns(path)).toEqual({ runs: [], unreadable: 1 });
    }
  });
});
