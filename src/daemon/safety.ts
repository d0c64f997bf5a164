import { diffSafety, type Loaded, readSafety, recordSafety, type SafetyChange } from '../config/index.ts';
import type { Store } from '../store/index.ts';
import { stamp } from './config-file.ts';
import type { Log } from './log.ts';

/** That this directory had a `safety.json` once: its absence is then a change, not a first run. */
const META = 'safety.recorded';

/**
 * Compares the safety settings with what a person acknowledged; the first run of a directory records them silently.
 *
 * @returns the settings that differ now: `wats config ack` is seen when it happens, by the file's time or size
 */
export function watchSafety(
  path: string,
  loaded: Loaded,
  store: Store,
  log: Log,
): () => readonly SafetyChange[] {
  let safety = readSafety(path);
  const hadOne = store.people.meta(META) !== null;
  if (safety.state === 'missing' && !hadOne) {
    recordSafety(path, loaded.underneath);
    safety = readSafety(path);
  }
  if (!hadOne) store.people.setMeta(META, '1');
  let changes = diffSafety(loaded, safety, true);
  for (const { key } of changes) log.write('warn', 'safety_setting_changed', { key });
  let seen = stamp(path);
  return () => {
    const now = stamp(path);
    if (now === seen) return changes;
    seen = now;
    changes = diffSafety(loaded, readAgain(path), true);
    return changes;
  };
}

/** A file that cannot be read now acknowledges nothing. */
function readAgain(path: string): ReturnType<typeof readSafety> {
  try {
    return readSafety(path);
  } catch {
    return { state: 'damaged' };
  }
}
