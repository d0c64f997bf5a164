import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bind, shownKey } from '../../components/keys/bind.ts';
import { keysOf } from '../../components/keys/names.ts';
import { ACTIONS } from '../../components/keys/table.ts';
import { split, tap } from '../../components/screen/tap.ts';
import { matcher } from '../../components/state/filter.ts';
import { diffLines } from '../../src/text/index.ts';
import { TestTerminal } from '../support/terminal.ts';
import { Drive } from './drive.ts';
import { VIEW } from './fixture.ts';

test('a chunk is as many key presses as it has graphemes', () => {
  expect(keysOf('yes', {})).toEqual(['y', 'e', 's']);
  expect(keysOf('é日👩‍💻', {})).toEqual(['é', '日', '👩‍💻']);
  expect(keysOf('j\r \t', {})).toEqual(['j', 'enter', 'space', 'tab']);
  expect(keysOf('', { upArrow: true })).toEqual(['up']);
  expect(keysOf('d', { ctrl: true })).toEqual(['ctrl-d']);
  expect(keysOf('', { tab: true, shift: true })).toEqual(['shift-tab']);
  expect(keysOf('x', { eventType: 'release' })).toEqual([]);
});

test('every key of the screen is in its help', () => {
  const drive = new Drive();
  drive.size = { columns: 120, rows: 60 };
  drive.keys('?');
  const text = drive.text();
  for (const action of ACTIONS.filter((one) => one.scope === 'screen')) {
    expect(text).toContain(action.help.slice(0, 40));
    expect(text).toContain(action.keys.map(shownKey).join(' '));
  }
});

test('the help of a thread and of the rules lists their own keys', () => {
  for (const scope of ['thread', 'why'] as const) {
    const drive = new Drive(VIEW, { columns: 120, rows: 60 });
    drive.keys('4', 'down', 'down', 'down', 'down', 'up', 'up', 'enter');
    if (scope === 'why') drive.keys('w');
    drive.keys('?');
    const text = drive.text();
    for (const action of ACTIONS.filter((one) => one.scope === scope))
      expect(text).toContain(`${action.keys.map(shownKey).join(' ')} `);
    drive.keys('esc');
    expect(drive.state.dialog?.kind).toBe(scope);
  }
});

test('typing in the help finds an action by word or by key, and Enter does it', () => {
  const drive = new Drive();
  drive.keys('?');
  drive.type('wake the agent');
  drive.keys('enter');
  expect(drive.sent()).toEqual([{ do: 'run' }]);
  drive.keys('?', 'm');
  expect(drive.text()).toContain('▸ m          Mouse on');
});

test('the help says why a key does nothing now', () => {
  const drive = new Drive();
  drive.keys('?');
  expect(drive.text()).toContain('now: nothing was rejected here');
});

test('keys can be replaced, and the footer follows', () => {
  const bindings = bind({ 'screen.run': ['z'] });
  expect(bindings.find('screen', 'z')?.id).toBe('screen.run');
  expect(bindings.find('screen', 'r')).toBeUndefined();
});

test('keys that cannot be are refused with the names of the actions', () => {
  expect(() => bind({ 'screen.run': ['p'] })).toThrow(/screen\.run and screen\.pause are both on p/);
  expect(() => bind({ 'screen.fly': ['f'] })).toThrow(/no action "screen\.fly"/);
  expect(() => bind({ 'screen.run': [] })).toThrow(/screen\.run has no key/);
  expect(() => bind({ 'draft.publish': ['enter'] })).toThrow(/single printable/);
});

test('a filter has words, their opposite, kinds and costs', () => {
  const row = { text: 'Use WAL', kind: 'tool_call', costMicroUsd: 150_000 };
  const matches = (filter: string) => matcher(filter)(row);
  expect(['wal', 'use wal', '!journal', 'kind:tool', 'cost>0.1', '', '!'].map(matches)).not.toContain(false);
  expect(['journal', '!wal', 'kind:text', 'cost<0.1', 'wal !use'].map(matches)).not.toContain(true);
});

test('a diff holds every line of both texts, in order', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before.join('\n'), after.join('\n'));
      expect(diff.filter(({ sign }) => sign !== '+').map(({ text }) => text)).toEqual(before);
      expect(diff.filter(({ sign }) => sign !== '-').map(({ text }) => text)).toEqual(after);
    }),
  );
  expect(diffLines('a\nb\nc', 'a\nx\nc').map(({ sign, text }) => sign + text)).toEqual([
    ' a',
    '-b',
    '+x',
    ' c',
  ]);
});

test('mouse reports are taken out of the keys', () => {
  expect(split('a\x1b[<64;10;5Mb\x1b[<0;3;4Mc\x1b[<0;3;4m')).toEqual({
    keys: 'abc',
    cut: '',
    pointers: [
      { type: 'wheel', by: -1, x: 9, y: 4 },
      { type: 'click', x: 2, y: 3 },
    ],
  });
  expect(split('x\x1b[<64;1')).toEqual({ keys: 'x', cut: '\x1b[<64;1', pointers: [] });
  expect(split('\x1b[A')).toEqual({ keys: '\x1b[A', cut: '', pointers: [] });
});

test('a key is alone when its chunk holds nothing else and nothing came right before it', async () => {
  const terminal = new TestTerminal(80, 24);
  let now = 1_000;
  const seen: string[] = [];
  const pointers: unknown[] = [];
  const tapped = tap({
    stdin: terminal.stdin,
    now: () => now,
    onPointer: (pointer) => pointers.push(pointer),
    onEnd: () => undefined,
  });
  tapped.stream.setRawMode(true);
  tapped.stream.on('data', (chunk) => seen.push(String(chunk)));
  const typed = async (chunk: string, after: number) => {
    now += after;
    const before = seen.length;
    terminal.type(chunk);
    while (seen.length === before) await new Promise((resolve) => setImmediate(resolve));
    return tapped.alone();
  };
  expect(await typed('P', 1_000)).toBe(true);
  expect(await typed('P', 79)).toBe(false);
  expect(await typed('P', 80)).toBe(true);
  expect(await typed('PP', 1_000)).toBe(false);
  expect(await typed('\x1b[B', 1_000)).toBe(false);
  expect(await typed('\x1b[<0;1;1MP', 1_000)).toBe(false);
  expect(pointers).toHaveLength(1);
  // A clock that was set back is no reason to wait.
  expect(await typed('é', -5_000)).toBe(true);
  tapped.close();
  terminal.dispose();
});
