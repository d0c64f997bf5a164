import { readFileSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { WatsError } from '../errors/index.ts';
import { type Problem, type Suggest, settingError } from './problems.ts';
import { isKey, type Key, keys, retired, type Settings, settingOf } from './table.ts';
import { dotted, type Pair, positionOf, readSource, type TomlSource } from './toml-source.ts';
import { isTable, quoted, type Where } from './value.ts';

/** Far more than every setting at its longest. */
const MAX_BYTES = 1024 * 1024;

/** The text of a config.toml, and what it is called in messages. */
export interface ConfigText {
  readonly path: string;
  readonly text: string;
}

/** What a config.toml says. */
export interface FileValues {
  readonly values: Partial<Settings>;
  readonly lines: ReadonlyMap<Key, number>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/**
 * The file at `path`, or `undefined` when there is none.
 * @throws WatsError `directory` when it can't be read, is larger than 1 MiB or is not UTF-8
 */
export function readConfigFile(path: string): ConfigText | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new WatsError('directory', `${path} can't be read`, {
      fix: `Make ${path} a file that you can read.`,
      cause,
    });
  }
  if (bytes.length > MAX_BYTES)
    throw new WatsError('directory', `${path} is larger than 1 MiB`, { fix: 'Keep only settings in it.' });
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (cause) {
    throw new WatsError('directory', `${path} is not UTF-8`, { fix: 'Save it as UTF-8.', cause });
  }
}

/**
 * The document as a tree.
 * @throws WatsError `setting` with line and column when it is no TOML
 */
export function parseToml({ path, text }: ConfigText): Record<string, unknown> {
  try {
    return parse(text, { unsafeKeyBehaviour: 'throw' });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const what = (cause.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '');
    const where = `${path}:${cause.line}:${cause.column}`;
    throw settingError([{ where, message: `it is no TOML: ${what}`, fix: `Mend line ${cause.line}.` }]);
  }
}

/**
 * Reads what a file sets. Unknown keys and bad values become problems with their place, retired keys warnings.
 * @throws WatsError `setting` when it is no TOML
 */
export function readValues(file: ConfigText, home: string, suggest: Suggest): FileValues {
  const tree = parseToml(file);
  const source = readSource(file.text);
  const where: Where = { home, cwd: null };
  const values: Record<string, unknown> = {};
  const lines = new Map<Key, number>();
  const problems: { at: number; problem: Problem }[] = [];
  const warnings: string[] = [];

  for (const { name, value } of leaves(tree, [])) {
    const at = offsetOf(source, name);
    const { line, column } = positionOf(file.text, at);
    const refuse = (message: string, fix: string) =>
      problems.push({ at, problem: { where: `${file.path}:${line}:${column}`, message, fix } });
    if (isKey(name)) {
      const parsed = settingOf(name).type.parse(value, where);
      lines.set(name, line);
      if ('value' in parsed) values[name] = parsed.value;
      else refuse(`${name} = ${quoted(value)}: ${parsed.wrong}`, parsed.fix);
    } else if (Object.hasOwn(retired, name)) {
      warnings.push(retiredWarning(name));
    } else {
      const unknown = unknownKey(name, value, suggest);
      refuse(unknown.message, unknown.fix);
    }
  }
  return {
    values: values as Partial<Settings>,
    lines,
    problems: problems.toSorted((a, b) => a.at - b.at).map(({ problem }) => problem),
    warnings,
  };
}

export function retiredWarning(name: string): string {
  return `${name} is no longer used (${retired[name] ?? 'retired'}); remove it`;
}

/** What to say of a word that is no key. */
export function unknownKey(name: string, value: unknown, suggest: Suggest): { message: string; fix: string } {
  if (keys.some((key) => key.startsWith(`${name}.`)) && !isTable(value))
    return {
      message: `${name} is a group of settings, not a setting`,
      fix: 'See "wats config list" for those of the group.',
    };
  const near = nearestKey(name, suggest);
  return {
    message: `there is no setting ${quoted(name).slice(1, -1)}`,
    fix: near === undefined ? 'See "wats config list" for all of them.' : `Did you mean ${near}?`,
  };
}

/** By the whole key, else by its last part: `max_turns` alone is `agent.max_turns`. */
function nearestKey(name: string, suggest: Suggest): string | undefined {
  const whole = suggest(name, keys);
  if (whole !== undefined) return whole;
  const last = suggest(lastPart(name), keys.map(lastPart));
  return last === undefined ? undefined : keys.find((key) => lastPart(key) === last);
}

/** The last part of a dotted name. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Every value of the tree by its dotted name; an empty table counts as a value, so that a typo in a header shows. */
function* leaves(
  tree: Record<string, unknown>,
  path: readonly string[],
): Generator<{ name: string; value: unknown }> {
  for (const [part, value] of Object.entries(tree)) {
    const inner = [...path, part];
    const name = dotted(inner);
    const group = keys.some((key) => key.startsWith(`${name}.`));
    if (isTable(value) && !isKey(name) && (group || Object.keys(value).length > 0))
      yield* leaves(value, inner);
    else yield { name, value };
  }
}

/** Where a name is written: its pair, else the header or the pair that it begins with, else the start. */
function offsetOf(source: TomlSource, name: string): number {
  const called = ({ path }: { path: readonly string[] }) => dotted(path);
  const exact = source.pairs.find((pair: Pair) => called(pair) === name);
  if (exact !== undefined) return exact.start;
  const near = [...source.headers, ...source.pairs].find((node) => `${called(node)}.`.startsWith(`${name}.`));
  return near?.start ?? 0;
}
