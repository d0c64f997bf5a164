import { parseArgs } from 'node:util';
import { WatsError } from '../../errors/index.ts';
import { nearest } from '../../text/index.ts';
import type { Command, Flags, Input } from './command.ts';

/**
 * Reads the words after a command. An unknown flag names the nearest known one.
 * @throws WatsError `usage`
 */
export function parseInput(argv: readonly string[], flags: Flags): Input {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      {
        type: flag.type,
        multiple: flag.multiple ?? false,
        ...(flag.short === undefined ? {} : { short: flag.short }),
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (flag === undefined) throw unknownFlag(token.rawName, flags);
    const known = values.get(token.name) ?? [];
    // What looks like the next option is no value, or a forgotten value would swallow it.
    const swallowed = token.inlineValue === false && token.value !== undefined && /^-./.test(token.value);
    if (flag.type === 'string' && (token.value === undefined || swallowed)) {
      throw new WatsError('usage', `--${token.name} needs a value`, {
        fix: `--${token.name} ${flag.value ?? 'VALUE'}`,
      });
    }
    if (flag.type === 'boolean' && token.value !== undefined)
      throw new WatsError('usage', `--${token.name} takes no value`);
    if (known.length > 0 && flag.type === 'string' && !flag.multiple)
      throw new WatsError('usage', `--${token.name} was given twice`);
    values.set(token.name, [...known, token.value ?? '']);
  }
  return {
    words,
    text: (name) => values.get(name)?.at(-1),
    all: (name) => values.get(name) ?? [],
    on: (name) => values.has(name),
  };
}

function unknownFlag(raw: string, flags: Flags): WatsError {
  const names = Object.keys(flags).map((name) => `--${name}`);
  const near = nearest(raw, names);
  return new WatsError('usage', `there is no option ${raw}`, {
    fix: near === undefined ? 'see --help' : `did you mean ${near}?`,
  });
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const rows = Object.entries(command.flags)
    .filter(([, flag]) => !flag.hidden)
    .map(([name, flag]) => {
      const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
      const value = flag.type === 'string' ? ` ${flag.value ?? 'VALUE'}` : '';
      return [`${short}--${name}${value}`, flag.help] as const;
    });
  const width = Math.min(34, Math.max(0, ...rows.map(([left]) => left.length)));
  const flags = rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
  return [
    ...command.usage.map((line, i) => (i === 0 ? `Usage: ${line}` : `       ${line}`)),
    '',
    command.about,
    '',
    'Options:',
    ...flags,
    '',
  ].join('\n');
}
