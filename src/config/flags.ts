import { WatsError } from '../errors/index.ts';
import { type Key, keys, settingOf } from './table.ts';

/** A flag as command lines are read and helped with. */
export interface Flag {
  readonly type: 'boolean' | 'string';
  /** Lists may be given item by item. */
  readonly multiple: boolean;
  readonly value?: string;
  readonly help: string;
}

/** What flags set, as it was typed, with the flag that it was typed with. */
export type FlagValues = ReadonlyMap<Key, { readonly name: string; readonly text: string }>;

/** What of a command line is read here. */
export interface FlagReader {
  all(flag: string): readonly string[];
  on(flag: string): boolean;
}

interface Spelling {
  readonly key: Key;
  readonly flag: Flag;
  /** What the flag stands for, when it takes no value. */
  readonly text?: 'true' | 'false';
}

/**
 * Every flag of the settings, by its name without `--`: one made from the key (`agent-max-turns`), plain runner
 * flags (`every`, `run-timeout`), and for a truth also `no-…`.
 */
export function flagsFromTable(): Readonly<Record<string, Flag>> {
  return Object.fromEntries([...spellings()].map(([name, { flag }]) => [name, flag]));
}

/**
 * The values of setting flags on a command line, not yet read.
 * @throws WatsError `usage` when a setting is given by two flags
 */
export function flagValues(input: FlagReader): FlagValues {
  const values = new Map<Key, { name: string; text: string }>();
  for (const [flag, { key, text }] of spellings()) {
    if (!input.on(flag)) continue;
    const name = `--${flag}`;
    const before = values.get(key);
    if (before !== undefined)
      throw new WatsError('usage', `${before.name} and ${name} are the same setting`, {
        fix: 'Give one of them.',
      });
    values.set(key, { name, text: text ?? input.all(flag).join(',') });
  }
  return values;
}

/** The flag made from a key, with its dashes. */
export function flagOf(key: Key): string {
  return `--${nameOf(key)}`;
}

function nameOf(key: Key): string {
  return key.replaceAll(/[._]/g, '-');
}

function* spellings(): Generator<[string, Spelling]> {
  for (const key of keys) {
    const { type, doc, flags } = settingOf(key);
    if (type.placeholder === 'true|false') {
      yield [nameOf(key), { key, text: 'true', flag: { type: 'boolean', multiple: false, help: doc } }];
      yield [
        `no-${nameOf(key)}`,
        { key, text: 'false', flag: { type: 'boolean', multiple: false, help: `not: ${doc}` } },
      ];
      continue;
    }
    const flag: Flag = {
      type: 'string',
      multiple: type.placeholder === 'A,B',
      value: type.placeholder,
      help: doc,
    };
    for (const name of [nameOf(key), ...flags]) yield [name, { key, flag }];
  }
}
