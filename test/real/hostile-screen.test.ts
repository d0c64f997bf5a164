import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, watsJson } from '../support/node.ts';
import type { Pty } from '../support/pty.ts';
import { ESCAPES, UNSEEN } from '../support/terminal-attacks.ts';
import { agentDirectory, open } from './support/screens.ts';

const ATTACKER = join(import.meta.dirname, 'support/attacking-agent.mjs');

/** Every sequence that wats itself has a reason to send; anything else in its output came from somebody else. */
const OURS: readonly RegExp[] = [
  /^\x1b\[[\d;]*m$/, // looks
  /^\x1b\[\d*[ABCDEFGHJK]$/, // the cursor and erasing, as Ink draws rows
  /^\x1b\[\d*;\d*H$/,
  /^\x1b\[\?(25|7|1000|1002|1003|1006|1049|2004|2026)[hl]$/,
  /^\x1b\[\?1007[hlrs]$/,
  /^\x1b\[2[23];2t$/, // keeping the title, and giving it back
  /^\x1b\]2;wats[ -~●·]*\x07$/,
  /^\x1b[78]$/,
  /^\x1b\]11;\?\x1b\\$/, // which background the terminal has, and what it is: asked before the screen is up
  /^\x1b\[c$/,
  /^\x1b\[\?u$/, // whether the terminal knows more keys
  /^\x1b\[[<>]\d*u$/,
];
const SEQUENCE =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][\s\S]*?\x1b\\|[ -/]*[0-~])/g;
/** Controls but the newline and what goes with it, bidirectional and invisible characters, by the Unicode charts. */
const UNSEEN_OUT = inAny([
  ...[
    [0x00, 0x09],
    [0x0b, 0x0c],
    [0x0e, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
  ],
  ...[
    [0x115f, 0x1160],
    [0x200b, 0x200b],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
  ],
  ...[
    [0x3164, 0x3164],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xe0000, 0xe007f],
    [0xe0100, 0xe01ef],
  ],
]);

function inAny(ranges: readonly (readonly number[])[]): RegExp {
  const hex = (code = 0): string => `\\u{${code.toString(16)}}`;
  return new RegExp(`[${ranges.map(([from, to]) => `${hex(from)}-${hex(to)}`).join('')}]`, 'u');
}

function strange(written: string): string[] {
  const sequences = (written.match(SEQUENCE) ?? []).filter((one) => !OURS.some((ours) => ours.test(one)));
  const rest = written.replace(SEQUENCE, '');
  const at = UNSEEN_OUT.exec(rest)?.index;
  return [
    ...new Set(sequences.map((one) => JSON.stringify(one))),
    ...(at === undefined ? [] : [JSON.stringify(rest.slice(Math.max(0, at - 30), at + 10))]),
  ];
}

async function look(terminal: Pty, key: string, sought: string | RegExp): Promise<void> {
  terminal.type(key);
  const text = await terminal.until(sought);
  for (const row of text.split('\n').filter((line) => /^[╭│╰]/.test(line)))
    expect(row, `a torn row after ${JSON.stringify(key)}`).toMatch(/[╮│┃╯]$/);
}

/** An attack as the agent says it, its name before it: no sequence of ours follows those words. */
const said = ([what, attack]: readonly [string, string]): string => `${what}: ${attack}`;

test('what the test looks for is seen where it is', () => {
  const missed = Object.entries(ESCAPES)
    .filter(([, attack]) => strange(`before ${attack} after`).length === 0)
    .map(([what]) => what);
  // Made of nothing but sequences that wats sends as well: only the words before them tell whose they are.
  expect(missed).toEqual([
    'clears the screen',
    'moves up and writes over',
    'switches the mouse on',
    'switches bracketed paste off',
    'hides the cursor',
    'colours what follows',
    'goes back over the line',
  ]);
});

test('whatever an agent and posts say, in every view, nothing reaches the terminal but what wats sends', async () => {
  const dir = agentDirectory([process.execPath, ATTACKER]);
  const terminal = open(['--dir', dir]);
  await terminal.until('No run yet');
  const titled = Object.values(UNSEEN).filter((text) => [...text].length <= 190);
  for (const title of titled) await watsJson(['post', 'a note', '--kind', 'note', '--title', title], { dir });
  const { id } = await watsJson<{ id: string }>(['ask', Object.values(UNSEEN).join('\n')], { dir });
  await eventually(async () => (await watsJson<unknown[]>(['agent', 'pending'], { dir })).length > 0);
  await terminal.until('That was all of it.');

  await look(terminal, '\x1b[Z', /╭▸Queue/);
  await look(terminal, '\t', /╭▸Run r-/);
  for (const key of ['k', 'k', 'g', '\r', ' ', 'G', 'W', 'L', 'L', 'H', 'W'])
    await look(terminal, key, /╭▸Run r-/);
  for (let at = 0; at < 25; at += 1) await look(terminal, '\x15', /╭▸Run r-/);
  await look(terminal, '2', /Drafts 1/);
  await look(terminal, '\r', /Draft: answer/);
  await look(terminal, 'G', /P publishes this/);
  await look(terminal, '\t', /Draft: answer/);
  await look(terminal, '\x1b', /\[2 drafts\]/);
  await look(terminal, '3', /Runs 1/);
  await look(terminal, '4', /Posts/);
  for (let at = 0; at < titled.length; at += 1) await look(terminal, 'j', /Posts/);
  await look(terminal, 'g', /Posts/);
  await look(terminal, '\r', new RegExp(`Thread ${id.slice(0, 4)}`));
  await look(terminal, 'G', /Thread/);
  await look(terminal, 'w', /Why ask/);
  await look(terminal, '\x1b', /Thread/);
  await look(terminal, '\x1b', /Posts/);
  await look(terminal, '6', /Log/);
  await look(terminal, 's', /Search the swarm/);
  await look(terminal, 'note', /words: note/);
  await look(terminal, '\r', /1 of \d+/);
  await look(terminal, '\x1b', /Log/);
  // The wide of a terminal, the narrow of one.
  for (const [columns, rows] of [
    [60, 15],
    [200, 60],
    [83, 20],
  ] as const) {
    terminal.resize(columns, rows);
    await look(terminal, '1', /Run r-/);
    await look(terminal, '4', /Posts/);
  }
  expect(strange(terminal.written)).toEqual([]);
  for (const attack of Object.entries(ESCAPES)) expect(terminal.written).not.toContain(said(attack));

  terminal.type('q');
  await terminal.until('▸ 1 quit');
  terminal.type('\r');
  expect(await terminal.ended).toBe(0);
  expect(await terminal.inOrder()).toBe(true);
});

test('the linear mode prints not one escape of theirs either', async () => {
  const dir = agentDirectory([process.execPath, ATTACKER]);
  const terminal = open(['--plain', '--dir', dir]);
  await terminal.until('choices: s status');
  await watsJson(['ask', Object.values(UNSEEN).join('\n')], { dir });
  await eventually(() => terminal.written.includes('new draft: answer'));
  terminal.type('d');
  await terminal.until('reads a draft in full');
  terminal.type('1');
  for (;;) {
    const text = await terminal.until(/P publishes exactly this|Space reads on|end of the draft/);
    if (text.includes('end of the draft')) break;
    terminal.type(' ');
    await terminal.until((now) => now !== text);
  }
  expect(terminal.written).not.toContain('\x1b');
  expect(strange(terminal.written)).toEqual([]);
});
