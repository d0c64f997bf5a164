import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createTranscript,
  followTranscript,
  openTranscriptFile,
  TAIL_ENTRIES,
  type TranscriptEntry,
  transcriptPath,
} from '../../src/transcripts/index.ts';
import { footer, header, tempDir, transcriptOf } from './helpers.ts';

const texts = (entries: readonly TranscriptEntry[]): string[] => entries.map(({ text }) => text);

describe('a transcript file', () => {
  it('gives the same entries by any page, from memory or from the file', async () => {
    const lines = Array.from({ length: 1500 }, (_, n) =>
      // Lines that give nothing, one, and a text of many bytes now and then.
      n % 7 === 3 ? { type: 'usage' } : n % 100 === 50 ? `${n} ${'é'.repeat(1200)}` : `line ${n}`,
    );
    const file = await openTranscriptFile(transcriptOf(tempDir(), 'command', lines));
    const expected = lines.filter((line): line is string => typeof line === 'string');
    expect(file.total()).toBe(expected.length + 1);
    await fc.assert(
      fc.asyncProperty(fc.nat(1400), fc.integer({ min: 1, max: 500 }), async (from, count) => {
        const page = await file.entries(from, count, 'whole');
        expect(page.map(({ n }) => n)).toEqual(
          Array.from({ length: Math.max(0, Math.min(count, file.total() - from)) }, (_, k) => from + k),
        );
        if (from > 0) expect(texts(page)).toEqual(expected.slice(from - 1, from - 1 + count));
        const short = await file.entries(from, count, 'short');
        expect(short.map(({ n }) => n)).toEqual(page.map(({ n }) => n));
      }),
      { numRuns: 60 },
    );
    expect(texts(file.tail(3))).toEqual(expected.slice(-3));
    expect(file.tail(9999)).toHaveLength(TAIL_ENTRIES);
    expect(file.tail(0)).toEqual([]);
    expect(await file.entries(99_999, 10, 'short')).toEqual([]);
    expect(await file.entries(-1, 10, 'short')).toEqual([]);
    await file.close();
  });

  it('reads on from where it was, a line that is being written not before its end', async () => {
    const path = transcriptOf(tempDir(), 'command', ['one']);
    const file = await openTranscriptFile(path);
    appendFileSync(path, 'tw');
    await file.refresh();
    expect(file.total()).toBe(2);
    appendFileSync(path, 'o\nthree\n');
    await Promise.all([file.refresh(), file.refresh(), file.refresh()]);
    expect(texts(file.tail(3))).toEqual(['one', 'two', 'three']);
    expect(file.header()?.run).toBe('r-0142');
    await file.close();
  });

  it('does not cut characters where a chunk ends', async () => {
    const line = '日本語'.repeat(60_000); // 540,000 bytes: three chunks
    const file = await openTranscriptFile(transcriptOf(tempDir(), 'command', ['x', line, 'after']));
    const [entry, after] = await file.entries(2, 2, 'whole');
    expect(entry?.text).toBe(line.slice(0, 65_536));
    expect(entry?.omitted).toBe(line.length - 65_536);
    expect(after?.text).toBe('after');
    await file.close();
  });

  it('names a line of megabytes instead of reading it, and goes on after it', async () => {
    const path = transcriptOf(tempDir(), 'claude', []);
    appendFileSync(path, `${'z'.repeat(3_000_000)}\n`);
    appendFileSync(path, `${JSON.stringify({ type: 'assistant', message: { content: 'after' } })}\n`);
    const file = await openTranscriptFile(path);
    expect(texts(file.tail(2))).toEqual(['(a line of 3000000 bytes, in the file only)', 'after']);
    await file.close();
  });

  it('gives a page of at most four million characters, and the rest when asked on', async () => {
    const lines = Array.from({ length: 80 }, (_, n) => `${n} ${'w'.repeat(70_000)}`);
    const file = await openTranscriptFile(transcriptOf(tempDir(), 'command', lines));
    const seen: string[] = [];
    for (let from = 1; from < file.total(); ) {
      const page = await file.entries(from, 500, 'whole');
      expect(page.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(4 * 1024 * 1024);
      seen.push(...texts(page).map((text) => text.split(' ')[0] ?? ''));
      from += page.length;
    }
    expect(seen).toEqual(lines.map((_, n) => String(n)));
    await file.close();
  });

  it('says that there is none', async () => {
    await expect(openTranscriptFile(join(tempDir(), 'r-1.jsonl'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('holds a window of a long transcript, not the transcript', async () => {
    const dir = tempDir();
    const path = transcriptOf(dir, 'command', []);
    const block = `${Array.from({ length: 1000 }, (_, n) => `${n} ${'m'.repeat(300)}`).join('\n')}\n`;
    for (let n = 0; n < 100; n += 1) appendFileSync(path, block);
    expect(statSync(path).size).toBeGreaterThan(30_000_000);
    const file = await openTranscriptFile(path);
    expect(file.total()).toBe(100_001);
    expect(file.tail(1e9)).toHaveLength(TAIL_ENTRIES);
    expect(texts(await file.entries(50_001, 1, 'whole'))[0]?.startsWith('0 m')).toBe(true);
    await file.close();
  });
});

describe('followTranscript', () => {
  it('gives what is there, then what comes, and ends with the footer', async () => {
    const path = transcriptPath(tempDir(), 'r-1');
    const transcript = createTranscript(path, header('command'));
    transcript.line('one');
    const seen: TranscriptEntry[] = [];
    for await (const page of followTranscript(path, 1, 'short', AbortSignal.timeout(20_000))) {
      seen.push(...page);
      if (page.at(-1)?.text === 'one') transcript.line('two');
      if (page.at(-1)?.text === 'two') transcript.end(footer);
    }
    expect(seen.map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(texts(seen)).toEqual(['one', 'two', 'ended: ok · 0:14 · 2 turns · $0.03']);
  });

  it('ends at once for a run that has ended', async () => {
    const path = transcriptPath(tempDir(), 'r-1');
    createTranscript(path, header('command')).end(footer);
    const pages: number[] = [];
    for await (const page of followTranscript(path, 0, 'short', AbortSignal.timeout(20_000)))
      pages.push(page.length);
    expect(pages).toEqual([2]);
  });

  it('ends when it is aborted, and when the file goes', async () => {
    const path = transcriptOf(tempDir(), 'command', ['one']);
    const controller = new AbortController();
    for await (const page of followTranscript(path, 0, 'short', controller.signal))
      if (page.length > 0) setImmediate(() => controller.abort());
    const timeout = AbortSignal.timeout(20_000);
    for await (const page of followTranscript(path, 0, 'short', timeout)) if (page.length > 0) rmSync(path);
    expect(timeout.aborted).toBe(false);
  });

  it('follows a writer that is faster than it', async () => {
    const path = transcriptPath(tempDir(), 'r-1');
    writeFileSync(path, '');
    rmSync(path);
    const transcript = createTranscript(path, header('command'));
    let written = 0;
    const write = (): void => {
      for (let n = 0; n < 500; n += 1) transcript.line(`line ${written++}`);
      if (written < 10_000) setImmediate(write);
      else transcript.end(footer);
    };
    write();
    let next = 0;
    for await (const page of followTranscript(path, 0, 'short', AbortSignal.timeout(25_000)))
      for (const entry of page) expect(entry.n).toBe(next++);
    expect(next).toBe(10_002);
  });
});
