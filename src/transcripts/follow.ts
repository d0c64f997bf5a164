import type { Depth, TranscriptEntry } from './entry.ts';
import { openTranscriptFile } from './file.ts';

const PAGE = 200;

/**
 * The entries of a transcript from a position on, as they come, in pages; ends with the footer, when the file is
 * removed, or when the signal aborts.
 *
 * @param from position of the first entry
 * @throws WatsError `not_found` when there is no such transcript
 */
export async function* followTranscript(
  path: string,
  from: number,
  depth: Depth,
  signal: AbortSignal,
): AsyncGenerator<readonly TranscriptEntry[]> {
  const { watch } = await import('chokidar'); // only those who follow pay for it
  const file = await openTranscriptFile(path);
  const change = new Flag();
  let removed = false;
  // Watched before it is read again, so that nothing falls between.
  const watcher = watch(path, { ignoreInitial: true });
  watcher.on('all', (event) => {
    removed ||= event === 'unlink';
    change.raise();
  });
  const stop = (): void => change.raise();
  signal.addEventListener('abort', stop);
  try {
    await new Promise<void>((resolve) => watcher.once('ready', resolve));
    for (let next = from; !signal.aborted; ) {
      change.lower();
      await file.refresh();
      while (next < file.total()) {
        const entries = await file.entries(next, PAGE, depth);
        next += entries.length;
        yield entries;
        if (signal.aborted) return;
      }
      if (file.ended() || removed) return;
      await change.raised();
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await watcher.close();
    await file.close();
  }
}

/** Something that happened since it was last looked at. */
class Flag {
  #up = false;
  #wake: (() => void) | null = null;

  raise(): void {
    this.#up = true;
    this.#wake?.();
  }

  lower(): void {
    this.#up = false;
  }

  async raised(): Promise<void> {
    if (this.#up) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = null;
  }
}
