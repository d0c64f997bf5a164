import { WatsError } from '../errors/index.ts';
import { writeAtomically } from './atomic.ts';
import { setInText, unsetInText } from './edit.ts';
import {
  type ConfigText,
  parseToml,
  readConfigFile,
  readValues,
  retiredWarning,
  unknownKey,
} from './file.ts';
import { type Surroundings, withDefaults } from './load.ts';
import { isSome, settingError } from './problems.ts';
import { brokenRules } from './rules.ts';
import { isKey, type Key, retired, safetyKeys, settingOf } from './table.ts';
import { quoted } from './value.ts';

/** A setting as a person typed it; `text: null` unsets it. */
export interface Change {
  readonly key: string;
  readonly text: string | null;
}

export interface Saved {
  /** Keys whose line in the file changed; those that said the same before are left out. */
  readonly changed: readonly string[];
  /** Safety keys among them: flagged until acknowledged. */
  readonly flagged: readonly Key[];
}

/**
 * Makes all of the changes in the config.toml at `path`, or none. Everything else in it stays byte for byte. The
 * whole file as it would be, with its rules, is checked before it is written, atomically and with mode 0600.
 * Unsetting works also for retired and unknown keys that stand there, and does nothing for one that doesn't.
 *
 * @throws WatsError `setting` for an unknown or retired key, a bad value, a broken rule, a file that was
 *   unreadable before or would be after; `directory` or `storage` when it can't be read or written
 */
export function saveSettings(path: string, changes: readonly Change[], around: Surroundings): Saved {
  const before: ConfigText = readConfigFile(path) ?? { path, text: '' };
  parseToml(before);
  let text = before.text;
  const changed: string[] = [];
  for (const change of changes) {
    const next =
      change.text === null ? unset(text, change.key, around) : set(text, change.key, change.text, around);
    if (next !== text) changed.push(change.key);
    text = next;
  }
  if (changed.length === 0) return { changed: [], flagged: [] };

  const after = readValues({ path, text }, around.home, around.suggest);
  if (isSome(after.problems)) throw settingError(after.problems);
  const broken = brokenRules(withDefaults(after.values, around.user), around);
  if (isSome(broken)) throw settingError(broken);
  writeAtomically(path, text);
  return { changed, flagged: safetyKeys.filter((key) => changed.includes(key)) };
}

function set(text: string, key: string, typed: string, around: Surroundings): string {
  if (Object.hasOwn(retired, key))
    throw new WatsError('setting', retiredWarning(key), { fix: `wats config unset ${key}` });
  if (!isKey(key)) throw noSuchKey(key, around);
  const { type } = settingOf(key);
  const parsed = type.parseText(typed, { home: around.home, cwd: around.cwd });
  if ('wrong' in parsed)
    throw settingError([
      { where: '', message: `${key} = ${quoted(typed)}: ${parsed.wrong}`, fix: parsed.fix },
    ]);
  return setInText(text, key, type.plain(parsed.value));
}

function unset(text: string, key: string, around: Surroundings): string {
  const next = unsetInText(text, key);
  if (next === text && !isKey(key) && !Object.hasOwn(retired, key)) throw noSuchKey(key, around);
  return next;
}

function noSuchKey(key: string, around: Surroundings): WatsError {
  return settingError([{ where: '', ...unknownKey(key, '', around.suggest) }]);
}
