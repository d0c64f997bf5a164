import { expect, test } from 'vitest';
import { row, span } from '../../components/cells/cell.ts';
import { ansiOf, themeOf } from '../../components/cells/theme.ts';

const LINE = row(
  'plain ',
  span('red', 'danger'),
  span('dim', 'dim'),
  span(' NOTE ', 'warnBadge'),
  span(' LOCKED ', 'badge'),
);

test('each piece of a row begins and ends its own look, in the eight basic colours', () => {
  expect(ansiOf(LINE, themeOf('dark'))).toBe(
    'plain \x1b[1m\x1b[31mred\x1b[39m\x1b[22m\x1b[2mdim\x1b[22m' +
      '\x1b[30m\x1b[43m NOTE \x1b[49m\x1b[39m\x1b[1m\x1b[7m LOCKED \x1b[27m\x1b[22m',
  );
});

test('without colours there are bold, dim and inverse only, and a badge is still one', () => {
  const text = ansiOf(LINE, themeOf('none'));
  expect(text).not.toMatch(/\x1b\[(3|4|9|10)\d/);
  expect(text).toContain('\x1b[7m NOTE \x1b[27m');
});
