import { findProgram } from '../engine/find-program.ts';
import type { AskOpenclaw } from './ports.ts';

/** Seen: 2–5 s, and 6–20 s on a busy machine. */
const ANSWER_WITHIN_MS = 60_000;
const MOST_BYTES = 4_000_000;
/** What OpenClaw's command line needs to find its gateway; nothing of ours, no provider's keys. */
const PASSED =
  /^(HOME|PATH|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TERM|TMPDIR|XDG_[A-Z_]+|OPENCLAW_[A-Z0-9_]+|NODE_EXTRA_CA_CERTS|DO_NOT_TRACK)$/;

/** OpenClaw's own command line, of the daemon's PATH. */
export function openclawAsker(env: Readonly<Record<string, string | undefined>>): AskOpenclaw {
  return async (args, signal) => {
    const path = await findProgram('openclaw', env['PATH'] ?? '');
    if (path === null) return null;
    // Only a run needs it: a daemon that forwards nothing does not load it.
    const { execa } = await import('execa');
    const { failed, stdout } = await execa(path, args, {
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name))),
        NO_COLOR: '1',
      },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      timeout: ANSWER_WITHIN_MS,
      cancelSignal: signal,
      maxBuffer: MOST_BYTES,
    });
    return failed ? null : stdout;
  };
}
