import fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnsOf } from '../../components/dialogs/thread-view.ts';
import type { ThreadPage, ThreadPost } from '../../src/control/index.ts';
import { Drive } from './drive.ts';
import { ASK, NOW, VIEW } from './fixture.ts';
import { LIMITED, THREADS, WHYS } from './threads.ts';

const [, WAL] = THREADS[0]!;
const SAMPLE = WAL.posts[0]!;

/** A long thread of three-line posts, under the id that the fixture's first row has. */
function long(count: number, id = VIEW.posts.rows[2]!.id): ThreadPage {
  const posts = Array.from(
    { length: count },
    (_, at): ThreadPost => ({
      ...SAMPLE,
      id: at === 0 ? ASK.id : at.toString(16).padStart(64, '0'),
      seq: 1_000 + at * 3,
      title: '',
      tags: [],
      text: `post number ${at}\nsecond line\nthird line`,
      chain: at === 0 ? 'root' : 'resolved',
    }),
  );
  return { id, root: ASK.id, total: count, posts };
}

function opened(page: ThreadPage, id: string, size = { columns: 100, rows: 30 }): Drive {
  const row = { ...VIEW.posts.rows[0]!, id };
  const drive = new Drive({ ...VIEW, posts: { total: 1, rows: [row] } }, size);
  drive.threads.set(id, { ...page, id });
  drive.keys('4', 'enter');
  return drive;
}

test('Enter on a post shows it whole among the others of its thread, and marks what this node wrote', () => {
  const drive = new Drive();
  drive.keys('4', 'down', 'enter');
  const text = drive.text();
  expect(text).toContain('Thread 9c1e "WAL or rollback journal?" · 4 posts');
  expect(text).toMatch(/▸clarify {2}51be90c2aa17d3e · 9m ago · to 9c1e/);
  expect(text).toContain('me-agent (this node)');
  expect(text).toContain('日本語のメモ');
  drive.keys('esc');
  expect(drive.text(), 'one level back').toContain('▸21ab');
});

test('a graft says that it is one', () => {
  const drive = new Drive();
  drive.keys('4', 'down', 'down', 'down', 'enter');
  expect(drive.text()).toMatch(/GRAFT[\s\S]*It claims a thread that its parents do not lead to/);
});

test('a post far down a long thread is shown at the top of the screen, however many pages lie before it', () => {
  const page = long(950);
  const drive = opened(page, page.posts[733]!.id);
  const lines = drive.lines();
  expect(lines[4]).toMatch(/^│▸ask/);
  expect(lines[5]).toContain('post number 733');
  expect(drive.text()).toContain('post 734 of 950');
});

test('scrolling on asks for the posts that follow, once, and comes to the last one', () => {
  const page = long(450);
  const drive = opened(page, page.posts[0]!.id);
  for (let at = 0; at < 200; at += 1) drive.keys('pagedown');
  expect(drive.text()).toContain('post number 449');
  expect(drive.state.dialog).toMatchObject({ kind: 'thread', asked: false });
  drive.keys('g');
  expect(drive.lines()[5]).toContain('post number 0');
});

test('a post that comes in while its thread is open appears at the end, and what is read stays', () => {
  const page = long(40);
  const id = page.posts[3]!.id;
  const drive = opened(page, id);
  const before = drive.lines()[5];
  const more = long(41);
  drive.threads.set(id, { ...more, id });
  drive.change({
    posts: { total: 2, rows: [{ ...VIEW.posts.rows[0]!, id: 'f'.repeat(64) }, ...drive.view.posts.rows] },
  });
  drive.answerPages();
  expect(drive.lines()[5]).toBe(before);
  expect(drive.text()).toContain('41 posts');
  drive.keys('G');
  expect(drive.text()).toContain('post number 40');
});

test('a page that does not come is said, and asked for once', () => {
  const drive = opened(long(10), ASK.id);
  drive.keys('esc');
  drive.threads.clear();
  drive.keys('enter');
  drive.event({ type: 'threadFailed', id: ASK.id, text: 'there is no such post on this node' });
  drive.event({ type: 'world' });
  expect(drive.text()).toContain('there is no such post on this node');
  expect(drive.effects.filter((effect) => effect.do === 'thread')).toEqual([]);
});

test('n and N go from post to post, each with its beginning in sight', () => {
  const page = long(60);
  const drive = opened(page, page.posts[0]!.id);
  for (let at = 0; at < 30; at += 1) drive.keys('n');
  expect(drive.text()).toMatch(/▸ask[^\n]*\n[^\n]*post number 30/);
  for (let at = 0; at < 12; at += 1) drive.keys('N');
  expect(drive.text()).toMatch(/▸ask[^\n]*\n[^\n]*post number 18/);
});

test('whatever is pressed and however the window changes, the selected post stays in sight', () => {
  const key = fc.constantFrom(
    'n',
    'N',
    'up',
    'down',
    'pagedown',
    'pageup',
    'g',
    'G',
    'enter',
    'ctrl-d',
    'ctrl-u',
  );
  const size = fc.record({
    columns: fc.integer({ min: 60, max: 160 }),
    rows: fc.integer({ min: 15, max: 50 }),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: key }, size), { maxLength: 30 }), (steps) => {
      const page = long(30);
      const drive = opened(page, page.posts[9]!.id);
      for (const step of steps) {
        if (typeof step === 'string') {
          drive.keys(step);
          expect(drive.text()).toMatch(/^│[▸┊]/m);
        } else drive.resize(step.columns, step.rows);
      }
    }),
    { numRuns: 60 },
  );
});

test('R in a thread replies to the selected post and comes back to it; y and Y copy text and id', () => {
  const drive = new Drive();
  drive.keys('4', 'down', 'enter', 'y', 'Y', 'R');
  expect(drive.effects).toContainEqual({ do: 'copy', text: WAL.posts[1]!.text });
  expect(drive.effects).toContainEqual({ do: 'copy', text: WAL.posts[1]!.id });
  expect(drive.text()).toContain('Reply to 21ab');
  drive.keys('esc');
  expect(drive.text()).toContain('Thread 9c1e');
});

test('Enter on a queued wake shows every rule, what decided, and what holds it', () => {
  const drive = new Drive();
  while (drive.state.panel !== 'queue') drive.keys('tab');
  drive.keys('down', 'enter');
  const text = drive.text();
  const [, why] = WHYS.find(([id]) => id === LIMITED.id)!;
  for (const { rule } of why.rules) expect(text).toMatch(new RegExp(`│ [▸ ] ${rule} `));
  expect(text).toMatch(/▸ ask .*◀ decides/);
  expect(text).toContain(why.hold!);
  drive.keys('esc');
  expect(drive.text()).toContain('╭▸Queue 3');
});

test('w in a thread shows why, Enter and Esc there lead back: the levels do not pile up', () => {
  const drive = new Drive();
  const { id } = VIEW.posts.rows[1]!;
  drive.whys.set(id, { ...WHYS[0]![1], post: { id, kind: 'clarify', title: '' } });
  drive.keys('4', 'down', 'enter');
  for (let at = 0; at < 5; at += 1) drive.keys('w', 'enter');
  expect(drive.text()).toContain('Thread 9c1e');
  drive.keys('esc');
  expect(drive.text()).toContain('╭▸Posts 5');
});

test('Enter on a paused thread shows who took which turn, and what un-pauses it', () => {
  const drive = new Drive(VIEW, { columns: 120, rows: 60 });
  while (drive.state.panel !== 'paused') drive.keys('tab');
  drive.keys('enter');
  const text = drive.text();
  expect(text).toContain('took 31 turns in a row, over the limit of 30');
  expect(text).toContain('Your own reply (R) counts as somebody else.');
  expect(text).toMatch(/│ {3}1 {2}7fa2c0d41e9b3a5/);
  expect(text).toMatch(/│▸ 31 {2}7fa2c0d41e9b3a5/);
  drive.keys('enter');
  expect(drive.text(), 'unfolded').toMatch(/▸31 {2}answer {2}7fa2c0d41e9b3a5/);
});

test('where the person is the agent’s author, their reply is not said to help', () => {
  const drive = new Drive({ ...VIEW, node: { ...VIEW.node, profile: 'me-agent' } });
  while (drive.state.panel !== 'paused') drive.keys('tab');
  drive.keys('enter');
  expect(drive.text()).toContain('somebody else posts.');
  expect(drive.text()).not.toContain('Your own reply');
});

test('turns are counted back from the end of a thread to the first third author', () => {
  const authors = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(authors, (names) => {
      const turns = turnsOf(names.map((author, n) => ({ ...SAMPLE, n, author })));
      const tail = names.slice(names.length - turns.size);
      expect(new Set(tail).size).toBeLessThanOrEqual(2);
      // One post more would bring in a third author.
      if (turns.size < names.length) expect(new Set(names.slice(names.length - turns.size - 1)).size).toBe(3);
      const changes = tail.filter((author, at) => at > 0 && author !== tail[at - 1]).length;
      expect(Math.max(...turns.values())).toBe(changes + 1);
    }),
  );
});

test('a line of the log opens in full', () => {
  const text = `peer ffe1029384756ab: ${'a very long complaint '.repeat(20)}the end of it`;
  const drive = new Drive({ ...VIEW, log: { total: 1, rows: [{ at: NOW, level: 'warn', text }] } });
  drive.keys('6');
  expect(drive.text()).not.toContain('the end of it');
  drive.keys('enter');
  expect(drive.text()).toContain('the end of it');
  drive.keys('esc');
  expect(drive.text()).not.toContain('the end of it');
});

test('clicks select a row, and one more opens it', () => {
  const drive = new Drive();
  drive.keys('4');
  const y = drive.lines().findIndex((line) => line.includes('21ab'));
  drive.event({ type: 'click', x: 20, y });
  expect(drive.text()).toContain('▸21ab');
  expect(drive.state.dialog).toBeNull();
  drive.event({ type: 'click', x: 20, y });
  drive.answerPages();
  expect(drive.text()).toContain('Thread 9c1e');
  const other = drive.lines().findIndex((line) => line.includes('b0b0'));
  drive.event({ type: 'click', x: 20, y: other });
  expect(drive.text()).toMatch(/▸note {2}me-agent/);
  drive.event({ type: 'click', x: 20, y: other });
  expect(drive.text(), 'folded').not.toContain(
    'to 9c1e                                                  b0b0',
  );
});
