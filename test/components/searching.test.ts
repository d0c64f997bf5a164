import { expect, test } from 'vitest';
import type { PageRequest } from '../../src/control/index.ts';
import { Drive } from './drive.ts';
import { mount } from './mount.ts';
import { found, HITS } from './threads.ts';

/** A screen whose searches are answered as a daemon answers them. */
function searching() {
  const drive = new Drive();
  const asked: { readonly query: string; readonly offset: number }[] = [];
  const answer = () => {
    for (;;) {
      const search = drive.effects.find((effect) => effect.do === 'search');
      if (search?.do !== 'search') return;
      drive.effects = drive.effects.filter((effect) => effect !== search);
      asked.push({ query: search.query, offset: search.offset });
      const page = found(search.query, [], search.offset);
      drive.event({ type: 'search', query: search.query, page });
    }
  };
  drive.keys('s');
  return { drive, asked, answer };
}

test('words are searched for at Enter, and once more Enter opens the selected post in its thread', () => {
  const { drive, asked, answer } = searching();
  drive.type('wal or');
  expect(asked).toEqual([]);
  drive.keys('enter');
  expect(drive.text()).toContain('searching…');
  answer();
  expect(asked).toEqual([{ query: 'wal or', offset: 0 }]);
  expect(drive.text()).toContain('1 of 1');
  drive.keys('enter');
  expect(drive.state.dialog).toMatchObject({ kind: 'thread', id: HITS[0]?.id });
  drive.keys('esc');
  expect(drive.text(), 'the search is as it was left').toContain('words: wal or');
  expect(drive.text()).toContain('1 of 1');
});

test('going down asks for the next hits before the end of those that are here, each page once, to the last', () => {
  const { drive, asked, answer } = searching();
  drive.type('wal');
  drive.keys('enter');
  answer();
  for (let at = 0; at < 12; at += 1) {
    drive.keys('pagedown');
    answer();
  }
  expect(asked.map(({ offset }) => offset)).toEqual([0, 50, 100, 150]);
  expect(drive.text()).toContain('200 of 200');
  expect(drive.text()).toContain('wal question 199');
  drive.keys('home');
  expect(drive.text()).toContain('1 of 200');
});

test('an answer to an earlier search changes nothing, and words that were not searched for yet say so', () => {
  const { drive, answer } = searching();
  drive.type('question');
  drive.keys('enter');
  const late = drive.effects.find((effect) => effect.do === 'search');
  drive.keys('ctrl-u');
  drive.type('rollback');
  drive.keys('enter');
  answer();
  expect(drive.text()).toContain('1 of 1');
  if (late?.do !== 'search') throw new Error('nothing was asked');
  drive.event({ type: 'search', query: late.query, page: found(late.query, [], 0) });
  expect(drive.text()).toContain('1 of 1');
  drive.type('s');
  expect(drive.text()).toContain('⏎ searches for this');
});

test('a search that fails says why, and can be tried again', () => {
  const { drive, asked, answer } = searching();
  drive.type('wal');
  drive.keys('enter');
  drive.effects = [];
  drive.event({ type: 'searchFailed', query: 'wal', text: 'the search index was damaged' });
  expect(drive.text()).toContain('the search index was damaged');
  expect(drive.text()).not.toContain('of 200');
  drive.type('x');
  drive.keys('backspace', 'enter');
  answer();
  expect(asked[0], 'the same words again').toEqual({ query: 'wal', offset: 0 });
});

test('kind:ask is asked of the daemon as a kind, whatever its case, and is no word', async () => {
  const { press, terminal, controls } = mount();
  await terminal.until('Drafts 3');
  press('s');
  await terminal.until('All words must occur');
  for (const key of 'wal KIND:Ask') press(key);
  press('\r');
  await terminal.until('1 of 100');
  const searches = controls.pages.filter(
    (request): request is Extract<PageRequest, { page: 'search' }> => request.page === 'search',
  );
  expect(searches[0]).toEqual({ page: 'search', text: 'wal', kinds: ['ask'], offset: 0 });
});
