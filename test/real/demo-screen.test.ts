import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Pty, steady } from '../support/pty.ts';

const terminals: Pty[] = [];
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.close();
});

/** Compares with the committed screen; `UPDATE_GOLDEN=1` writes it, for a person to read before it is committed. */
function expectGolden(name: string, screen: string): void {
  const path = join(import.meta.dirname, 'golden', `${name}.golden.txt`);
  const text = `${steady(screen).trimEnd()}\n`;
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(existsSync(path), `${path} is missing; UPDATE_GOLDEN=1 writes it`).toBe(true);
  expect(text).toBe(readFileSync(path, 'utf8'));
}

test.each([
  [120, 40],
  [80, 24],
])(
  'the demo on a terminal of %i×%i shows the draft, and the keys a and P publish it',
  async (columns, rows) => {
    const terminal = new Pty(['demo'], { columns, rows });
    terminals.push(terminal);
    const size = `${columns}x${rows}`;

    await terminal.until('Drafts 1');
    const waiting = await terminal.until('ended: ok');
    expect(terminal.alternate).toBe(true);
    expectGolden(`demo-draft-waits-${size}`, waiting);

    terminal.type('a');
    const open = await terminal.until('P publish');
    expectGolden(`demo-draft-open-${size}`, open);

    terminal.type('P');
    await terminal.until('Drafts 0');
    terminal.type('q');
    await terminal.until('quit');
    terminal.type('\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.alternate).toBe(false);
    expect(await terminal.text()).toMatch(
      /The first node read the answer [0-9a-f]{15}, signed by the agent's key/,
    );
  },
);

test('a pasted a and P publish nothing', async () => {
  const terminal = new Pty(['demo'], { columns: 120, rows: 40 });
  terminals.push(terminal);
  await terminal.until('Drafts 1');
  terminal.type('\x1b[200~aP\x1b[201~');
  terminal.type('aP');
  await terminal.until('P publish');
  terminal.type('PP');
  terminal.type('\x1b');
  expect(await terminal.until('Drafts 1')).toContain('review on');
});
