import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { WatsError } from '../errors/index.ts';
import { dotted, type Header, type Pair, readSource, type TomlSource } from './toml-source.ts';
import { isTable, keyLiteral, literal, type Plain } from './value.ts';

/**
 * The document with `name` set to `value` and every other byte as it was: comments, order, spelling, line ends.
 * A comment behind the old value stays. The result was parsed and differs in that key alone.
 *
 * @param text a document that parses
 * @throws WatsError `setting` where it is written in a form that can't be edited so
 */
export function setInText(text: string, name: string, value: Plain): string {
  const source = readSource(text);
  const written = literal(value);
  const pair = source.pairs.find(({ path }) => dotted(path) === name);
  if (pair === undefined && partsOf(source, name).length > 0) throw byHand(name, `${name} = ${written}`);
  const edited =
    pair === undefined
      ? insert(text, source, name.split('.'), written)
      : text.slice(0, pair.valueStart) + written + text.slice(pair.end);
  return verified(text, edited, name, value);
}

/**
 * The document without `name`, its line gone with the comment behind it, every other byte as it was. The same
 * text when it isn't there.
 *
 * @param text a document that parses
 * @throws WatsError `setting` where it is written in a form that can't be edited so
 */
export function unsetInText(text: string, name: string): string {
  const source = readSource(text);
  const pair = source.pairs.find(({ path }) => dotted(path) === name);
  if (pair === undefined) {
    if (partsOf(source, name).length > 0) throw byHand(name, `remove ${name}`);
    return text;
  }
  const edited =
    pair.within === null
      ? text.slice(0, lineStart(text, pair.start)) + text.slice(lineEnd(text, pair.end))
      : removeInner(text, source, pair, name);
  return verified(text, edited, name, undefined);
}

function insert(text: string, source: TomlSource, path: readonly string[], value: string): string {
  const parent = path.slice(0, -1);
  const leaf = keyLiteral(path.at(-1) ?? '');
  const same = (other: readonly string[]) => isDeepStrictEqual([...other], parent);
  const outer = source.pairs.filter(({ within }) => within === null);

  const inline = source.pairs.find((pair) => pair.table && same(pair.path));
  if (inline !== undefined) return insertInner(text, source, inline, `${leaf} = ${value}`);

  const header = source.headers.find((candidate) => same(candidate.path)) ?? null;
  if (header !== null || parent.length === 0) {
    const last = outer.findLast((pair) => pair.header === header);
    if (last !== undefined) return insertLine(text, last, `${leaf} = ${value}`);
    return header === null
      ? insertFirst(text, source.headers[0], `${leaf} = ${value}`)
      : insertLine(text, header, `${leaf} = ${value}`);
  }

  // `agent.every = "30s"` in the table above: a header of its own would define the group twice.
  const cousin = outer.findLast(
    ({ path: other, header: above }) =>
      parent.every((part, i) => other[i] === part) && (above?.path.length ?? 0) < parent.length,
  );
  if (cousin !== undefined) {
    const key = dotted(path.slice(cousin.header?.path.length ?? 0));
    return insertLine(text, cousin, `${key} = ${value}`);
  }

  const eol = eolOf(text);
  const gap = text.replace('\uFEFF', '') === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text}${gap}[${dotted(parent)}]${eol}${leaf} = ${value}${eol}`;
}

/** A line of its own after a pair or a header, indented like it. */
function insertLine(text: string, after: Pair | Header, line: string): string {
  const eol = eolOf(text);
  const at = lineEnd(text, after.end);
  const indent = /^[ \t]*/.exec(text.slice(lineStart(text, after.start)))?.[0] ?? '';
  const open = text.slice(0, at).endsWith('\n') ? '' : eol;
  return `${text.slice(0, at)}${open}${indent}${line}${eol}${text.slice(at)}`;
}

/** The first key of the root: before the first header and the comment lines that belong to it. */
function insertFirst(text: string, first: Header | undefined, line: string): string {
  const eol = eolOf(text);
  if (first === undefined) {
    const open = text.replace('\uFEFF', '') === '' || text.endsWith('\n') ? '' : eol;
    return `${text}${open}${line}${eol}`;
  }
  let at = lineStart(text, first.start);
  while (at > 0) {
    const above = lineStart(text, at - 1);
    if (!text.slice(above, at).trimStart().startsWith('#')) break;
    at = above;
  }
  if (at === 0 && text.startsWith('\uFEFF')) at = 1;
  return `${text.slice(0, at)}${line}${eol}${eol}${text.slice(at)}`;
}

function insertInner(text: string, source: TomlSource, inline: Pair, pair: string): string {
  const last = source.pairs.findLast(({ within }) => within === inline);
  if (last !== undefined) return `${text.slice(0, last.end)}, ${pair}${text.slice(last.end)}`;
  return `${text.slice(0, inline.valueStart + 1)} ${pair} ${text.slice(inline.valueStart + 1)}`;
}

function removeInner(text: string, source: TomlSource, pair: Pair, name: string): string {
  const siblings = source.pairs.filter(({ within }) => within === pair.within);
  const i = siblings.indexOf(pair);
  const next = siblings[i + 1];
  const start = next === undefined ? (siblings[i - 1]?.end ?? pair.start) : pair.start;
  const end = next?.start ?? pair.end;
  const comment = text.slice(start, pair.start) + text.slice(pair.end, end);
  if (comment.includes('#')) throw byHand(name, `remove ${name}`);
  return text.slice(0, start) + text.slice(end);
}

/** Throws unless exactly `name` changed: whatever the text holds, an edit never costs a person another setting. */
function verified(before: string, after: string, name: string, value: Plain | undefined): string {
  const expected = flat(parse(before));
  for (const key of [...expected.keys()])
    if (key === name || key.startsWith(`${name}.`)) expected.delete(key);
  if (value !== undefined)
    for (const [key, inner] of flat({ value })) expected.set(name + key.slice('value'.length), inner);
  let got: Map<string, unknown>;
  try {
    got = flat(parse(after));
  } catch {
    // Why the edit broke the document is our matter, not the person's.
    throw byHand(name, value === undefined ? `remove ${name}` : `${name} = ${literal(value)}`);
  }
  if (!isDeepStrictEqual(got, expected))
    throw byHand(name, value === undefined ? `remove ${name}` : `${name} = ${literal(value)}`);
  return after;
}

/** Every value that is no table, by its dotted name. An empty table under a key is one too. */
function flat(tree: Record<string, unknown>, path: readonly string[] = []): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [part, value] of Object.entries(tree)) {
    const inner = [...path, part];
    if (!isTable(value)) found.set(dotted(inner), value);
    else for (const [name, leaf] of flat(value, inner)) found.set(name, leaf);
  }
  return found;
}

function partsOf(source: TomlSource, name: string): readonly (Pair | Header)[] {
  return [...source.pairs, ...source.headers].filter(({ path }) => `${dotted(path)}.`.startsWith(`${name}.`));
}

function byHand(name: string, what: string): WatsError {
  return new WatsError('setting', `config.toml writes ${name} in a form that wats does not edit`, {
    fix: `Edit config.toml by hand: ${what}`,
  });
}

function eolOf(text: string): string {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** After the newline of the line that holds `at`. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
