import { expect, test } from 'vitest';
import { ACTIONS } from '../../components/keys/table.ts';
import { Drive } from './drive.ts';
import { DRAFT, VIEW } from './fixture.ts';
import { mount } from './mount.ts';

const GONE = [{ code: 'daemon_gone', text: 'the daemon has gone away', fix: null }] as const;

test('in a read-only view no key of any panel or page asks for anything, and each says why', () => {
  const drive = new Drive();
  drive.readOnly = true;
  for (const key of ['a', 'e', 'x', 'c', 'R', 'r', 'p', 'S', 'A', 'u', 'space']) {
    drive.keys(key);
    expect(drive.state.dialog, key).toBeNull();
    expect(drive.text(), key).toContain('this view is read-only');
  }
  drive.keys('enter');
  for (const key of ['P', 'e', 'x', 'R', 'space']) {
    drive.keys(key);
    expect(drive.text(), key).toContain('this view is read-only');
  }
  expect(drive.text(), 'reading is not acting').toContain(DRAFT.title);
  drive.keys('esc', '4', 'enter', 'R');
  expect(drive.state.dialog?.kind).toBe('thread');
  expect(drive.sent()).toEqual([]);
});

test('every action that sends something is marked as acting', () => {
  for (const { scope, id, keys } of ACTIONS) {
    if (scope !== 'screen') continue;
    const drive = new Drive();
    drive.readOnly = true;
    drive.keys(keys[0]!);
    expect(drive.sent(), id).toEqual([]);
  }
});

test('while the daemon is gone its keys are off, and what is being written is kept', () => {
  const drive = new Drive();
  drive.keys('c', 'enter', 'enter');
  drive.type('half a sentence');
  drive.change({ alerts: GONE });
  drive.keys('enter');
  expect(drive.sent()).toEqual([]);
  expect(drive.text()).toContain('half a sentence');
  expect(drive.text()).toContain('connects again by itself');
  drive.change({ alerts: [] });
  drive.keys('enter');
  expect(drive.sent()).toMatchObject([{ do: 'post', text: 'half a sentence' }]);
});

test('a run of a daemon that is gone has no running clock', () => {
  const drive = new Drive({ ...VIEW, alerts: GONE });
  expect(drive.text()).toContain('was going');
  expect(drive.text()).not.toContain('0:14');
});

test('nothing leaves a read-only screen, whatever asks for it', async () => {
  const { controls, press, terminal } = mount({ readOnly: true, mode: 'attach' });
  await terminal.until('READ-ONLY');
  press('r');
  await terminal.until('this view is read-only');
  press('\r');
  await terminal.until('P publishes this');
  press('P');
  await terminal.until('this view is read-only');
  expect(controls.sent).toEqual([]);
});
