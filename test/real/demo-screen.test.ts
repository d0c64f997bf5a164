import { expect, test } from 'vitest';
import { expectGolden, open, SIZES } from './support/screens.ts';

test.each(SIZES)(
  'the demo on a terminal of %i×%i shows the draft, and the keys a and P publish it',
  async (columns, rows) => {
    const terminal = open(['demo'], { columns, rows });
    const size = `${columns}x${rows}`;

    await terminal.until('Drafts 1');
    const waiting = await terminal.until('ended: ok');
    expect(terminal.alternate).toBe(true);
    expectGolden(`demo-draft-waits-${size}`, waiting);

    terminal.type('a');
    const opened = await terminal.until(/P publishes this|scroll to the end/);
    expectGolden(`demo-draft-open-${size}`, opened);
    terminal.type('G');
    await terminal.until('P publishes this');

    terminal.type('P');
    await terminal.until((text) => !/Drafts 1|Draft:/.test(text));
    terminal.type('q');
    await terminal.until('quit');
    terminal.type('\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.alternate).toBe(false);
    // A narrow terminal has it in two lines, broken between words.
    expect((await terminal.text()).replace(/\s+/g, ' ')).toMatch(
      /The first node read the answer [0-9a-f]{15}, signed by the agent's key/,
    );
  },
);

test('a pasted a and P publish nothing', async () => {
  const terminal = open(['demo']);
  await terminal.until('Drafts 1');
  terminal.type('\x1b[200~aP\x1b[201~');
  terminal.type('aP');
  await terminal.until('P publish');
  terminal.type('PP');
  terminal.type('\x1b');
  expect(await terminal.until('Drafts 1')).toContain('review on');
});
