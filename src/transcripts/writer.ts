import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { WatsError } from '../errors/index.ts';
import { footerLine, headerLine, programLine, type RunFooter, type RunHeader } from './frame.ts';

/** A line or a transcript over these ends its run as `error` (design page 3, "Runtimes"). Bytes. */
export const LIMITS = { lineBytes: 8 * 1024 * 1024, fileBytes: 64 * 1024 * 1024 } as const;

/** `full`: over a limit, not written. `failed`: the disk did not take it, or an earlier line; the file stays whole. */
export type Written = 'written' | 'full' | 'failed';

export interface TranscriptWriter {
  /**
   * Appends a line that the program printed, without its newline. It is in the file, as far as a `kill -9` of
   * this process goes, when this returns. Never throws.
   */
  line(line: string): Written;
  /** Appends the footer, also after a line failed, and closes the file. Once; never throws. */
  end(footer: RunFooter): Written;
  /** What the disk said when a line failed; `null` while all is well. */
  readonly failure: () => Error | null;
}

/**
 * Makes the transcript of a run (mode 0600) and writes its header. Lines go out one write each: slower than in
 * batches by microseconds, and nothing that was printed is lost with the daemon.
 *
 * @throws WatsError `storage` when the file cannot be made, or is there already
 */
export function createTranscript(path: string, header: RunHeader): TranscriptWriter {
  let fd: number;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fd = openSync(path, 'ax', 0o600);
  } catch (cause) {
    throw new WatsError('storage', `The transcript ${path} cannot be made: ${reason(cause)}.`, {
      fix: 'Look at the free space and the owner of the data directory.',
      cause,
    });
  }
  let bytes = 0;
  let failure: Error | null = null;
  let open = true;

  const append = (line: string): Written => {
    const data = Buffer.from(`${line}\n`, 'utf8');
    try {
      writeAll(fd, data);
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
      cutTo(fd, bytes);
      return 'failed';
    }
    bytes += data.length;
    return 'written';
  };

  append(headerLine(header));
  return {
    line(line) {
      const size = Buffer.byteLength(line, 'utf8');
      if (size > LIMITS.lineBytes || bytes + size >= LIMITS.fileBytes) return 'full';
      // A gap in the middle would read as if the program had said nothing there.
      return open && failure === null ? append(programLine(line)) : 'failed';
    },
    end(footer) {
      if (!open) return 'failed';
      open = false;
      const written = append(footerLine(footer));
      closeQuietly(fd);
      return written;
    },
    failure: () => failure,
  };
}

/** A full disk takes part of a line, then refuses the rest with its reason. */
function writeAll(fd: number, data: Buffer): void {
  for (let done = 0; done < data.length; ) done += writeSync(fd, data, done);
}

/** Takes a line back that was written in part, so that the footer may still follow. */
function cutTo(fd: number, bytes: number): void {
  try {
    ftruncateSync(fd, bytes);
  } catch {
    // The next start cuts it off; why the line failed is told already.
  }
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // Every line was written and answered for already; a transcript is for people, and the run has ended.
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
