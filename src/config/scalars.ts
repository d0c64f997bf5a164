import { isAbsolute, join, resolve } from 'node:path';
import type { Parsed, Type } from './value.ts';

/** A rule about a text beyond its length: what is wrong with it and how to put it right, or `undefined`. */
export type TextRule = (text: string) => { readonly wrong: string; readonly fix: string } | undefined;

const CONTROL = /[\p{C}\p{Zl}\p{Zp}]/v;
const CONTROL_BUT_LAYOUT = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/v;

/**
 * Text of up to `max` code points, without control or invisible format characters; newlines and tabs only in
 * `lines`. Put into Unicode NFC, so that one name never is two.
 */
export function text(options: {
  max: number;
  lines?: boolean;
  empty?: boolean;
  rule?: TextRule;
  says?: string;
}): Type<string> {
  const { max, lines = false, empty = false, rule } = options;
  const says = options.says ?? `text of ${empty ? 'up' : '1'} to ${max} characters`;
  const read = (value: unknown): Parsed<string> => {
    const fix = `Write ${says} in quotes.`;
    if (typeof value !== 'string') return { wrong: 'it must be text', fix };
    const normal = (lines ? value.replaceAll('\r\n', '\n') : value).normalize('NFC');
    if ((lines ? CONTROL_BUT_LAYOUT : CONTROL).test(normal))
      return { wrong: 'it holds a control or invisible character', fix: 'Type it anew.' };
    if (!empty && normal.trim() === '') return { wrong: 'it is empty', fix };
    if ([...normal].length > max) return { wrong: `it is longer than ${max} characters`, fix };
    return rule?.(normal) ?? { value: normal };
  };
  return { says, placeholder: 'TEXT', parse: read, parseText: read, plain: (value) => value };
}

/** One of a few words. */
export function choice<const W extends string>(...words: readonly W[]): Type<W> {
  const says = `one of ${words.join(', ')}`;
  const read = (value: unknown): Parsed<W> => {
    const found = words.find((word) => word === value);
    return found === undefined ? { wrong: `it must be ${says}`, fix: `Choose ${says}.` } : { value: found };
  };
  return {
    says,
    placeholder: words.join('|'),
    choices: words,
    parse: read,
    parseText: read,
    plain: (value) => value,
  };
}

const TRUE = new Set(['true', 'yes', 'on', '1']);
const FALSE = new Set(['false', 'no', 'off', '0']);

/** `true` or `false`; as text also yes, no, on, off, 1, 0. */
export function truth(): Type<boolean> {
  const wrong = { wrong: 'it must be true or false', fix: 'Write true or false.' };
  return {
    says: 'true or false',
    placeholder: 'true|false',
    choices: ['true', 'false'],
    parse: (value) => (typeof value === 'boolean' ? { value } : wrong),
    parseText: (word) => {
      const lower = word.trim().toLowerCase();
      if (TRUE.has(lower)) return { value: true };
      return FALSE.has(lower) ? { value: false } : wrong;
    },
    plain: (value) => value,
  };
}

/** A whole number from `min` to `max`, both included. */
export function integer(options: { min: number; max: number; zeroMeans?: string }): Type<number> {
  const { min, max, zeroMeans } = options;
  const says = `a whole number, ${min} to ${max}`;
  const fix = `Write ${says}.`;
  const read = (value: unknown): Parsed<number> => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      return { wrong: `it must be ${says}`, fix };
    if (value === 0 && min > 0) return { wrong: '0 does not mean "no limit" here', fix };
    // Adding 0 makes -0 a plain 0.
    return value < min || value > max ? { wrong: `it must be ${says}`, fix } : { value: value + 0 };
  };
  return {
    says,
    placeholder: 'N',
    ...(zeroMeans === undefined ? {} : { zeroMeans }),
    parse: read,
    parseText: (word) => read(/^-?\d+$/.test(word.trim()) ? Number(word) : undefined),
    plain: (value) => value,
  };
}

/** An absolute path; `~/` is the home directory. What a person types may be relative to where they are. */
export function path(): Type<string> {
  return {
    says: 'a path',
    placeholder: 'PATH',
    parse: (value, where) => readPath(value, where.home, null),
    parseText: (word, where) => readPath(word, where.home, where.cwd),
    plain: (value) => value,
  };
}

function readPath(value: unknown, home: string, cwd: string | null): Parsed<string> {
  const fix = 'Write an absolute path, or one that begins with "~/".';
  if (typeof value !== 'string' || value === '') return { wrong: 'it must be a path', fix };
  if (value.includes('\0')) return { wrong: 'it holds a NUL character', fix };
  if (value === '~' || value.startsWith('~/')) return { value: join(home, value.slice(1)) };
  if (isAbsolute(value)) return { value: resolve(value) };
  return cwd === null ? { wrong: 'it is relative', fix } : { value: resolve(cwd, value) };
}
