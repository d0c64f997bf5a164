import { expect, test } from 'vitest';
import { split } from '../../components/screen/tap.ts';
import { shadeOf } from '../../src/commands/support/background.ts';

test.each([
  ['\x1b]11;rgb:ffff/ffff/ffff\x1b\\', 'light'],
  ['\x1b]11;rgb:fdfd/f6f6/e3e3\x07', 'light'],
  ['\x1b]11;rgb:0000/0000/0000\x07\x1b[?62;c', 'dark'],
  ['\x1b]11;rgb:1e/1e/2e\x1b\\', 'dark'],
  ['\x1b]11;rgba:0000/0000/ffff/ffff\x07', 'dark'],
  ['\x1b]11;rgb:f/f/0\x07', 'light'],
  ['\x1b[?62;22c', null],
  ['rgb:ffff/ffff/ffff', null],
])('a background of %j is %s', (answer, shade) => {
  expect(shadeOf(answer)).toBe(shade);
});

test('a late answer of the terminal presses no key, whole or in two pieces', () => {
  const late = 'j\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?62;22ck';
  expect(split(late).keys).toBe('jk');
  for (let at = 1; at < late.length; at += 1) {
    const first = split(late.slice(0, at));
    const second = split(first.cut + late.slice(at));
    // A lone escape at the end of a chunk is the Escape key, and cannot wait.
    if (late[at - 1] === '\x1b' && first.cut === '') continue;
    expect(first.keys + second.keys, JSON.stringify(late.slice(0, at))).toBe('jk');
  }
});
