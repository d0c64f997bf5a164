import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dataDirectory } from '../support/node.ts';
import {
  afterwards,
  answeringDirectory,
  daemonOf,
  draftFor,
  expectGolden,
  open,
  SIZES,
} from './support/screens.ts';

test.each(SIZES)(
  'the first start on %i×%i says what was found and how to set one up',
  async (columns, rows) => {
    const place = dataDirectory('profile = "me"\n');
    afterwards(place.remove);
    // Nobody's own agent programs: neither is found.
    const terminal = open(['--dir', place.dir], { columns, rows, env: { PATH: dirname(process.execPath) } });
    await terminal.until('No agent is set up');
    const screen = await terminal.until('npm install -g @openai/codex');
    expectGolden(`node-first-start-${columns}x${rows}`, screen);
    terminal.type('y');
    await terminal.until('copied');
    expect(terminal.written).toContain(Buffer.from('wats setup claude').toString('base64'));
    terminal.type('q');
    await terminal.until('▸ 1 quit');
    terminal.type('\r');
    expect(await terminal.ended).toBe(0);
  },
);

test('thirty sizes in a row end in the same screen as a fresh start of that size', async () => {
  const dir = answeringDirectory();
  const terminal = open(['--dir', dir]);
  await terminal.until('No run yet');
  await draftFor(dir, 'How is money kept in check?');
  await terminal.until('ended: ok');
  let seed = 4_711;
  const random = (from: number, to: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from + (seed % (to - from + 1));
  };
  for (let at = 0; at < 30; at += 1) {
    terminal.resize(random(60, 300), random(15, 100));
    // Some are drawn before the next one comes, some are not.
    if (at % 4 === 0) await terminal.text();
  }
  terminal.resize(100, 30);
  const settled = await terminal.until(/╯\n [^\n]*\? help {2}q quit *$/);
  const lines = settled.split('\n');
  expect(lines).toHaveLength(30);
  expect(settled.match(/wats \d/g), 'one banner').toHaveLength(1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  const frames = lines.filter((line) => /^[╭│╰]/.test(line));
  for (const line of frames) expect(line).toMatch(/[╮│┃╯]$/);
  // What a terminal that never had another size is drawn.
  terminal.type('\x0c');
  expect(await terminal.until('q quit')).toBe(settled);
});

test('with NO_COLOR no colour is written, and everything is still said', async () => {
  const dir = answeringDirectory();
  const terminal = open(['--dir', dir], { env: { NO_COLOR: '1' } });
  await terminal.until('No run yet');
  await draftFor(dir, 'How is money kept in check?');
  const screen = await terminal.until('ended: ok');
  expect(screen).toContain('UNGUARDED');
  expect(terminal.coloured).toBe(false);
  const plain = open(['--dir', dataIn()], { background: '0000/0000/0000' });
  await plain.until('No agent is set up');
  expect(plain.coloured, 'the same test sees colours where they are').toBe(true);
});

test.each([
  ['ffff/ffff/ffff', 34, 'blue, which can be read on white'],
  ['1e1e/1e1e/2e2e', 36, 'cyan'],
])('a terminal that says its background is %s gets keys in colour %i: %s', async (background, colour) => {
  const terminal = open(['--dir', answeringDirectory()], { background });
  // A key that was typed early is not lost.
  terminal.type('?');
  await terminal.until('type to find');
  expect(terminal.written).toContain(`\x1b[${colour}m`);
  expect(terminal.written).not.toContain(`\x1b[${colour === 34 ? 36 : 34}m`);
  terminal.type('\x1b');
  await terminal.until('No run yet');
});

test('keys that cannot be bound are told of, and no daemon is left behind without a screen', async () => {
  const dir = answeringDirectory();
  appendFileSync(join(dir, 'config.toml'), '\n[ui]\nkeys = { "screen.run" = ["a"] }\n');
  const terminal = open(['--dir', dir]);
  expect(await terminal.ended).toBe(2);
  expect(await terminal.text()).toMatch(/screen\.approve and screen\.run are both on a/);
  expect(await terminal.inOrder()).toBe(true);
  expect(await daemonOf(dir)).toBeNull();
});

test('--plain says the same in lines, and publishes by the same key', async () => {
  const dir = answeringDirectory();
  const terminal = open(['--plain', '--dir', dir]);
  await terminal.until('choices: s status');
  await draftFor(dir, 'How is money kept in check?');
  await terminal.until('new draft: answer');
  terminal.type('d');
  await terminal.until('1 reads a draft in full');
  terminal.type('1');
  await terminal.until('end of the draft');
  terminal.type('P');
  await terminal.until(/done: .*published/i);
  expect(terminal.written).not.toContain('\x1b');
  terminal.type('q');
  await terminal.until('choices: 1 quit');
  terminal.type('1');
  expect(await terminal.ended).toBe(0);
});

test('TERM=dumb gets lines of a log instead of a screen', async () => {
  const terminal = open(['--dir', answeringDirectory()], { env: { TERM: 'dumb' } });
  await terminal.until('review on');
  expect(terminal.written).not.toContain('\x1b[?1049h');
  terminal.kill('SIGTERM');
  expect(await terminal.ended).toBe(0);
  const asked = open(['--plain', '--dir', answeringDirectory()], { env: { TERM: 'dumb' } });
  await asked.until('choices: s status');
});

function dataIn(): string {
  const place = dataDirectory('profile = "me"\n');
  afterwards(place.remove);
  return place.dir;
}
