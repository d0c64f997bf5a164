import { type FileHandle, open } from 'node:fs/promises';
import { WatsError } from '../errors/index.ts';
import { type Depth, type RawEntry, shown, type TranscriptEntry } from './entry.ts';
import { isFooterLine, parseHeader, type RunHeader } from './frame.ts';
import { type FileLine, linesFrom } from './lines.ts';
import { renderLine, ToolNames } from './render/render.ts';

/** Entries that a reader holds in memory, shortened: a screen and some scrolling. */
export const TAIL_ENTRIES = 300;
/** How far apart the places are from which a page is read: entries, and bytes. */
const STRIDE_ENTRIES = 64;
const STRIDE_BYTES = 256 * 1024;
/** Entries of one page, and characters of all of them together. */
const PAGE_ENTRIES = 500;
const PAGE_CHARACTERS = 4 * 1024 * 1024;

/**
 * A transcript as a numbered list of entries. Its memory does not grow with the file, but for one place to read
 * from every 64 entries or 256 KiB.
 */
export interface TranscriptFile {
  /** What the first line says; `null` before it was read, or when it is none. */
  readonly header: () => RunHeader | null;
  /** Entries known so far. */
  readonly total: () => number;
  /** Whether the footer was read. */
  readonly ended: () => boolean;
  /** The last entries, shortened, oldest first; at most {@link TAIL_ENTRIES}. */
  readonly tail: (count: number) => readonly TranscriptEntry[];
  /** Reads what was appended since. */
  readonly refresh: () => Promise<void>;
  /**
   * Entries `from` to `from + count - 1` as far as they are known; fewer when 500, or 4 Mi characters, are
   * reached: ask again from where it ends.
   */
  readonly entries: (from: number, count: number, depth: Depth) => Promise<TranscriptEntry[]>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a transcript and reads it through once, to know how many entries it has.
 *
 * @throws WatsError `not_found` when there is none
 */
export async function openTranscriptFile(path: string): Promise<TranscriptFile> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (cause) {
    const gone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new WatsError(
      gone ? 'not_found' : 'storage',
      gone ? 'There is no transcript of this run (any more).' : `The transcript ${path} cannot be read.`,
      {
        cause,
        ...(gone ? { fix: 'wats agent runs lists the runs; transcripts are kept for 30 days.' } : {}),
      },
    );
  }
  const reader = new Reader(file);
  try {
    await reader.refresh();
  } catch (error) {
    await reader.close();
    throw error;
  }
  return {
    header: () => reader.header,
    total: () => reader.total,
    ended: () => reader.ended,
    tail: (count) => (count <= 0 ? [] : reader.tail.slice(-count)),
    refresh: () => reader.refresh(),
    entries: (from, count, depth) => reader.entries(from, count, depth),
    close: () => reader.close(),
  };
}

class Reader {
  header: RunHeader | null = null;
  total = 0;
  ended = false;
  tail: TranscriptEntry[] = [];
  readonly #file: FileHandle;
  readonly #names = new ToolNames();
  /** Places to read from: the entry that comes next there, and the byte where its line begins. Both ascend. */
  readonly #placeEntry: number[] = [0];
  readonly #placeByte: number[] = [0];
  #offset = 0;
  #refreshing: Promise<void> | null = null;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Calls that come while one is going wait for it and read what came since, once for all of them. */
  async refresh(): Promise<void> {
    const before = this.#refreshing;
    const next = (async () => {
      await before?.catch(() => {}); // its caller has its error; this one reads on from where it stopped
      await this.#read();
    })();
    this.#refreshing = next;
    await next;
  }

  async #read(): Promise<void> {
    for await (const lines of linesFrom(this.#file, this.#offset)) {
      for (const line of lines) this.#take(line);
      if (this.tail.length > TAIL_ENTRIES) this.tail = this.tail.slice(-TAIL_ENTRIES);
    }
  }

  #take(line: FileLine): void {
    this.#mark(line.from);
    if (line.from === 0 && line.text !== null) this.header = parseHeader(line.text);
    for (const entry of this.#render(line)) {
      this.tail.push(shown(this.total, entry, 'short'));
      this.total += 1;
    }
    if (line.text !== null && isFooterLine(line.text)) this.ended = true;
    this.#offset = line.to;
  }

  #mark(byte: number): void {
    const entries = this.total - (this.#placeEntry.at(-1) ?? 0);
    const bytes = byte - (this.#placeByte.at(-1) ?? 0);
    if (entries < STRIDE_ENTRIES && bytes < STRIDE_BYTES) return;
    this.#placeEntry.push(this.total);
    this.#placeByte.push(byte);
  }

  #render({ from, to, text }: FileLine): readonly RawEntry[] {
    if (text !== null) return renderLine(text, this.header?.runtime ?? '', this.#names);
    const size = `${to - from - 1} bytes`;
    return [{ at: null, kind: 'notice', label: null, text: `(a line of ${size}, in the file only)` }];
  }

  async entries(from: number, count: number, depth: Depth): Promise<TranscriptEntry[]> {
    const end = Math.min(this.total, from + Math.min(count, PAGE_ENTRIES));
    if (from < 0 || from >= end) return [];
    const tailFrom = this.total - this.tail.length;
    if (depth === 'short' && from >= tailFrom) return this.tail.slice(from - tailFrom, end - tailFrom);

    const place = this.#placeBefore(from);
    const page: TranscriptEntry[] = [];
    let n = this.#placeEntry[place] ?? 0;
    let characters = 0;
    for await (const lines of linesFrom(this.#file, this.#placeByte[place] ?? 0)) {
      for (const line of lines) {
        for (const raw of this.#render(line)) {
          if (n >= from) {
            const entry = shown(n, raw, depth);
            characters += entry.text.length;
            if (page.length > 0 && characters > PAGE_CHARACTERS) return page;
            page.push(entry);
          }
          n += 1;
          if (n >= end) return page;
        }
      }
    }
    return page;
  }

  /** The last place at or before an entry. */
  #placeBefore(entry: number): number {
    let low = 0;
    let high = this.#placeEntry.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#placeEntry[middle] ?? 0) <= entry) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async close(): Promise<void> {
    await this.#refreshing?.catch(() => {}); // whoever asked for it has its error
    await this.#file.close();
  }
}
