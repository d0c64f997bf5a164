import { stringify } from 'smol-toml';

/** A value as it stands in config.toml, in safety.json and in `--json` output. */
export type Plain = string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain };

/** One kind of value: what it is called, how it is read, how it is written. Reading never throws. */
export interface Type<T> {
  /** For people, after "must be": `a whole number, 1 to 1000`. */
  readonly says: string;
  /** What stands for a value in help and docs: `N`, `DURATION`. */
  readonly placeholder: string;
  /** All values there are, for types that have few. */
  readonly choices?: readonly string[];
  /** What 0 means, where 0 is not simply a quantity. */
  readonly zeroMeans?: string;
  /** From config.toml or safety.json. */
  parse(value: unknown, where: Where): Parsed<T>;
  /** From a flag, a variable or `wats config set`. */
  parseText(text: string, where: Where): Parsed<T>;
  plain(value: T): Plain;
}

/** What paths are relative to. */
export interface Where {
  readonly home: string;
  /** The working directory of whoever typed the value; `null` in a file and in the environment. */
  readonly cwd: string | null;
}

export type Parsed<T> =
  | { readonly value: T }
  /** `wrong` goes on from "key = value": `a duration needs its unit`. `fix` is a sentence. */
  | { readonly wrong: string; readonly fix: string };

/** A value as TOML on one line. */
export function literal(value: Plain): string {
  if (isList(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object') {
    const pairs = Object.entries(value).map(([key, inner]) => `${keyLiteral(key)} = ${literal(inner)}`);
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return stringify({ x: value }).slice('x = '.length).trim();
}

/** A key as TOML, quoted only where it must be. */
export function keyLiteral(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : literal(key);
}

/**
 * Any value of a file or a variable as part of a message: on one line, cut at 60 characters, what can't be
 * seen escaped.
 */
export function quoted(value: unknown): string {
  const text = isPlain(value) ? literal(value) : String(value);
  const seen = text.replace(
    /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gv,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return seen.length <= 60 ? seen : `${seen.slice(0, 59).toWellFormed()}…`;
}

export function isPlain(value: unknown): value is Plain {
  if (Array.isArray(value)) return value.every(isPlain);
  if (isTable(value)) return Object.values(value).every(isPlain);
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
}

/** A table of TOML: not a list, not a date. */
export function isTable(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}
