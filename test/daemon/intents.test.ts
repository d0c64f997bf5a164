import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type IntentHouse, intentHandler } from '../../src/daemon/intents.ts';
import { WatsError } from '../../src/errors/index.ts';
import { openStore } from '../../src/store/index.ts';

const PERSON = { kind: 'person', through: 'screen' } as const;

function house(change: Partial<IntentHouse> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'wats-intents-'));
  const store = openStore(join(dir, 'wats.db'));
  onTestFinished(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const defects: unknown[] = [];
  const quits: string[] = [];
  const handle = intentHandler({
    store,
    publisher: {} as IntentHouse['publisher'],
    runner: null,
    now: () => 1_000,
    quit: (how) => quits.push(how),
    onDefect: (error) => defects.push(error),
    ...change,
  });
  return { handle, store, defects, quits };
}

test('without an agent what is asked of it is refused with what to set', () => {
  const { handle, defects } = house();
  expect(handle(PERSON, 'k', { do: 'run' })).toMatchObject({
    ok: false,
    code: 'refused',
    fix: expect.stringContaining('agent.runtime'),
  });
  expect(defects).toEqual([]);
});

test('a request is carried out once for each key', () => {
  const { handle, quits } = house();
  const first = handle(PERSON, 'k1', { do: 'quit', how: 'drain' });
  expect(handle(PERSON, 'k1', { do: 'quit', how: 'drain' })).toEqual(first);
  handle(PERSON, 'k2', { do: 'quit', how: 'now' });
  expect(quits).toEqual(['drain', 'now']);
});

test('a defect is logged and does not leak', () => {
  const { handle, defects } = house();
  const result = handle(PERSON, 'k', { do: 'reject', draft: 'd-1', reason: 'no' });
  expect(result).toMatchObject({ ok: false, code: 'failed' });
  expect(JSON.stringify(result)).not.toContain('reject is not a function');
  expect(defects).toHaveLength(1);
});

test('a full disk keeps no answer, and changes none', () => {
  const full = new WatsError('storage', 'the disk is full');
  const people = {
    answered: () => null,
    answer: () => {
      throw full;
    },
  };
  const { handle, defects, quits } = house({ store: { people } as unknown as IntentHouse['store'] });
  expect(handle(PERSON, 'k', { do: 'quit', how: 'drain' })).toMatchObject({ ok: true });
  expect(quits).toEqual(['drain']);
  expect(defects).toEqual([full]);
});
