import { diffSafety, type Loaded, readSafety, recordSafety } from '../config/index.ts';
import type { Store } from '../store/index.ts';
import type { Log } from './log.ts';

/** That this directory had a `safety.json` once: its absence is then a change, not a first run. */
const META = 'safety.recorded';

/**
 * Compares the safety settings with what a person acknowledged; the first run of a directory records them silently.
 * @returns the keys that differ
 */
export function checkSafety(path: string, loaded: Loaded, store: Store, log: Log): readonly string[] {
  const safety = readSafety(path);
  const hadOne = store.people.meta(META) !== null;
  if (safety.state === 'missing' && !hadOne) {
    recordSafety(path, loaded.underneath);
    store.people.setMeta(META, '1');
    return [];
  }
  if (!hadOne) store.people.setMeta(META, '1');
  const changes = diffSafety(loaded, safety, hadOne);
  for (const { key } of changes) log.write('warn', 'safety_setting_changed', { key });
  return changes.map(({ key }) => key);
}
