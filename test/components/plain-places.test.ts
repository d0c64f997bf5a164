import { expect, test } from 'vitest';
import { ENTRIES, NOW, VIEW } from './fixture.ts';
import type { PlainDrive as Drive } from './plain-drive.ts';
import { PlainDrive } from './plain-drive.ts';

const GONE = [{ code: 'daemon_gone', text: 'the daemon has gone away', fix: null }] as const;
const FIRST_START = {
  ...VIEW,
  agent: null,
  run: null,
  programs: [
    { name: 'codex', version: null, loggedIn: null, fix: 'npm install -g @openai/codex' },
    { name: 'claude', version: '2.1.332', loggedIn: true, fix: null },
  ],
};

test('a whole session reads like this', async () => {
  const drive = new PlainDrive();
  drive.says({ text: 'I look for what is known already.' });
  drive.keys('?', 'd', '1', 'n', 'x', 'too vague', '\r', 'u', 't');
  drive.says({ text: 'nobody hears this now' });
  drive.keys(
    'T',
    '0',
    't',
    '4',
    '3',
    'n',
    'R',
    '1',
    'Modes',
    '\r',
    'FULL,',
    ' all',
    '\x7f',
    '\r',
    'P',
    '0',
    '0',
  );
  drive.keys('/', 'wal kind:ask', '\r', '1', 'n', '0', 'n', '0', '8', '2', '0', '0', '9', '1', '0', '0');
  drive.keys('3', '1', '6', '0', '0', '5', '0', '6', '0', '7', '1', 'K', '0', 's', 'q', '1');
  await expect(drive.text).toMatchFileSnapshot('golden/plain-session.txt');
});

test('every choice of a place is in its help, with the reason where it does nothing now', () => {
  const drive = new PlainDrive();
  const help = drive.keys('?');
  for (const key of [
    's or 1',
    'd or 2',
    'n',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '/',
    'r',
    'p',
    'S',
    'c',
    'R',
    'w',
  ])
    expect(help).toMatch(new RegExp(`^help: ${key}: `, 'm'));
  expect(help).toContain('help: u: undo the rejection; not now: nothing was rejected here');
  expect(drive.keys('d', '1', '?')).toContain('help: Space: reads on; not now: it was read to its end');
});

test('u undoes the rejections of this view, the last one first, until there is none', () => {
  const drive = new PlainDrive();
  drive.keys('d', '1', 'x', '\r', 'd', '2', 'x', 'no', '\r', 'u', 'u', 'u');
  expect(drive.sent().map((intent) => ('draft' in intent ? `${intent.do} ${intent.draft}` : ''))).toEqual([
    'reject d-77',
    'reject d-78',
    'unreject d-78',
    'unreject d-77',
  ]);
  expect(drive.text).toContain('nothing was rejected here');
});

test('a rejection that the daemon refused cannot be undone', () => {
  const drive = new PlainDrive();
  drive.answer = () => ({ ok: false, code: 'conflict', text: 'it is approved already', fix: null });
  drive.keys('d', '1', 'x', '\r');
  expect(drive.keys('u')).toContain('nothing was rejected here');
  expect(drive.text).toContain('error: it is approved already');
});

test('n goes from draft to draft, also after one was decided', () => {
  const drive = new PlainDrive();
  expect(drive.keys('n')).toContain('title: Use WAL');
  expect(drive.keys('n')).toContain('Which version of musl?');
  expect(drive.keys('N')).toContain('title: Use WAL');
  expect(drive.keys('N')).toContain('that was the first draft');
  drive.keys('P');
  expect(drive.keys('n'), 'the one that was decided is passed over').toContain('Which version of musl?');
});

test('a reply takes a kind, a title and a text, is read out, and posted by P alone', () => {
  const drive = new PlainDrive();
  drive.keys('4', '2', 'R', '2', 'Modes', '\r', 'line one\nline two', '\r');
  const read = drive.text.slice(drive.text.lastIndexOf('reply: '));
  expect(read).toContain('reply: clarify to 21ab\ntitle: Modes\ntext: line one\nline two\nend of the post');
  expect(drive.sent()).toEqual([]);
  drive.chunk('\r');
  drive.chunk('P', 10);
  expect(drive.sent()).toEqual([]);
  drive.keys('l', 'P');
  expect(drive.sent()).toMatchObject([
    { do: 'post', kind: 'clarify', title: 'Modes', text: 'line one\nline two', tags: [] },
  ]);
  expect(drive.session.menu.at).toBe('thread');
});

test('the text of a post comes from the editor as well, and can be added to', () => {
  const drive = new PlainDrive();
  drive.edit = (text) => `${text}from the editor\n`;
  drive.keys('c', '1', '\r', '\x05');
  expect(drive.text).toContain('text: from the editor\nend of the post');
  drive.keys('a', ' and by hand', '\r', 'P');
  expect(drive.sent()).toMatchObject([{ do: 'post', title: '', text: 'from the editor and by hand' }]);
});

test('what is pasted into a text never ends it, however it is cut into chunks', () => {
  const drive = new PlainDrive();
  drive.keys('c', '1', '\r');
  drive.chunk('first\r\n');
  drive.chunk('second', 5);
  drive.chunk('\r', 5);
  drive.chunk('\x1b[200~P\r\x1b[201~', 5);
  expect(drive.session.menu.at).toBe('field');
  drive.chunk('\r');
  expect(drive.text).toContain('text: first\nsecond');
  expect(drive.sent()).toEqual([]);
});

test('Esc leaves a text and says what becomes of it', () => {
  const drive = new PlainDrive();
  expect(drive.keys('c', '1', 'a title', '\x1b')).toContain('discarded');
  expect(drive.keys('d', '1', 'x', 'why', '\x1b')).toContain('nothing is decided');
  expect(drive.session.menu.at).toBe('draft');
});

test('a post is read in its thread, and what stands apart from it is said', () => {
  const drive = new PlainDrive();
  drive.keys('4', '4');
  expect(drive.text).toContain('GRAFT: It claims a thread that its parents do not lead to.');
  drive.keys('0', '1');
  expect(drive.text).toContain('post 4 of 4: answer 88d0');
  expect(drive.keys('g')).toContain('post 1 of 4: ask 9c1e');
  expect(drive.keys('G')).toContain('post 4 of 4');
  expect(drive.keys('n')).toContain('that was the last post of the thread');
  expect(drive.keys('y')).toMatch(/^id: 88d0[0-9a-f]{60}$/m);
});

test('a post that comes while its thread is read is the next one', () => {
  const drive = new PlainDrive();
  drive.keys('4', '1');
  const { menu } = drive.session;
  if (menu.at !== 'thread') throw new Error('no thread');
  const last = menu.posts.at(-1)!;
  const posts = [...menu.posts, { ...last, id: 'f'.repeat(64), seq: last.seq + 1, text: 'and one more' }];
  drive.data.threads.set(menu.id, { id: menu.id, root: menu.id, total: posts.length, posts });
  expect(drive.keys('n')).toContain('post 5 of 5');
  expect(drive.text).toContain('text: and one more');
});

test('a thread of more than one page is read to its end', () => {
  const drive = new PlainDrive();
  const thread = drive.data.threads.get(VIEW.posts.rows[2]!.id)!;
  const first = thread.posts[0]!;
  const posts = Array.from({ length: 450 }, (_, at) => ({
    ...first,
    id: at === 0 ? first.id : String(at).padStart(64, '0'),
    seq: at + 1,
    text: `post number ${at + 1}`,
  }));
  drive.data.threads.set(first.id, { ...thread, total: posts.length, posts });
  drive.keys('4', '3', 'G');
  expect(drive.text).toContain('post 450 of 450');
  expect(drive.text).toContain('text: post number 450');
});

test('why says every rule with the value it saw, and which one decided', () => {
  const drive = new PlainDrive();
  const said = drive.keys('8', '2');
  expect(said).toContain('held: this author woke the agent 4 times in the last hour, limit 4; next in 12m');
  expect(said).toContain('rule 6, ask (applies when: it is an ask): saw ask, limit ask. This one decides');
  expect(said.match(/^rule /gm)).toHaveLength(9);
  expect(drive.keys('0', '3')).toContain('no post is behind it: after this run');
});

test('a paused thread says who, how many turns, what un-pauses it, and its turns', () => {
  const drive = new PlainDrive();
  const said = drive.keys('9', '1');
  expect(said).toContain('took 31 turns in a row, over the limit of 30');
  expect(said).toContain('Your own reply (R) counts as somebody else');
  expect(said.match(/^turn \d+: /gm)).toHaveLength(31);
  expect(drive.keys('N')).toContain('post 31 of 32');
});

test('a search narrows by kind, goes on past the first page, and opens a post', () => {
  const drive = new PlainDrive();
  drive.keys('/', 'wal', '\r');
  expect(drive.text).toContain('search for wal: 1 to 9 of 200 posts, newest first');
  for (let pages = 0; pages < 5; pages += 1) drive.keys('n');
  expect(drive.text).toContain('search for wal: 46 to 54 of 200 posts');
  expect(drive.did('search').map(({ offset }) => offset)).toEqual([0, 50]);
  expect(drive.keys('/', 'kind:ask', '\r')).toContain('search for kind:ask: 1 to 9 of 100 posts');
  expect(drive.keys('1')).toContain('post 1 of 4: ask 9c1e');
  expect(drive.keys('0', '/', 'nothing has this', '\r')).toContain(
    'search: no post matches nothing has this',
  );
});

test('a transcript is read by page, an entry in full, and looked through', () => {
  const drive = new PlainDrive();
  const many = Array.from({ length: 1_000 }, (_, n) => ({
    ...ENTRIES[0]!,
    n,
    kind: 'tool_result' as const,
    label: 'read',
    text: Array.from({ length: 60 }, (_, line) => `entry ${n} line ${line}`).join('\n'),
  }));
  drive.data.transcripts.set('r-0141', many);
  const page = drive.keys('3', '2');
  expect(page).toContain('transcript of r-0141: entries 1 to 9 of 1000');
  expect(page).toContain('(56 more lines)');
  expect(page.split('\n').length).toBeLessThan(70);
  const full = drive.keys('3');
  expect(full).toContain('entry 2 line 0\nentry 2 line 1');
  expect(full).toContain('(21 more lines: Space reads on)');
  expect(drive.keys(' ')).toContain('entry 2 line 59\nend of the entry');
  expect(drive.keys(' ')).toContain('entries 10 to 18 of 1000');
  expect(drive.keys('G')).toContain('entries 992 to 1000 of 1000');
  expect(drive.text).toContain('end of the transcript');
  expect(drive.keys('g', '/', 'entry 700 !draft', '\r')).toContain('entries 701 to 709 of 1000');
  expect(drive.keys('n')).toContain('nothing further has entry 700 !draft');
  drive.keys('s');
  expect(drive.did('save')).toEqual([{ do: 'save', what: { kind: 'run', runId: 'r-0141' } }]);
});

test('lists go on past nine rows, are filtered, saved, and read again as they are now', () => {
  const rows = Array.from({ length: 20 }, (_, at) => ({ ...VIEW.runs.rows[1]!, id: `r-${at}` }));
  const drive = new PlainDrive({ ...VIEW, runs: { total: 20, rows } });
  expect(drive.keys('3')).toContain('runs: 1 to 9 of 20');
  expect(drive.keys('n', 'n')).toContain('runs: 19 to 20 of 20');
  expect(drive.keys('n')).toContain('that was the end of the list');
  expect(drive.keys('/', 'r-13', '\r')).toContain('runs: 1 to 1 of 1 with r-13');
  drive.keys('s');
  expect(drive.did('save')[0]?.what).toMatchObject({ name: 'runs', text: expect.stringContaining('r-13') });
  drive.keys('1');
  expect(drive.did('transcript')[0]?.runId, 'a number means what was read out').toBe('r-13');
});

test('settings that nobody acknowledged come first, and K acknowledges them in the terminal', () => {
  const drive = new PlainDrive();
  expect(drive.keys('7')).toContain(
    '1: CHANGED safety setting agent.review: false, from config.toml:12; acknowledged is true',
  );
  expect(drive.keys('5')).toContain('what: how long the first queued wake waits for others');
  drive.keys('K');
  expect(drive.did('command')).toEqual([{ do: 'command', args: ['config', 'ack'] }]);
  expect(drive.session.menu.at).toBe('list');
});

test('the first start says what was found, sets it up, and starts again', () => {
  const drive = new PlainDrive(FIRST_START);
  expect(drive.text).toContain('program: codex, not found. To do: npm install -g @openai/codex');
  expect(drive.text).toContain('i set up an agent');
  expect(drive.keys('i')).toContain('1 set up claude 2.1.332, logged in; 2 only watch');
  expect(drive.keys('1')).toContain('claude is set up. It runs your agent once wats has started again.');
  expect(drive.did('command')).toEqual([{ do: 'command', args: ['setup', 'claude'] }]);
  expect(drive.text).toContain('3 start again, with the settings as they are now');
  drive.keys('3');
  expect(drive.did('quit')).toEqual([{ do: 'quit', how: 'restart' }]);
});

test('a setup that was not agreed to leaves things as they were; in attach the daemon is to be restarted', () => {
  const refused = new PlainDrive(FIRST_START);
  refused.code = 1;
  expect(refused.keys('i', '1')).toContain('claude was not set up');
  expect(refused.session.menu.at).toBe('top');
  const attached = new PlainDrive(FIRST_START, { mode: 'attach' });
  expect(attached.keys('i', '1')).toContain('claude is set up; restart the daemon');
});

test('quitting asks as the screen does; Ctrl-C while the run is finished means now', () => {
  const drive = new PlainDrive();
  expect(drive.keys('q')).toContain(
    'choices: 1 let the run finish, then quit; 2 stop the run and quit; 3 stay',
  );
  drive.keys('1');
  expect(drive.keys('q')).toContain('1 keep waiting for the run to finish; 2 stop the run and quit');
  drive.keys('0', '\x03');
  expect(drive.did('quit').map(({ how }) => how)).toEqual(['drain', 'now']);
  const attached = new PlainDrive(VIEW, { mode: 'attach' });
  attached.keys('q');
  expect(attached.did('quit')).toEqual([{ do: 'quit', how: 'close' }]);
});

test('stopping the run asks first', () => {
  const drive = new PlainDrive();
  expect(drive.keys('S')).toContain('Stop run r-0142?');
  drive.keys('0');
  expect(drive.sent()).toEqual([]);
  drive.keys('S', '1');
  expect(drive.sent()).toEqual([{ do: 'stop' }]);
});

const WAYS: readonly (readonly string[])[] = [
  ['r'],
  ['p'],
  ['S', '1'],
  ['c', '1', '\r', 'x', '\r', 'P'],
  ['u'],
  ['i', '1'],
  ['7', 'K'],
  ['d', '1', 'P'],
  ['d', '1', 'e'],
  ['d', '1', 'x', '\r'],
  ['d', '1', 'R'],
  ['4', '1', 'R'],
];

test('a read-only view reads everything and does nothing, and says so', () => {
  for (const way of WAYS) {
    const drive = new PlainDrive(VIEW, { readOnly: true, mode: 'attach' });
    drive.keys(...way);
    expect(acting(drive), way.join()).toEqual([]);
    expect(drive.text).toContain('this view is read-only');
  }
  const drive = new PlainDrive(VIEW, { readOnly: true, mode: 'attach' });
  expect(drive.keys('d', '1')).toContain('end of the draft');
  drive.keys('0', '0', '3', '1', 's');
  expect(drive.did('save')).toHaveLength(1);
});

test('whatever a view was when a text was begun, a read-only one sends nothing and keeps the text', () => {
  const drive = new PlainDrive();
  drive.keys('d', '1', 'x', 'why');
  drive.options.readOnly = true;
  expect(drive.keys('\r')).toContain('this view is read-only\nwhy');
  expect(drive.sent()).toEqual([]);
});

test('while the daemon is gone nothing is sent, what is written is kept, and its return is said', () => {
  for (const way of WAYS) {
    const drive = new PlainDrive({ ...VIEW, alerts: GONE }, { mode: 'attach' });
    drive.keys(...way);
    expect(acting(drive), way.join()).toEqual([]);
  }
  const drive = new PlainDrive(VIEW, { mode: 'attach' });
  drive.keys('c', '1', '\r', 'half a sentence', '\r');
  expect(drive.change({ alerts: GONE })).toBe('ALERT daemon_gone: the daemon has gone away\n');
  expect(drive.keys('P')).toContain('the daemon is gone; this view connects again by itself');
  expect(drive.change({ alerts: [], epoch: 'e-2' })).toBe('the daemon is back\n');
  drive.keys('l', 'P');
  expect(drive.sent()).toMatchObject([{ do: 'post', text: 'half a sentence' }]);
});

test('a page that does not come leads back, and one that comes late changes nothing', () => {
  const drive = new PlainDrive();
  drive.data.drafts.clear();
  expect(drive.keys('d', '1')).toContain('error: no such draft\nchoices: 1 to 3 reads a draft in full');
  drive.slow = true;
  drive.keys('0', '4', '1');
  expect(drive.keys('x')).toContain('it is not here yet; 0 goes back');
  drive.keys('0');
  const before = drive.text;
  for (const event of drive.later.splice(0)) drive.event(event);
  expect(drive.text).toBe(before);
});

test('news come between the lines of what a person is at, never into what they type', () => {
  const drive = new PlainDrive();
  drive.keys('d', '1', 'x', 'half');
  const alerts = [{ code: 'halt', text: 'halted', fix: null }] as const;
  expect(drive.change({ alerts })).toBe('');
  drive.event({ type: 'notice', tone: 'ok', text: 'saved it' });
  expect(drive.text).toMatch(/half\nsaved it\nhalf$/);
  expect(drive.keys('\x1b')).toContain('ALERT halt: halted');
  const rows = [{ ...VIEW.drafts.rows[0]!, id: 'd-99', excerpt: 'fresh', createdAt: NOW }];
  expect(drive.change({ drafts: { total: 1, rows } }), 'a draft is read').toBe('');
  expect(drive.keys('0', '0')).toContain('new draft: answer to ask 9c1e');
});

test('a key that acts must come by itself', () => {
  const drive = new PlainDrive();
  drive.chunk('x', 0);
  drive.chunk('r', 5);
  expect(drive.text).toContain('press it once more, by itself');
  expect(drive.sent()).toEqual([]);
});

function acting(drive: Drive) {
  return drive.effects.filter(({ do: what }) => what === 'send' || what === 'command' || what === 'edit');
}
