import { describe, expect, it } from 'vitest';
import type { Draft, Store } from '../../src/store/index.ts';
import { ANN, hex, NOW, post, put, tempStore } from './support.ts';

const HOUR = 3_600_000;
type Held = Parameters<Store['drafts']['hold']>[0];

const draft = (id: string, fields: Partial<Held> = {}): Held => ({
  id,
  agent: 'main',
  profile: 'ann-agent',
  author: ANN,
  space: 'open',
  kind: 'answer',
  root: hex('root'),
  parent: hex('parent'),
  title: '',
  text: 'a draft',
  tags: ['a', '"b"'],
  sha256: hex(id),
  run: 'r-1',
  createdAt: NOW,
  expiresAt: NOW + HOUR,
  ...fields,
});
const approval = {
  state: 'approved',
  at: NOW + 1,
  by: 'person',
  through: 'screen',
  reason: null,
  post: hex('post'),
} as const;
const rejection = {
  ...approval,
  state: 'rejected',
  by: 'session',
  through: 'mcp',
  reason: 'too long',
  post: null,
} as const;
const held = (store: Store, id: string): Draft => store.drafts.byId(id)!;

describe('drafts', () => {
  it('are held with everything that would be published, oldest first', () => {
    const store = tempStore();
    store.drafts.hold(draft('d-b', { createdAt: NOW + 1 }));
    store.drafts.hold(draft('d-a', { parent: null, root: null, run: null }));
    expect(store.drafts.held().map(({ id }) => id)).toEqual(['d-a', 'd-b']);
    expect(held(store, 'd-b')).toEqual({
      ...draft('d-b', { createdAt: NOW + 1 }),
      state: 'held',
      decidedAt: null,
      decidedBy: null,
      decidedThrough: null,
      reason: null,
      post: null,
    });
    expect([store.drafts.heldCount(), store.drafts.countOfRun('r-1')]).toEqual([2, 1]);
    expect(() => store.drafts.hold(draft('d-a'))).toThrow(/UNIQUE/);
  });

  it('are decided once: of two, the first wins', () => {
    const store = tempStore();
    store.drafts.hold(draft('d-1'));
    const shown = held(store, 'd-1');
    expect(store.drafts.decide({ ...shown, text: 'edited', sha256: hex('edited') }, approval)).toBe(true);
    expect(store.drafts.decide(shown, rejection)).toBe(false);
    expect(held(store, 'd-1')).toMatchObject({
      state: 'approved',
      text: 'edited',
      sha256: hex('edited'),
      decidedAt: NOW + 1,
      decidedBy: 'person',
      decidedThrough: 'screen',
      post: hex('post'),
    });
    expect(store.drafts.held()).toEqual([]);
  });

  it('come back from a rejection until a run was told of it, or they expire', () => {
    const store = tempStore();
    for (const id of ['d-1', 'd-2', 'd-3']) {
      store.drafts.hold(draft(id));
      store.drafts.decide(held(store, id), rejection);
    }
    expect(store.drafts.unreject('d-1', NOW + HOUR - 1)).toBe(true);
    expect(held(store, 'd-1')).toMatchObject({ state: 'held', reason: null, decidedBy: null });
    expect(store.drafts.unreject('d-1', NOW)).toBe(false);
    expect(store.drafts.unreject('d-2', NOW + HOUR)).toBe(false);
    expect(store.drafts.untoldRejections('main').map(({ id, reason }) => [id, reason])).toEqual([
      ['d-2', 'too long'],
      ['d-3', 'too long'],
    ]);
    const charge = { microUsd: 0, runs: 1, unpricedRuns: 0 } as const;
    const run = {
      id: 'r-2',
      agent: 'main',
      session: 's',
      cause: 'person',
      runtime: 'command',
      secondTry: false,
      about: null,
      wakes: [],
      charge,
      capMicroUsd: null,
      at: NOW,
    };
    store.runs.book(run);
    expect(store.drafts.untoldRejections('main')).toEqual([]);
    expect(store.drafts.unreject('d-3', NOW)).toBe(false);
    store.runs.end({
      id: 'r-2',
      at: NOW,
      outcome: 'auth',
      message: '',
      exitCode: 1,
      signal: null,
      costMicroUsd: null,
      turns: null,
      charge,
      fate: 'back',
    });
    expect(store.drafts.untoldRejections('main')).toHaveLength(2);
  });

  it('expire when their time has come, and only those that are held', () => {
    const store = tempStore();
    store.drafts.hold(draft('d-1'));
    store.drafts.hold(draft('d-2', { expiresAt: NOW + 1 }));
    store.drafts.hold(draft('d-3', { expiresAt: NOW + 1 }));
    store.drafts.decide(held(store, 'd-3'), approval);
    expect(store.drafts.expire(NOW)).toEqual([]);
    expect(store.drafts.expire(NOW + 1)).toEqual(['d-2']);
    expect(store.drafts.expire(NOW + 1)).toEqual([]);
    expect(held(store, 'd-2')).toMatchObject({ state: 'expired', decidedAt: NOW + 1 });
    expect(store.drafts.decide(held(store, 'd-2'), approval)).toBe(false);
  });
});

describe('effects', () => {
  const effect = {
    agent: 'main',
    run: null,
    author: ANN,
    tool: 'post',
    request: null,
    argsHash: hex('args'),
    kind: 'ask',
    parent: null,
    result: '"first"',
    at: NOW,
  };

  it('are found by the request id of their author', () => {
    const store = tempStore();
    store.effects.record({ ...effect, request: 'q-1' });
    store.effects.record({ ...effect, request: 'q-1', author: hex('other'), result: '"other"' });
    store.effects.record(effect);
    store.effects.record(effect);
    expect(store.effects.byRequest(ANN, 'q-1')).toEqual({ result: '"first"', argsHash: hex('args') });
    expect(store.effects.byRequest(ANN, 'q-2')).toBeNull();
    expect(() => store.effects.record({ ...effect, request: 'q-1' })).toThrow(/UNIQUE/);
  });

  it('of a first try are found by the kind and the parent, for a run that took one of the same wakes', () => {
    const store = tempStore();
    store.people.addAgent('main', ANN);
    const [one, two] = [post(), post()];
    put(store, one, two);
    store.wakes.step('main', 9, NOW, () => ({ verdict: 'wake', rule: 'ask' }));
    const charge = { microUsd: 0, runs: 1, unpricedRuns: 0 } as const;
    const book = (id: string, wakes: number[]) =>
      store.runs.book({
        id,
        agent: 'main',
        session: 's',
        cause: 'post',
        runtime: 'command',
        secondTry: false,
        about: null,
        wakes,
        charge,
        capMicroUsd: null,
        at: NOW,
      });
    book('r-1', [1]);
    store.effects.record({ ...effect, run: 'r-1', kind: 'answer', parent: one.id, result: '"answer"' });
    store.effects.record({ ...effect, run: 'r-1', kind: 'ask', parent: null, result: '"ask"' });
    store.effects.record({ ...effect, run: 'r-1', kind: 'ask', parent: null, result: '"ask again"' });
    expect(store.effects.countOfRun('r-1')).toBe(3);
    store.runs.end({
      id: 'r-1',
      at: NOW,
      outcome: 'error',
      message: '',
      exitCode: 1,
      signal: null,
      costMicroUsd: null,
      turns: null,
      charge,
      fate: 'back',
    });
    book('r-2', [2]);
    expect(store.effects.ofFirstTry('r-2', 'answer', one.id)).toBeNull();
    expect(store.effects.ofFirstTry('r-1', 'answer', one.id)).toBeNull();
    store.runs.end({
      id: 'r-2',
      at: NOW,
      outcome: 'rate_limited',
      message: '',
      exitCode: 1,
      signal: null,
      costMicroUsd: null,
      turns: null,
      charge,
      fate: 'back',
    });
    expect(store.wakes.history('main', 1).wake?.state).toBe('done');
  });

  it('of a first try are found when the wake came back', () => {
    const store = tempStore();
    store.people.addAgent('main', ANN);
    const [one] = [post()];
    put(store, one);
    store.wakes.step('main', 9, NOW, () => ({ verdict: 'wake', rule: 'ask' }));
    const charge = { microUsd: 0, runs: 1, unpricedRuns: 0 } as const;
    const book = (id: string) =>
      store.runs.book({
        id,
        agent: 'main',
        session: 's',
        cause: 'post',
        runtime: 'command',
        secondTry: false,
        about: null,
        wakes: [1],
        charge,
        capMicroUsd: null,
        at: NOW,
      });
    book('r-1');
    store.effects.record({ ...effect, run: 'r-1', kind: 'claim', parent: one.id, result: '"claimed"' });
    store.effects.record({ ...effect, run: 'r-1', kind: 'ask', result: '"asked"' });
    store.runs.end({
      id: 'r-1',
      at: NOW,
      outcome: 'interrupted',
      message: '',
      exitCode: null,
      signal: 'SIGKILL',
      costMicroUsd: null,
      turns: null,
      charge,
      fate: 'second_try',
    });
    book('r-2');
    expect(store.effects.ofFirstTry('r-2', 'claim', one.id)).toBe('"claimed"');
    expect(store.effects.ofFirstTry('r-2', 'ask', null)).toBe('"asked"');
    expect(store.effects.ofFirstTry('r-2', 'answer', one.id)).toBeNull();
    expect(store.effects.ofFirstTry('r-2', 'claim', null)).toBeNull();
  });
});
