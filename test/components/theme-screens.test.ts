import { beforeAll, describe, expect, test } from 'vitest';
import type { ThemeName } from '../../components/index.tsx';
import type { View } from '../../src/control/index.ts';
import type { Cell, Colour } from '../support/cells.ts';
import { NOW, VIEW } from './fixture.ts';
import { mount } from './mount.ts';

const THEMES: readonly ThemeName[] = ['dark', 'light', 'auto', 'none'];
const [COLUMNS, ROWS] = [80, 24];

/** A day on which much is wrong: every look that the screen has is on it, or on the frame of a working day. */
const TROUBLE: View = {
  ...VIEW,
  alerts: [
    { code: 'halt', text: 'guardian ada ordered a halt of everything at 13:40 UTC', fix: null },
    { code: 'safety', text: 'agent.review was turned off', fix: 'wats config ack agent.review' },
  ],
  agent: { ...VIEW.agent!, access: 'workspace', unguarded: ['a shell (Bash)'], review: false, paused: true },
  spend: {
    ...VIEW.spend!,
    day: { ...VIEW.spend!.day, spentMicroUsd: 2_000_000 },
    month: { ...VIEW.spend!.month, spentMicroUsd: 17_000_000 },
  },
  run: { ...VIEW.run!, state: 'ended', outcome: 'error', endedAt: NOW - 3 * 60_000 },
  queue: { ...VIEW.queue, verdict: 'paused: day budget, resets 00:00 UTC' },
};

/** What is shown, and the keys that lead there. */
const SCREENS = {
  day: { view: VIEW, keys: [], shows: 'Drafts 3' },
  trouble: { view: TROUBLE, keys: [], shows: 'HALT' },
  drafts: { view: VIEW, keys: ['2'], shows: '[2 drafts]' },
  runs: { view: VIEW, keys: ['3'], shows: 'Runs 5 of 142' },
  log: { view: VIEW, keys: ['6'], shows: 'Log 4 of 812' },
  settings: { view: VIEW, keys: ['7'], shows: 'Settings 5' },
} as const;
type Name = keyof typeof SCREENS;

/** The colour of text, in one letter; capitals are bold. */
const LETTERS = 'krgybmcw';

interface Frame {
  readonly text: string;
  readonly cells: readonly (readonly Cell[])[];
}

const frames = new Map<string, Frame>();

async function frameOf(name: Name, theme: ThemeName): Promise<Frame> {
  const known = frames.get(`${name} ${theme}`);
  if (known !== undefined) return known;
  const { view, keys, shows } = SCREENS[name];
  const { terminal, press } = mount({ theme, openEditor: () => Promise.resolve(null) }, COLUMNS, ROWS, view);
  await terminal.until(name === 'trouble' ? shows : 'Drafts 3');
  for (const key of keys) press(key);
  const text = await terminal.until(shows);
  const frame = { text, cells: await terminal.cells() };
  frames.set(`${name} ${theme}`, frame);
  return frame;
}

/**
 * How a cell looks, in one character: a blank for nothing special, `+` bold, `-` dim, `#` inverse, the letter of its
 * colour (a capital when bold), or the number of the colour behind it.
 */
function sign({ front, back, bold, dim, inverse }: Cell): string {
  if (inverse) return '#';
  if (back !== null) return String(back);
  if (typeof front === 'number') {
    const letter = LETTERS[front] ?? '?';
    return bold ? letter.toUpperCase() : letter;
  }
  return bold ? '+' : dim ? '-' : ' ';
}

/** The frame as it is kept: each row of text, and under it how its cells look. */
function mapOf({ text, cells }: Frame): string {
  const rows = text.split('\n');
  return cells.map((line, y) => `${rows[y] ?? ''}\n${line.map(sign).join('').trimEnd()}`).join('\n');
}

const colours = ({ front, back }: Cell): readonly Colour[] => [front, back];
const isBasic = (colour: Colour) =>
  colour === null || (typeof colour === 'number' && colour < LETTERS.length);

/** Whether a person would see a difference to plain text without its colour. */
const standsOut = ({ bold, inverse }: Cell) => bold || inverse;

describe.each(Object.keys(SCREENS) as Name[])('%s', (name) => {
  const all = {} as Record<ThemeName, Frame>;
  beforeAll(async () => {
    for (const theme of THEMES) all[theme] = await frameOf(name, theme);
  });

  test('says the same in every theme, word for word', () => {
    for (const theme of THEMES) expect(all[theme].text, theme).toBe(all.none.text);
  });

  test('has only the eight basic colours, and none at all in none', () => {
    for (const theme of THEMES)
      for (const cell of all[theme].cells.flat()) expect(colours(cell).every(isBasic), theme).toBe(true);
    for (const cell of all.none.cells.flat()) expect(colours(cell)).toEqual([null, null]);
    for (const theme of ['dark', 'light', 'auto'] as const)
      expect(all[theme].cells.flat().some(({ front }) => front !== null)).toBe(true);
  });

  test('what is red or yellow is written out, and stands out without its colour too', () => {
    const plain = all.none.cells.flat();
    let seen = 0;
    all.dark.cells.flat().forEach((cell, at) => {
      const alarming = [1, 3].includes(Number(cell.front ?? -1)) || [1, 3].includes(Number(cell.back ?? -1));
      if (!alarming || cell.text.trim() === '') return;
      seen += 1;
      expect(plain[at]?.text).toBe(cell.text);
      expect(standsOut(plain[at]!), `${cell.text} at ${at % COLUMNS}, ${Math.floor(at / COLUMNS)}`).toBe(
        true,
      );
    });
    if (name !== 'drafts') expect(seen).toBeGreaterThan(0);
  });

  test('on white nothing is yellow or cyan, and on any ground no warning is', () => {
    const pale = (cell: Cell) => cell.back === null && !cell.inverse && [3, 6].includes(Number(cell.front));
    expect(all.light.cells.flat().filter(pale)).toEqual([]);
    expect(all.auto.cells.flat().filter((cell) => pale(cell) && cell.front === 3)).toEqual([]);
  });
});

test.each(THEMES)('the colours of a day and of trouble in %s are as they were', async (theme) => {
  const kept = [await frameOf('day', theme), await frameOf('trouble', theme)].map(mapOf);
  await expect(`${kept.join('\n\n')}\n`).toMatchFileSnapshot(`golden/theme-${theme}-${COLUMNS}x${ROWS}.txt`);
});
