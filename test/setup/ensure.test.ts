import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureRegistered, staleRegistrations, wantedEntry } from '../../src/setup/index.ts';
import { type TestMachine, testMachine } from './support/machine.ts';

let machine: TestMachine;
beforeEach(() => {
  machine = testMachine();
});
afterEach(() => machine.remove());

const wanted = (more: { dir?: string; profile?: string; node?: string } = {}) =>
  wantedEntry({
    ...machine.context.self,
    profile: 'ada',
    dir: machine.dir,
    home: machine.home,
    platform: 'linux',
    ...more,
  });

describe('registering at the start of a daemon', () => {
  test.each(['claude', 'codex'] as const)(
    'registers in %s when it is missing or different, and is silent otherwise',
    async (program) => {
      expect(await ensureRegistered(program, wanted(), machine.context)).toEqual([
        expect.stringContaining('registered wats in'),
      ]);
      const calls = machine.changes(program).length;
      expect(await ensureRegistered(program, wanted(), machine.context)).toEqual([]);
      expect(machine.changes(program)).toHaveLength(calls);
      const moved = wanted({ node: '/new/node' });
      expect(await ensureRegistered(program, moved, machine.context)).not.toEqual([]);
      expect(await ensureRegistered(program, moved, machine.context)).toEqual([]);
    },
  );

  test('has nothing to register in another runtime', async () => {
    expect(await ensureRegistered('command', wanted(), machine.context)).toEqual([]);
  });

  test('fails with the program’s own words', async () => {
    machine.write('refuse-add', '');
    await expect(ensureRegistered('claude', wanted(), machine.context)).rejects.toMatchObject({
      code: 'runtime',
      message: expect.stringContaining('Cannot add now'),
    });
  });
});

describe('a stale registration', () => {
  const stale = () => staleRegistrations(wanted(), machine.dir, machine.context);

  test('is none while nothing or the right thing is registered', async () => {
    expect(stale()).toEqual([]);
    await ensureRegistered('claude', wanted(), machine.context);
    await ensureRegistered('codex', wanted(), machine.context);
    expect(stale()).toEqual([]);
  });

  test('is told for each program, with the fix', async () => {
    await ensureRegistered('claude', wanted({ node: '/old/node' }), machine.context);
    await ensureRegistered('codex', wanted({ profile: 'bob' }), machine.context);
    expect(stale().map(({ fix }) => fix)).toEqual(['wats setup claude --mcp', 'wats setup codex --mcp']);
  });

  test('of another data directory is none of this one’s', async () => {
    await ensureRegistered('claude', wanted({ dir: '/srv/other' }), machine.context);
    expect(stale()).toEqual([]);
  });

  test('is not looked for in a file that is damaged', () => {
    machine.write('.claude.json', '{');
    expect(stale()).toEqual([]);
  });
});
