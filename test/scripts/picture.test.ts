import { readFileSync } from 'node:fs';
import xterm from '@xterm/headless';
import { expect, test } from 'vitest';
import { svgOf } from '../../scripts/picture/svg.ts';
import { cellsOf } from '../support/cells.ts';

/** What a terminal of so many columns shows of a text, as a picture. */
async function pictured(text: string, columns = 20, rows = 1): Promise<string> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(text, done));
  return svgOf({ cells: cellsOf(terminal), title: 'A <title>', description: 'What & why' });
}

/** Every text element: where it is, and what it says. */
function texts(svg: string) {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', text = '']) => ({
    x: Number(/x="([\d.]+)"/.exec(attributes)?.[1]),
    attributes,
    text,
  }));
}

test('what XML would read is escaped, in the words and in the text', async () => {
  const svg = await pictured('a<b>&c');
  expect(svg).toContain('<title id="title">A &lt;title&gt;</title>');
  expect(svg).toContain('<desc id="about">What &amp; why</desc>');
  expect(texts(svg).map(({ text }) => text)).toEqual(['a&lt;b&gt;&amp;c']);
});

test('every character stands at its cell: words are held in theirs, wide ones in the middle of two', async () => {
  const svg = await pictured('ab c  日x');
  expect(texts(svg).map(({ x, text }) => [x, text])).toEqual([
    [0, 'ab c'],
    [58.8, '日'],
    [67.2, 'x'],
  ]);
  expect(texts(svg)[0]?.attributes).toContain('textLength="33.6"');
  expect(texts(svg)[1]?.attributes).toContain('text-anchor="middle"');
});

test('lines and gauges are drawn and not set, and level lines that meet are one', async () => {
  const svg = await pictured('╭──╮\r\n╰──╯ ▰▱', 20, 2);
  expect(texts(svg)).toEqual([]);
  expect(svg.match(/M8.4 9H25.2/g)).toHaveLength(1);
  expect(svg.match(/<path/g), 'lines of one look, and what is filled').toHaveLength(2);
});

test('inverse has its colours the other way round, also where nothing stands', async () => {
  const svg = await pictured('\x1b[7;1m ON \x1b[0m off');
  expect(svg).toContain('<rect x="0" y="0" width="33.6" height="18" fill="#d3d8e0"/>');
  expect(texts(svg)[0]?.attributes).toContain('fill="#15181e" font-weight="700"');
  expect(texts(svg)[1]?.attributes).toContain('fill="#d3d8e0"');
});

test('colours and dim text are told apart; without any, there is one colour', async () => {
  const svg = await pictured('\x1b[31mred\x1b[39m \x1b[2mdim\x1b[22m \x1b[30;43mon yellow');
  expect(texts(svg).map(({ attributes }) => /fill=.*/.exec(attributes)?.[0])).toEqual([
    'fill="#e0646e"',
    'fill="#d3d8e0" opacity="0.58"',
    'fill="#15181e"',
  ]);
  expect(svg).toMatch(/<rect [^>]*fill="#d8b465"/);
  const plain = await pictured('red dim');
  expect(new Set([...plain.matchAll(/fill="(#\w+)"/g)].map(([, fill]) => fill))).toEqual(
    new Set(['#15181e', '#d3d8e0']),
  );
});

test('a colour that is none of the eight basic ones is refused', async () => {
  await expect(pictured('\x1b[38;5;208morange')).rejects.toThrow('none of the eight');
  await expect(pictured('\x1b[38;2;1;2;3mrgb')).rejects.toThrow('none of the eight');
});

test('the picture of the README is small, says what it shows, and loads and runs nothing', () => {
  const svg = readFileSync(new URL('../../docs/screen.svg', import.meta.url), 'utf8');
  expect(svg.length).toBeLessThan(150_000);
  expect(svg).toMatch(/<title id="title">.+<\/title>\n<desc id="about">.+<\/desc>/);
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
    /https?:|<script|<style|<image|href|url\(/,
  );
  expect(svg).not.toMatch(/\/(home|Users|tmp|work|root)\b/);
  const shown = texts(svg).map(({ text }) => text);
  for (const word of ['LOCKED', 'UNGUARDED', 'approve', 'following']) expect(shown.join(' ')).toContain(word);
});
