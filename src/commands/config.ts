import { createInterface } from 'node:readline/promises';
import {
  type Change,
  describeSource,
  diffSafety,
  isKey,
  type Key,
  keys,
  readSafety,
  realPath,
  recordSafety,
  saveSettings,
  settingOf,
  showValue,
} from '../config/index.ts';
import { WatsError } from '../errors/index.ts';
import { type Places, prepareDirectory } from '../paths/index.ts';
import { nearest } from '../text/index.ts';
import { actionOf } from './support/actions.ts';
import type { Command, Context, Input } from './support/command.ts';
import { refuseInsideRun } from './support/person.ts';
import { print, printJson, table, widthOf } from './support/print.ts';
import { loadFor, placesFor } from './support/start.ts';

const NONE = new Map();

const ACTIONS: Readonly<
  Record<string, (input: Input, context: Context, places: Places) => Promise<void> | void>
> = {
  list(input, context, places) {
    const loaded = loadFor(places, NONE, context);
    const rows = keys.map((key) => ({
      key,
      value: showValue(key, loaded.settings[key]),
      source: describeSource(loaded.sources[key]),
      safety: settingOf(key).safety,
      doc: settingOf(key).doc,
    }));
    if (input.on('json')) {
      printJson(context, rows);
      return;
    }
    const text = table(
      rows,
      [
        { title: 'key', cell: (row) => `${row.key}${row.safety ? ' *' : ''}` },
        { title: 'value', cell: (row) => row.value, flex: true },
        { title: 'from', cell: (row) => row.source },
        { title: 'what it is', cell: (row) => row.doc, flex: true },
      ],
      widthOf(context),
    );
    print(context.stdout, `${text}\n\n* a safety key: its change is flagged until "wats config ack"`);
    for (const warning of loaded.warnings) print(context.stderr, `wats: ${warning}`);
  },

  get(input, context, places) {
    const key = keyOf(input);
    const loaded = loadFor(places, NONE, context);
    if (input.on('json'))
      printJson(context, { key, value: loaded.settings[key], source: describeSource(loaded.sources[key]) });
    else print(context.stdout, showValue(key, loaded.settings[key]));
  },

  set(input, context, places) {
    change(changesOf(input.words.slice(1)), input, context, places);
  },

  unset(input, context, places) {
    const [, ...unset] = input.words;
    if (unset.length === 0)
      throw new WatsError('usage', 'a key is missing', { fix: 'wats config unset KEY' });
    change(
      unset.map((key) => ({ key, text: null })),
      input,
      context,
      places,
    );
  },

  async ack(_input, context, places) {
    const loaded = loadFor(places, NONE, context);
    const changes = diffSafety(loaded, readSafety(places.safety), true);
    if (changes.length === 0) {
      print(context.stdout, 'nothing to acknowledge: every safety setting is as you acknowledged it');
      return;
    }
    for (const { key, acknowledged, now } of changes)
      print(context.stdout, `${key}: ${acknowledged ?? 'never acknowledged'} → ${now}`);
    if (!context.stdin.isTTY || !context.stdout.isTTY)
      throw new WatsError('usage', 'acknowledging needs a terminal');
    const prompt = createInterface({ input: context.stdin, output: context.stdout });
    try {
      const answer = await prompt.question('acknowledge these? [y/N] ');
      if (!/^y(es)?$/i.test(answer.trim())) {
        print(context.stdout, 'nothing was acknowledged');
        return;
      }
    } finally {
      prompt.close();
    }
    recordSafety(places.safety, loaded.underneath);
    print(context.stdout, 'acknowledged');
  },
};

export const command: Command = {
  usage: [
    'wats config list',
    'wats config get KEY',
    'wats config set KEY VALUE',
    'wats config set KEY=VALUE…',
    'wats config unset KEY…',
    'wats config ack',
  ],
  about:
    'Settings, in config.toml of the data directory. Several that depend on one another are set in one call, as ' +
    'KEY=VALUE. A running daemon keeps the values that it started with.',
  flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
  async run(input, context) {
    const { name, act } = actionOf('config', ACTIONS, input);
    if (name === 'set' || name === 'unset' || name === 'ack')
      await refuseInsideRun('change what keeps it in check', context);
    await act(input, context, placesFor(input, context));
    return 0;
  },
};

function keyOf(input: Input): Key {
  const [, word] = input.words;
  if (word === undefined) throw new WatsError('usage', 'a key is missing', { fix: 'wats config get KEY' });
  if (isKey(word)) return word;
  const near = nearest(word, keys);
  throw new WatsError('setting', `there is no setting "${word}"`, {
    fix: near === undefined ? 'see "wats config list"' : `did you mean ${near}?`,
  });
}

/** `KEY VALUE`, whose value may be several words, or any number of `KEY=VALUE`: no key has a "=" in it. */
function changesOf(words: readonly string[]): readonly Change[] {
  const [first, ...rest] = words;
  if (first !== undefined && !first.includes('=') && rest.length > 0)
    return [{ key: first, text: rest.join(' ') }];
  if (first === undefined || !first.includes('='))
    throw new WatsError('usage', 'a key and a value are missing', { fix: 'wats config set KEY VALUE' });
  return words.map((word) => {
    const at = word.indexOf('=');
    if (at < 1)
      throw new WatsError('usage', `"${word}" is not KEY=VALUE`, {
        fix: 'write all of them as KEY=VALUE, with quotes around a value that has spaces',
      });
    return { key: word.slice(0, at), text: word.slice(at + 1) };
  });
}

/** All of the changes, or none. */
function change(changes: readonly Change[], input: Input, context: Context, places: Places): void {
  prepareDirectory(places, context.uid);
  const saved = saveSettings(places.config, changes, {
    user: context.user,
    home: context.home,
    cwd: context.cwd,
    suggest: nearest,
    dataDir: places.dir,
    realPath,
  });
  if (input.on('json')) printJson(context, saved);
  else
    for (const { key, text } of changes)
      print(
        context.stdout,
        saved.changed.includes(key)
          ? `${key} ${text === null ? 'unset' : 'set'}; a running daemon takes it up when it is restarted`
          : `${key} is as it was`,
      );
  if (saved.flagged.length > 0)
    print(
      context.stderr,
      `${saved.flagged.join(', ')} ${saved.flagged.length === 1 ? 'is a safety setting' : 'are safety settings'}: flagged until "wats config ack"`,
    );
}
