import type { TranscriptPage, TranscriptWindow } from '../control/index.ts';
import { openTranscriptFile, type TranscriptFile, transcriptPath } from '../transcripts/index.ts';

/** Entries at the end of the transcript that a view carries. */
const TAIL = 120;
/** Characters of them all, so that a view stays under its 256 KiB. */
const TAIL_CHARACTERS = 64 * 1024;

/** A run that prints a hundred lines a second is read ten times a second, as often as a screen shows it. */
const TOGETHER_MS = 100;

/** The transcript that is on screen, read as it grows, and pages of any. */
export interface TranscriptBook {
  /** The end of a run's transcript as far as it was read; reads on in the background. */
  window(run: string | null): TranscriptWindow;
  /** The transcript of a run grew. */
  grew(run: string): void;
  /** @throws WatsError `not_found` */
  page(run: string, from: number, count: number): Promise<TranscriptPage>;
  close(): Promise<void>;
}

export function createTranscriptBook(dir: string, onChange: () => void): TranscriptBook {
  let current: { readonly run: string; file: TranscriptFile | null } | null = null;
  let reading = false;
  let again = false;
  let soon: NodeJS.Timeout | null = null;

  async function read(): Promise<void> {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    do {
      again = false;
      const book = current;
      if (book === null) break;
      try {
        if (book.file === null) {
          const file = await openTranscriptFile(transcriptPath(dir, book.run));
          // The screen may have turned to another run meanwhile; nobody else would close this one.
          if (current === book) book.file = file;
          else await file.close();
        } else await book.file.refresh();
        onChange();
      } catch {
        // No transcript yet, or retention took it: the window stays empty.
      }
    } while (again);
    reading = false;
  }

  function turnTo(run: string | null): void {
    if (run === (current?.run ?? null)) return;
    void current?.file?.close();
    current = run === null ? null : { run, file: null };
    void read();
  }

  return {
    window(run) {
      turnTo(run);
      const file = current?.file ?? null;
      if (file === null) return { runId: run, total: 0, tail: [] };
      const tail = [];
      let characters = 0;
      for (const entry of file.tail(TAIL).toReversed()) {
        characters += entry.text.length;
        if (tail.length > 0 && characters > TAIL_CHARACTERS) break;
        tail.unshift(entry);
      }
      return { runId: run, total: file.total(), tail };
    },

    grew(run) {
      if (run !== current?.run || soon !== null) return;
      soon = setTimeout(() => {
        soon = null;
        void read();
      }, TOGETHER_MS);
    },

    async page(run, from, count) {
      if (current?.run === run && current.file !== null) {
        return {
          runId: run,
          total: current.file.total(),
          entries: await current.file.entries(from, count, 'whole'),
        };
      }
      const file = await openTranscriptFile(transcriptPath(dir, run));
      try {
        return { runId: run, total: file.total(), entries: await file.entries(from, count, 'whole') };
      } finally {
        await file.close();
      }
    },

    async close() {
      if (soon !== null) clearTimeout(soon);
      await current?.file?.close();
      current = null;
    },
  };
}
