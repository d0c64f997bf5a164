import { readFileSync } from 'node:fs';
import { WatsError } from '../errors/index.ts';
import { writeAtomically } from './atomic.ts';
import { type Loaded, showValue } from './load.ts';
import { type Key, type Settings, safetyKeys, settingOf } from './table.ts';
import { isPlain, isTable, literal, type Plain } from './value.ts';

/** What a safety.json says. `damaged`: it is there and can't be understood, which nobody but wats should bring about. */
export type Safety =
  | { readonly state: 'missing' }
  | { readonly state: 'damaged' }
  /** Values as they would stand in config.toml; `null` is unset. */
  | { readonly state: 'read'; readonly values: Readonly<Record<string, Plain | null>> };

/** One safety key that is not as a person acknowledged it. Values as they would stand in config.toml. */
export interface SafetyChange {
  readonly key: Key;
  /** `null` when nothing was acknowledged for it. */
  readonly acknowledged: string | null;
  readonly now: string;
}

/** @throws WatsError `directory` when the file is there and can't be read */
export function readSafety(path: string): Safety {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { state: 'missing' };
    throw new WatsError('directory', `${path} can't be read`, {
      fix: `Make ${path} a file that you can read.`,
      cause,
    });
  }
  try {
    const { version, values } = JSON.parse(text) as { version?: unknown; values?: unknown };
    if (version !== 1 || !isTable(values)) return { state: 'damaged' };
    const known = Object.entries(values).filter(
      (entry): entry is [string, Plain | null] => entry[1] === null || isPlain(entry[1]),
    );
    return { state: 'read', values: Object.fromEntries(known) };
  } catch {
    // No JSON. That it is damaged is all that follows from it.
    return { state: 'damaged' };
  }
}

/**
 * Writes down the safety keys as they are now, atomically: on the first run, silently, and when a person
 * acknowledges. The values themselves, not a hash, so that a later notice can say what changed.
 *
 * @param settings without flags and variables (`underneath` of what was loaded)
 * @throws WatsError `storage`
 */
export function recordSafety(path: string, settings: Settings): void {
  const values = Object.fromEntries(
    safetyKeys.map((key) => [key, settings[key] === null ? null : settingOf(key).type.plain(settings[key])]),
  );
  writeAtomically(path, `${JSON.stringify({ version: 1, values }, null, 2)}\n`);
}

/**
 * The safety keys whose value differs from the acknowledged one, in the order of the table.
 *
 * A file that is damaged, or gone where there was one, acknowledges nothing: every key counts. A key that the file
 * doesn't know (it came with a newer wats) counts when it is not at its default.
 *
 * @param loaded of which flags and variables are left out
 * @param hadOne whether this directory had a safety.json before; without one before, a missing one is a first run
 */
export function diffSafety(
  loaded: Pick<Loaded, 'underneath' | 'defaults'>,
  safety: Safety,
  hadOne: boolean,
): readonly SafetyChange[] {
  if (safety.state === 'missing' && !hadOne) return [];
  const changes: SafetyChange[] = [];
  for (const key of safetyKeys) {
    const now = showValue(key, loaded.underneath[key]);
    const acknowledged = safety.state === 'read' ? shown(safety.values[key]) : null;
    const asDefault = safety.state === 'read' && acknowledged === null;
    if (now !== (asDefault ? showValue(key, loaded.defaults[key]) : acknowledged))
      changes.push({ key, acknowledged, now });
  }
  return changes;
}

/** As `showValue` shows it; `null` for a value that the file doesn't have. */
function shown(stored: Plain | null | undefined): string | null {
  if (stored === undefined) return null;
  return stored === null ? 'unset' : literal(stored);
}
