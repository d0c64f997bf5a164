import { otherVariables, variableOf } from './environment.ts';
import { flagOf } from './flags.ts';
import { showValue } from './load.ts';
import { type Key, keys, retired, settingOf } from './table.ts';

const GROUPS: readonly { readonly title: string; readonly of: (key: Key) => boolean }[] = [
  { title: 'The node', of: (key) => !key.startsWith('agent.') && !key.startsWith('ui.') },
  { title: 'The live screen', of: (key) => key.startsWith('ui.') },
  { title: 'The agent', of: (key) => key.startsWith('agent.') && !key.startsWith('agent.openclaw_') },
  { title: 'OpenClaw', of: (key) => key.startsWith('agent.openclaw_') },
];

/** docs/settings.md, whole. */
export function settingsReference(): string {
  return [
    '# Settings',
    '',
    'Generated from `src/config/table.ts`: change it there.',
    '',
    'A value comes from a flag, else from a `WATS_*` variable, else from `config.toml` in the data directory, else',
    'it is the default. `wats config list` shows every value with where it comes from. Flags never write the file;',
    '`wats config set KEY VALUE` and `wats config unset KEY` do, and keep your comments. A running node keeps the',
    'values that it started with.',
    '',
    `The variable of a key is the key in capitals, with \`_\` for dots: \`agent.max_turns\` is \`${variableOf('agent.max_turns')}\`,`,
    `its flag \`${flagOf('agent.max_turns')}\`. Variables that are empty count as not set. A setting that is true or false has two flags,`,
    `\`${flagOf('agent.review')}\` and \`--no-${flagOf('agent.review').slice(2)}\`. Lists in flags and variables are written with commas, or as TOML: \`["a", "b"]\`.`,
    '',
    'Durations have a unit: `"30s"`, `"10m"`, `"48h"`, `"7d"`; a bare number is refused. Money is in US dollars, with',
    'up to six decimals. 0 is a limit like any other: it means "off" or "unlimited" only where the table says so,',
    'and never for money.',
    '',
    '**S** marks a safety key. `safety.json` holds the values that you acknowledged; a difference is shown at start,',
    'by `wats status` and on the screen until `wats config ack`.',
    ...GROUPS.flatMap(({ title, of }) => ['', `## ${title}`, '', ...tableOf(keys.filter(of))]),
    '',
    '## What belongs together',
    '',
    '- `agent.access = "workspace"` needs `agent.workdir`.',
    '- `agent.access = "inherit"` needs `agent.allow` and `agent.review = true`.',
    '- `agent.runtime = "command"` needs `agent.command`.',
    '- `infra = "default"` needs `seeds`, or `relay.serve = true`.',
    '- `relay.serve = true` needs something to listen on.',
    '- `agent.workdir` may not be or contain the data directory.',
    '',
    '## No longer used',
    '',
    ...Object.entries(retired).map(
      ([key, why]) =>
        `- \`${key}\` (${why}): ignored with a warning; \`wats config unset ${key}\` removes it.`,
    ),
    '',
    '## Variables that are no settings',
    '',
    ...Object.entries(otherVariables).map(([name, what]) => `- \`${name}\`: ${what}.`),
    '',
  ].join('\n');
}

function tableOf(group: readonly Key[]): readonly string[] {
  return ['| key | value | default | |', '| --- | --- | --- | --- |', ...group.map(rowOf)];
}

function rowOf(key: Key): string {
  const { type, doc, safety, flags, initial } = settingOf(key);
  const fixed = initial({ user: '<OS user>', runtime: null });
  const claude = initial({ user: '<OS user>', runtime: 'claude' });
  const standard = `\`${showValue(key, fixed)}\`${claude === fixed || Array.isArray(fixed) || (typeof fixed === 'object' && fixed !== null) ? '' : `; \`${showValue(key, claude)}\` for claude`}`;
  const zero =
    type.zeroMeans === undefined || type.zeroMeans === showValue(key, 0).replaceAll('"', '')
      ? ''
      : `; 0 is ${type.zeroMeans}`;
  const also = flags.length === 0 ? '' : ` Also ${flags.map((flag) => `\`--${flag}\``).join(', ')}.`;
  const cells = [
    `\`${key}\`${safety ? ' **S**' : ''}`,
    `${type.says}${zero}`,
    standard,
    `${capital(doc)}.${also}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
