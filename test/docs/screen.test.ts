import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bind } from '../../components/keys/bind.ts';
import { ACTIONS } from '../../components/keys/table.ts';
import { screenPage } from '../../scripts/screen-page.ts';
import { load } from '../config/support.ts';

const page = readFileSync(new URL('../../docs/screen.md', import.meta.url), 'utf8');

test('docs/screen.md is what the table of keys says', () => {
  expect(page, 'npm run docs writes it').toBe(screenPage());
});

test('every key of every place is on the page, once', () => {
  for (const { id } of ACTIONS) expect(page.split(`| \`${id}\` |`), id).toHaveLength(2);
});

test('the example of other keys is taken', () => {
  const [, example = ''] = /```toml\n([\s\S]*?)```/.exec(page) ?? [];
  const { find } = bind(load(example).settings['ui.keys']);
  expect(find('screen', 'ctrl-r')?.id).toBe('screen.run');
  expect(find('draft', '!')?.id).toBe('draft.publish');
  expect(find('draft', 'P')).toBeUndefined();
});
