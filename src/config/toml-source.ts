import { parse } from 'smol-toml';
import { keyLiteral } from './value.ts';

/**
 * Where the keys and values of a TOML document stand, in offsets of its text. It reads what a parser has
 * accepted before, so it finds its way and checks nothing.
 */
export interface TomlSource {
  readonly headers: readonly Header[];
  /** In order of the text; pairs of an inline table come after the pair that holds it. */
  readonly pairs: readonly Pair[];
}

export interface Header {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

export interface Pair {
  /** From the root of the document. */
  readonly path: readonly string[];
  readonly start: number;
  readonly valueStart: number;
  /** After the last character of the value; a comment is not part of it. */
  readonly end: number;
  /** The table it stands in: a header, or `null` at the root. */
  readonly header: Header | null;
  /** The pair whose inline table it stands in. */
  readonly within: Pair | null;
  /** Whether its value is an inline table. */
  readonly table: boolean;
}

export function readSource(text: string): TomlSource {
  return new Scanner(text).document();
}

/** A path as it would be written: `agent.max_turns`. A part that holds a dot is quoted, and so is no setting. */
export function dotted(path: readonly string[]): string {
  return path.map(keyLiteral).join('.');
}

/** Line and column of an offset, both from 1; columns count code points. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return {
    line: before.split('\n').length,
    column: [...before.slice(start).replace('\uFEFF', '')].length + 1,
  };
}

class Scanner {
  readonly #text: string;
  #at = 0;
  readonly #headers: Header[] = [];
  readonly #pairs: Pair[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  document(): TomlSource {
    let header: Header | null = null;
    for (;;) {
      this.#blank();
      if (this.#at >= this.#text.length) return { headers: this.#headers, pairs: this.#pairs };
      if (this.#peek() === '[') header = this.#header();
      else this.#pair(header?.path ?? [], header, null);
    }
  }

  #header(): Header {
    const start = this.#at;
    while (this.#peek() === '[') this.#at += 1;
    const path = this.#key();
    this.#blank();
    while (this.#peek() === ']') this.#at += 1;
    const header = { path, start, end: this.#at };
    this.#headers.push(header);
    return header;
  }

  #pair(base: readonly string[], header: Header | null, within: Pair | null): Pair {
    const start = this.#at;
    const path = [...base, ...this.#key()];
    this.#at += 1; // the equals sign
    this.#blank();
    const valueStart = this.#at;
    const table = this.#peek() === '{';
    // Held by reference: pairs of an inline table name it before its end is known.
    const pair = { path, start, valueStart, end: valueStart, header, within, table };
    this.#pairs.push(pair);
    this.#value(pair);
    pair.end = this.#at;
    return pair;
  }

  /** A dotted key, up to the `=` or `]` that follows it. */
  #key(): string[] {
    const parts: string[] = [];
    for (;;) {
      this.#blank();
      const start = this.#at;
      const quote = this.#peek();
      if (quote === '"' || quote === "'") {
        this.#string();
        parts.push(unquoted(this.#text.slice(start, this.#at)));
      } else {
        this.#skip(/[^\s.=\]]+/y);
        parts.push(this.#text.slice(start, this.#at));
      }
      this.#blank();
      if (this.#peek() !== '.') return parts;
      this.#at += 1;
    }
  }

  #value(pair: Pair): void {
    const first = this.#peek();
    if (first === '"' || first === "'") this.#string();
    else if (first === '[') this.#items(']', () => this.#value({ ...pair, table: false }));
    // A table in a list has no path of its own; its pairs are passed over.
    else if (first === '{' && !pair.table) this.#items('}', () => this.#skipPair());
    else if (first === '{') this.#items('}', () => this.#pair(pair.path, pair.header, pair));
    else this.#skip(/[^,\]}#\r\n]*[^,\]}#\s]/y);
  }

  #skipPair(): void {
    const known = this.#pairs.length;
    this.#pair([], null, null);
    this.#pairs.length = known;
  }

  /** What stands between brackets or braces, with its commas, newlines and comments. */
  #items(close: string, item: () => void): void {
    this.#at += 1;
    for (;;) {
      this.#blank();
      if (this.#peek() === ',') this.#at += 1;
      else if (this.#peek() === close || this.#at >= this.#text.length) break;
      else item();
    }
    this.#at += 1;
  }

  #string(): void {
    const quote = this.#peek();
    const long = this.#text.startsWith(quote.repeat(3), this.#at);
    if (quote === "'") this.#skip(long ? /'''.*?'''(?:'{0,2})/sy : /'[^'\n]*'/y);
    else this.#skip(long ? /"""(?:\\.|[^\\])*?"""(?:"{0,2})/sy : /"(?:\\.|[^"\\\n])*"/y);
  }

  /** White space, newlines and comments. */
  #blank(): void {
    this.#skip(/(?:[\s\uFEFF]|#[^\n]*)*/y);
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new Error(`no end of what begins at offset ${this.#at} of a TOML document`);
    this.#at += match[0].length;
  }
}

function unquoted(key: string): string {
  return Object.keys(parse(`${key} = 0`))[0] ?? '';
}
