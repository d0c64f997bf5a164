import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { describeSource, keys, settingOf, showValue } from '../config/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Places } from '../paths/index.ts';
import { SCHEMA_VERSION } from '../store/index.ts';
import type { Command, Context, Input } from './support/command.ts';
import { withDaemon } from './support/place.ts';
import { print } from './support/print.ts';
import { loadFor, placesFor } from './support/start.ts';

const LOG_LINES = 200;
/** Settings whose values say how wats behaves, not who uses it. The rest is only said to be set or not. */
const PLAIN =
  /^(infra|relay\.|store\.|halt\.accept|mcp\.|log\.|ui\.theme|ui\.mouse|agent\.(runtime|model|access|every|heartbeat|max_|timeout|stall|review|wake|loop|ignore|notify))/;

export const command: Command = {
  usage: ['wats report [FILE]'],
  about:
    'Makes a report for a bug: versions, settings, counts and the end of the log, without keys, texts, names or paths. Shows it before it writes it.',
  flags: { yes: { type: 'boolean', short: 'y', help: 'write without asking' } },
  async run(input, context) {
    const places = placesFor(input, context);
    const text = await report(input, context, places);
    const [name] = input.words;
    print(context.stdout, text);
    if (name === undefined) return 0;
    const path = resolve(context.cwd, name);
    if (existsSync(path))
      throw new WatsError('failed', `${path} is there already`, { fix: 'name another file' });
    if (!input.on('yes') && !(await confirmed(path, context))) {
      print(context.stderr, 'nothing was written');
      return 0;
    }
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    print(context.stderr, `written to ${path}`);
    return 0;
  },
};

async function report(input: Input, context: Context, places: Places): Promise<string> {
  const lines = [
    `wats ${context.version}, schema ${SCHEMA_VERSION}`,
    `node ${process.versions.node} on ${context.platform} ${process.arch} ${release()}`,
    '',
    '## Settings',
    ...settingLines(places, context),
    '',
    '## Daemon',
    await daemonLines(input, context),
    '',
    `## Log, the last ${LOG_LINES} lines`,
    ...logLines(places),
  ];
  return redacted(lines.join('\n'), context, places);
}

function settingLines(places: Places, context: Context): string[] {
  try {
    const loaded = loadFor(places, new Map(), context);
    return keys
      .filter((key) => loaded.sources[key].kind !== 'default')
      .map((key) => {
        const value = PLAIN.test(key) ? showValue(key, loaded.settings[key]) : 'set';
        return `${key} = ${value}${settingOf(key).safety ? ' *' : ''} (${describeSource(loaded.sources[key])})`;
      });
  } catch (error) {
    return [`settings cannot be read: ${error instanceof Error ? error.name : 'unknown'}`];
  }
}

async function daemonLines(input: Input, context: Context): Promise<string> {
  try {
    const status = (await withDaemon(input, context, (client) => client.call('status'))) as Record<
      string,
      unknown
    >;
    const {
      version,
      posts,
      peersConnected,
      peersKnown,
      pendingDrafts,
      unacknowledged,
      halted,
      alerts,
      spend,
    } = status;
    const codes = Array.isArray(alerts) ? alerts.map((alert) => (alert as { code: string }).code) : [];
    return JSON.stringify(
      {
        version,
        posts,
        peersConnected,
        peersKnown,
        pendingDrafts,
        unacknowledged,
        halted,
        alerts: codes,
        spend,
      },
      null,
      2,
    );
  } catch (error) {
    return `not running (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`;
  }
}

function logLines(places: Places): string[] {
  if (!existsSync(places.log)) return ['no log'];
  return readFileSync(places.log, 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
}

/** Keys, ids, node ids, addresses, the home directory and the user's name are replaced wherever they stand. */
function redacted(text: string, context: Context, places: Places): string {
  return text
    .replaceAll(places.dir, '<data directory>')
    .replaceAll(context.home, '<home>')
    .replace(/\b[0-9a-f]{15,128}\b/g, (hex) => `<${hex.length} hex digits>`)
    .replace(/\b12D3KooW[1-9A-HJ-NP-Za-km-z]+\b/g, '<node id>')
    .replace(/\/(ip4|ip6|dns|dns4|dns6)\/[^/\s"]+/g, '/$1/<host>')
    .replaceAll(new RegExp(`\\b${context.user.replace(/[^\w-]/g, '.')}\\b`, 'g'), '<user>');
}

async function confirmed(path: string, context: Context): Promise<boolean> {
  if (!context.stdin.isTTY) throw new WatsError('usage', 'writing a report without a terminal needs --yes');
  const prompt = createInterface({ input: context.stdin, output: context.stdout });
  try {
    return /^y(es)?$/i.test((await prompt.question(`write this to ${path}? [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}
