import { expect, test } from 'vitest';
import type { View } from '../../src/control/index.ts';
import { Drive } from './drive.ts';
import { VIEW } from './fixture.ts';

const NOTHING = { total: 0, rows: [] };
/** A node without an agent, on a machine where two programs were found and one is ready. */
const FIRST: View = {
  ...VIEW,
  agent: null,
  spend: null,
  run: null,
  transcript: { runId: null, total: 0, tail: [] },
  programs: [
    { name: 'codex', version: '0.171.0', loggedIn: false, fix: 'codex login' },
    { name: 'claude', version: '2.1.332', loggedIn: true, fix: null },
  ],
  drafts: NOTHING,
  paused: NOTHING,
  runs: NOTHING,
  queue: { ...NOTHING, verdict: null, until: null },
};

const commands = (drive: Drive) =>
  drive.effects.flatMap((effect) => (effect.do === 'command' ? [effect.args] : []));

test('Enter on the first start offers what was found, the program that is ready first, and sets that one up', () => {
  const drive = new Drive(FIRST);
  drive.keys('enter');
  expect(drive.text()).toContain('▸ 1 set up claude 2.1.332, logged in');
  expect(drive.text()).toContain('2 set up codex 0.171.0, not logged in → codex login');
  drive.keys('enter');
  expect(commands(drive)).toEqual([['setup', 'claude']]);
  expect(drive.state.dialog).toBeNull();
});

test('once it is set up, starting again is the default of what is offered, and nothing happens before Enter', () => {
  const drive = new Drive(FIRST);
  drive.event({ type: 'commanded', args: ['setup', 'claude'], code: 0 });
  expect(drive.text()).toContain('claude is set up. It runs your agent once wats has started again.');
  expect(drive.text()).toContain('▸ 3 start again');
  expect(drive.effects).toEqual([]);
  drive.keys('enter');
  expect(drive.effects).toEqual([{ do: 'quit', how: 'restart' }]);
});

test('a setup that was not agreed to changes nothing here', () => {
  const drive = new Drive(FIRST);
  drive.event({ type: 'commanded', args: ['setup', 'claude'], code: 1 });
  expect(drive.text()).toContain('claude was not set up');
  drive.keys('q');
  expect(drive.text()).not.toContain('start again');
});

test('only watching is the last choice, and Esc the way out: neither runs anything', () => {
  for (const keys of [['up', 'enter'], ['3', 'enter'], ['esc'], ['q']]) {
    const drive = new Drive(FIRST);
    drive.keys('enter', ...keys);
    expect(commands(drive)).toEqual([]);
    expect(drive.state.dialog).toBeNull();
  }
});

test('an attached screen sets up too, and says that the daemon must be started again; read-only it does not', () => {
  const drive = new Drive(FIRST);
  drive.mode = 'attach';
  drive.event({ type: 'commanded', args: ['setup', 'claude'], code: 0 });
  expect(drive.text()).toContain('claude is set up; restart the daemon');
  drive.readOnly = true;
  drive.keys('enter');
  expect(drive.text()).toContain('this view is read-only');
  expect(drive.state.dialog).toBeNull();
});

test('where nothing was found there is nothing to choose from, and the screen says what to install', () => {
  const drive = new Drive({
    ...FIRST,
    programs: [
      { name: 'claude', version: null, loggedIn: null, fix: 'npm install -g @anthropic-ai/claude-code' },
    ],
  });
  drive.keys('enter');
  expect(drive.state.dialog).toBeNull();
  expect(drive.text()).toContain('no agent program was found here');
  expect(drive.text()).toContain('npm install -g @anthropic-ai/claude-code');
});

test('K in the settings runs wats config ack, which asks; elsewhere, and with nothing to acknowledge, it says why not', () => {
  const drive = new Drive();
  drive.keys('K');
  expect(drive.text()).toContain('only in the settings');
  drive.keys('7', 'K');
  expect(commands(drive)).toEqual([['config', 'ack']]);
  const rows = VIEW.settings.rows.map((row) => ({ ...row, acknowledged: null }));
  drive.change({ settings: { total: rows.length, rows } });
  drive.keys('K');
  expect(drive.text()).toContain('every safety setting is as you acknowledged it');
  expect(commands(drive)).toHaveLength(1);
});

test('a setting opens with what it is, where it is from, what was acknowledged, and how to change it', () => {
  const drive = new Drive();
  drive.keys('7');
  expect(drive.text(), 'what is to be acknowledged comes first').toMatch(/▸! agent\.review +true → false/);
  drive.keys('enter');
  expect(drive.text()).toMatch(/acknowledged +true/);
  expect(drive.text()).toContain('wats config set agent.review VALUE');
  drive.keys('esc', '/');
  drive.type('kind:changed');
  expect(drive.text()).toContain('1 of 5 match');
});

test('when config.toml has changed, starting again is among the choices of q; a screen of the demo offers neither', () => {
  const drive = new Drive({
    ...FIRST,
    alerts: [{ code: 'config', text: 'config.toml has changed', fix: null }],
  });
  drive.keys('q');
  expect(drive.text()).toContain('start again, with the settings as they are now');
  drive.keys('esc');
  drive.once = true;
  drive.keys('q');
  expect(drive.text()).toContain('1 quit');
  expect(drive.text()).toContain('2 stay');
  expect(drive.text()).not.toMatch(/start again|in the background/);
});
