import { parse as parseToml } from 'smol-toml';
import type { TextRule } from './scalars.ts';
import { isTable, literal, type Parsed, quoted, type Type } from './value.ts';

const NO_RULE: TextRule = () => undefined;
const CONTROL = /[\p{C}\p{Zl}\p{Zp}]/v;

/**
 * A list of texts. As text: TOML (`["a", "b"]`), or items between commas; nothing, or `[]`, is the empty list.
 */
export function list(of: string, options: { max: number; rule?: TextRule }): Type<readonly string[]> {
  const { max, rule = NO_RULE } = options;
  const fix = `Write a list like ["…", "…"] of ${of}.`;
  const read = (value: unknown): Parsed<readonly string[]> => {
    if (!isTexts(value)) return { wrong: `it must be a list of ${of}`, fix };
    if (value.length > max) return { wrong: `it has more than ${max} items`, fix };
    for (const item of value) {
      const problem =
        item.trim() === '' || CONTROL.test(item)
          ? { wrong: 'is empty or holds a control character', fix }
          : rule(item);
      if (problem !== undefined && 'wrong' in problem)
        return { wrong: `${quoted(item)} ${problem.wrong}`, fix: problem.fix };
    }
    const twice = value.find((item, i) => value.indexOf(item) !== i);
    return twice === undefined ? { value } : { wrong: `${quoted(twice)} is in it twice`, fix: 'Remove one.' };
  };
  return {
    says: `a list of ${of}`,
    placeholder: 'A,B',
    parse: read,
    parseText: (word) => read(fromText(word) ?? split(word)),
    plain: (value) => value,
  };
}

/**
 * A program and its arguments, one item each: no shell ever reads it. As text: TOML or JSON
 * (`["python3", "agent.py"]`), or the name of a program alone.
 */
export function argv(): Type<readonly string[]> {
  const read = (value: unknown): Parsed<readonly string[]> => {
    const fix = 'Write the program and its arguments as a list, like ["python3", "agent.py"].';
    if (!isTexts(value) || value.length === 0 || value[0] === '')
      return { wrong: 'it must be a list of a program and its arguments', fix };
    if (value.some((item) => item.includes('\0'))) return { wrong: 'it holds a NUL character', fix };
    return { value };
  };
  return {
    says: 'a list: the program and its arguments, never a line for a shell',
    placeholder: 'ARGV',
    parse: read,
    parseText: (word) => {
      const parts = word.trim().split(/\s+/);
      if (!word.trim().startsWith('[') && parts.length > 1)
        return { wrong: 'it is a line for a shell', fix: `Write ${literal(parts)}.` };
      return read(fromText(word) ?? [word.trim()]);
    },
    plain: (value) => value,
  };
}

/** The keys of the live screen by action: `{ quit = "Q", approve = ["a", "A"] }`. Which actions there are, the screen knows. */
export function keymap(): Type<Readonly<Record<string, readonly string[]>>> {
  const fix = 'Write a table like { quit = "Q", find = ["/", "f"] }.';
  const read = (value: unknown): Parsed<Readonly<Record<string, readonly string[]>>> => {
    if (!isTable(value)) return { wrong: 'it must be a table of actions and their keys', fix };
    const map: [string, readonly string[]][] = [];
    for (const [action, keys] of Object.entries(value)) {
      const names = typeof keys === 'string' ? [keys] : keys;
      if (!isTexts(names) || names.some((name) => name === '' || CONTROL.test(name)))
        return { wrong: `the keys of ${quoted(action)} must be text or a list of texts`, fix };
      map.push([action, names]);
    }
    return { value: Object.fromEntries(map) };
  };
  return {
    says: 'a table of actions and their keys',
    placeholder: 'TABLE',
    parse: read,
    parseText: (word) => read(word.trim() === '' ? {} : tomlValue(word)),
    plain: (map) =>
      Object.fromEntries(
        Object.entries(map).map(([action, keys]) => [action, keys.length === 1 ? (keys[0] ?? '') : keys]),
      ),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The list that a text spells in TOML; `undefined` when it is no list at all. */
function fromText(word: string): unknown {
  return word.trim().startsWith('[') ? (tomlValue(word) ?? {}) : undefined;
}

function split(word: string): readonly string[] {
  return word.trim() === '' ? [] : word.split(',').map((item) => item.trim());
}

function tomlValue(word: string): unknown {
  try {
    const { x } = parseToml(`x = ${word.trim()}`);
    return x;
  } catch {
    // What it should have looked like is said by whoever asked; the position inside one value helps nobody.
    return undefined;
  }
}
