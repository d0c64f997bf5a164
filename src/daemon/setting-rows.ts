import {
  describeSource,
  keys,
  type Loaded,
  type SafetyChange,
  settingOf,
  showValue,
} from '../config/index.ts';
import type { SettingRow } from '../control/index.ts';
import { visible } from '../text/index.ts';

/**
 * Every setting that the daemon runs with, as rows: those that a person must acknowledge first, else in the order of
 * the table. The same changes give the same rows.
 */
export function settingRows(
  loaded: Loaded,
  unacknowledged: () => readonly SafetyChange[],
): () => readonly SettingRow[] {
  let seen: readonly SafetyChange[] | null = null;
  let rows: readonly SettingRow[] = [];
  return () => {
    const changes = unacknowledged();
    if (changes === seen) return rows;
    seen = changes;
    const was = new Map(changes.map(({ key, acknowledged }) => [key, acknowledged ?? 'never acknowledged']));
    const all = keys.map((key): SettingRow => {
      const { doc, safety } = settingOf(key);
      return {
        key,
        value: visible(showValue(key, loaded.settings[key]), 'line'),
        source: describeSource(loaded.sources[key]),
        doc,
        safety,
        acknowledged: was.has(key) ? visible(was.get(key) ?? '', 'line') : null,
      };
    });
    rows = [
      ...all.filter(({ acknowledged }) => acknowledged !== null),
      ...all.filter(({ acknowledged }) => acknowledged === null),
    ];
    return rows;
  };
}
