import { flagsFromTable } from './flags.ts';
import { keys } from './table.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A command as the help lists it; a name of two words is a subcommand. */
export interface CommandName {
  readonly name: string;
  readonly summary: string;
}

const CONFIG_WORDS = ['get', 'set', 'unset', 'list', 'ack'];
const KEYED = ['get', 'set', 'unset'];

/** A script for a shell that completes commands, the keys of `wats config`, flags of settings and their words. */
export function completions(shell: Shell, commands: readonly CommandName[]): string {
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))].toSorted();
  const second = new Map<string, readonly string[]>(
    first.map((word) => [
      word,
      commands
        .filter(({ name }) => name.startsWith(`${word} `))
        .map(({ name }) => name.slice(word.length + 1)),
    ]),
  );
  second.set('config', CONFIG_WORDS);
  const flags = Object.entries(flagsFromTable()).map(([name, flag]) => ({
    name,
    words: wordsOf(flag.value),
    takes: flag.type === 'string',
    help: flag.help,
  }));
  const tree = { first, second: [...second].filter(([, words]) => words.length > 0), flags };
  switch (shell) {
    case 'bash':
      return bash(tree);
    case 'zsh':
      return zsh(tree);
    case 'fish':
      return fish(tree, commands);
    default:
      return shell satisfies never;
  }
}

interface Tree {
  readonly first: readonly string[];
  readonly second: readonly (readonly [string, readonly string[]])[];
  readonly flags: readonly {
    readonly name: string;
    readonly words: readonly string[];
    readonly takes: boolean;
    readonly help: string;
  }[];
}

function bash({ first, second, flags }: Tree): string {
  const reply = (words: readonly string[]) => `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur"))`;
  return `${[
    '_wats() {',
    `  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}`,
    '  COMPREPLY=()',
    '  case $prev in',
    ...flags
      .filter(({ words }) => words.length > 0)
      .map(({ name, words }) => `    --${name}) ${reply(words)}; return ;;`),
    '  esac',
    `  if [[ $cur == -* ]]; then ${reply(flags.map(({ name }) => `--${name}`))}; return; fi`,
    `  if ((COMP_CWORD == 1)); then ${reply(first)}; return; fi`,
    `  if ((COMP_CWORD == 2)); then case \${COMP_WORDS[1]} in`,
    ...second.map(([word, words]) => `    ${word}) ${reply(words)}; return ;;`),
    '  esac; fi',
    `  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in`,
    `    ${KEYED.map((word) => `"config ${word}"`).join('|')}) ((COMP_CWORD == 3)) && ${reply(keys)} ;;`,
    '  esac',
    '}',
    'complete -o default -F _wats wats',
  ].join('\n')}\n`;
}

function zsh({ first, second, flags }: Tree): string {
  const add = (words: readonly string[]) => `compadd -- ${words.join(' ')}`;
  return `${[
    '#compdef wats',
    '_wats() {',
    '  case $words[CURRENT-1] in',
    ...flags
      .filter(({ words }) => words.length > 0)
      .map(({ name, words }) => `    --${name}) ${add(words)}; return ;;`),
    '  esac',
    `  if [[ $words[CURRENT] == -* ]]; then ${add(flags.map(({ name }) => `--${name}`))}; return; fi`,
    `  if ((CURRENT == 2)); then ${add(first)}; return; fi`,
    '  if ((CURRENT == 3)); then case $words[2] in',
    ...second.map(([word, words]) => `    ${word}) ${add(words)}; return ;;`),
    '  esac; fi',
    '  case "$words[2] $words[3]" in',
    `    ${KEYED.map((word) => `"config ${word}"`).join('|')}) ((CURRENT == 4)) && ${add(keys)} && return ;;`,
    '  esac',
    '  _files',
    '}',
    'if [[ $funcstack[1] == _wats ]]; then _wats "$@"; else compdef _wats wats; fi',
  ].join('\n')}\n`;
}

function fish({ second, flags }: Tree, commands: readonly CommandName[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const one = commands.filter(({ name }) => !name.includes(' '));
  const groups = second.filter(([word]) => !one.some(({ name }) => name === word));
  const line = (...parts: readonly string[]) => `complete -c wats ${parts.join(' ')}`;
  return `${[
    ...one.map(({ name, summary }) => line('-n __fish_use_subcommand', `-a ${name}`, `-d ${quote(summary)}`)),
    ...groups.map(([word, words]) =>
      line('-n __fish_use_subcommand', `-a ${word}`, `-d ${quote(words.join(', '))}`),
    ),
    ...second.map(([word, words]) => {
      const unanswered = `__fish_seen_subcommand_from ${word}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
      return line('-f', `-n ${quote(unanswered)}`, `-a ${quote(words.join(' '))}`);
    }),
    line(
      '-f',
      `-n ${quote(`__fish_seen_subcommand_from config; and __fish_seen_subcommand_from ${KEYED.join(' ')}`)}`,
      `-a ${quote(keys.join(' '))}`,
    ),
    ...flags.map(({ name, words, takes, help }) =>
      line(
        `-l ${name}`,
        ...(takes ? ['-x'] : []),
        ...(words.length > 0 ? [`-a ${quote(words.join(' '))}`] : []),
        `-d ${quote(help)}`,
      ),
    ),
  ].join('\n')}\n`;
}

/** The words of a placeholder like `read|managed`. */
function wordsOf(placeholder: string | undefined): readonly string[] {
  return placeholder?.includes('|') ? placeholder.split('|') : [];
}
