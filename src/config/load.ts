import { variableOf, variableValues } from './environment.ts';
import { type ConfigText, type FileValues, readValues } from './file.ts';
import type { FlagValues } from './flags.ts';
import { isSome, type Problem, type Suggest, settingError } from './problems.ts';
import { brokenRules, type RuleFacts } from './rules.ts';
import { type Key, keys, type Settings, safetyKeys, settingOf } from './table.ts';
import { literal, quoted, type Where } from './value.ts';

/** Where a value comes from. */
export type Source =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'default' };

/** What loading needs to know of the machine and the person. */
export interface Surroundings extends RuleFacts {
  /** The name of the operating-system user. */
  readonly user: string;
  readonly home: string;
  /** The working directory, for paths in flags. */
  readonly cwd: string;
  readonly suggest: Suggest;
}

export interface Inputs {
  readonly flags: FlagValues;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `undefined` when there is no config.toml. */
  readonly file: ConfigText | undefined;
}

export interface Loaded {
  readonly settings: Settings;
  readonly sources: Readonly<Record<Key, Source>>;
  /**
   * What the file and the defaults say, without flags and variables, and for a default that depends on the runtime
   * as if there were none: what safety.json is compared with. Choosing a runtime then changes no safety key.
   */
  readonly underneath: Settings;
  /** Every setting as if nobody had set anything. */
  readonly defaults: Settings;
  /** One sentence each: retired keys, `WATS_*` variables that nothing reads. */
  readonly warnings: readonly string[];
}

type Values = Partial<Record<Key, unknown>>;

/**
 * Every setting with its source. Flags go before variables, variables before the file, the file before defaults.
 *
 * @throws WatsError `setting` that names every unknown key, bad value and broken rule, with file, line and
 *   column, and what to write instead
 */
export function loadSettings(inputs: Inputs, around: Surroundings): Loaded {
  const problems: Problem[] = [];
  const file: FileValues =
    inputs.file === undefined
      ? { values: {}, lines: new Map(), problems: [], warnings: [] }
      : readValues(inputs.file, around.home, around.suggest);
  problems.push(...file.problems);
  const {
    values: fromEnv,
    problems: badEnv,
    warnings,
  } = variableValues(inputs.env, around.home, around.suggest);
  problems.push(...badEnv);
  const { values: fromFlags, problems: badFlags } = readFlags(inputs.flags, around);
  problems.push(...badFlags);
  if (isSome(problems)) throw settingError(problems);

  const settings = withDefaults({ ...file.values, ...fromEnv, ...fromFlags }, around.user);
  const broken = brokenRules(settings, around);
  if (isSome(broken)) throw settingError(broken);

  const sourceOf = (key: Key): Source => {
    const flag = inputs.flags.get(key);
    if (flag !== undefined) return { kind: 'flag', name: flag.name };
    if (Object.hasOwn(fromEnv, key)) return { kind: 'variable', name: variableOf(key) };
    const line = file.lines.get(key);
    if (line !== undefined && inputs.file !== undefined)
      return { kind: 'file', path: inputs.file.path, line };
    return { kind: 'default' };
  };
  return {
    settings,
    sources: Object.fromEntries(keys.map((key) => [key, sourceOf(key)])) as Record<Key, Source>,
    underneath: withDefaults(file.values, around.user, null),
    defaults: withDefaults({}, around.user, null),
    warnings: [...file.warnings, ...warnings],
  };
}

/** `--agent-max-turns`, `WATS_AGENT_MAX_TURNS`, `config.toml:12`, `default`. */
export function describeSource(source: Source): string {
  switch (source.kind) {
    case 'flag':
    case 'variable':
      return source.name;
    case 'file':
      return `${source.path.slice(source.path.lastIndexOf('/') + 1)}:${source.line}`;
    case 'default':
      return 'default';
    default:
      return source satisfies never;
  }
}

/** Safety keys that flags or variables set to something else than the file and the defaults say: for the banner. */
export function loosened(loaded: Loaded): readonly { readonly key: Key; readonly source: Source }[] {
  return safetyKeys
    .filter((key) => ['flag', 'variable'].includes(loaded.sources[key].kind))
    .filter((key) => showValue(key, loaded.settings[key]) !== showValue(key, loaded.underneath[key]))
    .map((key) => ({ key, source: loaded.sources[key] }));
}

/** A value as it would stand in config.toml; `unset` for none. */
export function showValue(key: Key, value: unknown): string {
  return value === null || value === undefined ? 'unset' : literal(settingOf(key).type.plain(value));
}

/** What is missing filled in. The default of one setting depends on the runtime: that of the values, if not given. */
export function withDefaults(
  values: Values,
  user: string,
  runtime = (values['agent.runtime'] ?? null) as Settings['agent.runtime'],
): Settings {
  return Object.fromEntries(
    keys.map((key) => [
      key,
      Object.hasOwn(values, key) ? values[key] : settingOf(key).initial({ user, runtime }),
    ]),
  ) as unknown as Settings;
}

function readFlags(
  flags: FlagValues,
  around: Surroundings,
): { values: Values; problems: readonly Problem[] } {
  const where: Where = { home: around.home, cwd: around.cwd };
  const values: Values = {};
  const problems: Problem[] = [];
  for (const [key, { name, text }] of flags) {
    const parsed = settingOf(key).type.parseText(text, where);
    if ('value' in parsed) values[key] = parsed.value;
    else problems.push({ where: name, message: `${quoted(text)}: ${parsed.wrong}`, fix: parsed.fix });
  }
  return { values, problems };
}
