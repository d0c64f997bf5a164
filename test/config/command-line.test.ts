import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  completions,
  flagsFromTable,
  flagValues,
  keys,
  settingsReference,
  variableOf,
} from '../../src/config/index.ts';
import { flags, load, refusal } from './support.ts';

describe('flags', () => {
  test('plain runner flags stand for their settings', () => {
    const { settings } = load(
      '',
      {},
      flags(
        ['every', '5s'],
        ['heartbeat', '1h'],
        ['max-runs-per-hour', '2'],
        ['run-timeout', '1m'],
        ['allow', 'ab'.repeat(32)],
        ['profile', 'p'],
        ['agent', 'codex'],
      ),
    );
    expect(settings).toMatchObject({
      'agent.every': 5000,
      'agent.heartbeat': 3_600_000,
      'agent.max_runs_per_hour': 2,
      'agent.timeout': 60_000,
      'agent.allow': ['ab'.repeat(32)],
      profile: 'p',
      'agent.runtime': 'codex',
    });
  });

  test('lists may be given item by item, truths have a "no-"', () => {
    const { settings } = load(
      '',
      {},
      flags(['agent-tools', 'Read', 'Grep'], ['no-agent-review'], ['ui-mouse']),
    );
    expect(settings).toMatchObject({
      'agent.tools': ['Read', 'Grep'],
      'agent.review': false,
      'ui.mouse': true,
    });
  });

  test('one setting is given once', () => {
    expect(refusal(() => flags(['every', '5s'], ['agent-every', '6s'])).message).toBe(
      '--agent-every and --every are the same setting',
    );
    expect(refusal(() => flags(['agent-review'], ['no-agent-review'])).code).toBe('usage');
  });

  test('are what parseArgs takes', () => {
    const table = flagsFromTable();
    const options = Object.fromEntries(
      Object.entries(table).map(([name, { type, multiple }]) => [name, { type, multiple }]),
    );
    const { values } = parseArgs({
      args: ['--every=5s', '--no-agent-review', '--allow', 'a', '--allow', 'b'],
      options,
    });
    const read = flagValues({
      on: (name) => name in values,
      all: (name) => [values[name] ?? []].flat().map(String),
    });
    expect([...read]).toEqual([
      ['agent.every', { name: '--every', text: '5s' }],
      ['agent.allow', { name: '--allow', text: 'a,b' }],
      ['agent.review', { name: '--no-agent-review', text: 'false' }],
    ]);
  });

  test('every key has a flag and a variable of its own', () => {
    const names = keys.map((key) => key.replaceAll('.', '-').replaceAll('_', '-'));
    expect(names.filter((name) => !Object.hasOwn(flagsFromTable(), name))).toEqual([]);
    expect(new Set(keys.map(variableOf)).size).toBe(keys.length);
  });
});

test('docs/settings.md is what the table says', () => {
  expect(readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')).toBe(settingsReference());
});

const COMMANDS = [
  { name: 'status', summary: 'the node' },
  { name: 'config', summary: 'settings' },
  { name: 'agent approve', summary: "publish 'drafts'" },
  { name: 'agent attach', summary: 'the screen' },
];

describe('completions', () => {
  /** What bash offers for a line that ends in the word to complete. */
  function offered(...words: string[]): string[] {
    const script = `${completions('bash', COMMANDS)}
      COMP_WORDS=(wats "$@"); COMP_CWORD=$#; _wats; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((word) => word !== '');
  }

  test('bash completes commands, subcommands, keys, flags and their words', () => {
    expect(offered('')).toEqual(['agent', 'config', 'status']);
    expect(offered('st')).toEqual(['status']);
    expect(offered('agent', 'a')).toEqual(['approve', 'attach']);
    expect(offered('config', '')).toEqual(['get', 'set', 'unset', 'list', 'ack']);
    expect(offered('config', 'set', 'agent.max_t')).toEqual(['agent.max_turns', 'agent.max_tokens_per_run']);
    expect(offered('config', 'list', '')).toEqual([]);
    expect(offered('--no-agent-r')).toEqual(['--no-agent-review']);
    expect(offered('--agent-access', '')).toEqual(['locked', 'workspace', 'inherit']);
    expect(offered('status', 'x')).toEqual([]);
  });

  test('zsh and fish scripts name the same words, and quote what people wrote', () => {
    const zsh = completions('zsh', COMMANDS);
    const fish = completions('fish', COMMANDS);
    for (const script of [zsh, fish]) {
      for (const word of [
        'agent.max_turns',
        'approve attach',
        'locked workspace inherit',
        'agent-max-usd-per-day',
      ])
        expect(script).toContain(word);
    }
    expect(zsh).toMatch(/^#compdef wats\n/);
    expect(fish.split('\n').filter((row) => row !== '' && !row.startsWith('complete -c wats '))).toEqual([]);
    for (const row of fish.split('\n'))
      expect((row.replaceAll("\\'", '').match(/'/g)?.length ?? 0) % 2).toBe(0);
  });
});
