import { describe, expect, it } from 'vitest';
import { type Action, allowedActions, may, type Principal } from '../../src/access/index.ts';

const ACTIONS: readonly Action[] = [
  'search',
  'read',
  'post',
  'reply',
  'inbox',
  'status',
  'pending',
  'decide',
  'manage',
  'submit',
];
const profile = 'ann';
const WHO = {
  screen: { kind: 'person', through: 'screen' },
  control: { kind: 'person', through: 'control' },
  session: { kind: 'session', profile, shared: false },
  shared: { kind: 'session', profile, shared: true },
  run: { kind: 'run', agent: 'main', runId: 'r-1', profile },
  forwarded: { kind: 'forwarded', agent: 'main', profile },
  peer: { kind: 'peer', peerId: '12D3KooW' },
} satisfies Record<string, Principal>;

/** The table of "Who may do what": yes, no, or while sessions decide. One column an action, in the order above. */
const TABLE: Record<keyof typeof WHO, string> = {
  //         search read post reply inbox status pending decide manage submit
  screen: 'y      y    y    y     y     y      y       y      y      n',
  control: 'y      y    y    y     y     y      y       y      y      n',
  session: 'y      y    y    y     y     y      y       d      n      n',
  shared: 'y      y    y    y     y     y      n       n      n      n',
  run: 'y      y    y    y     y     y      n       n      n      n',
  forwarded: 'y      y    y    y     y     y      n       n      n      n',
  peer: 'n      n    n    n     n     n      n       n      n      y',
};

describe('who may do what', () => {
  const cells = Object.entries(TABLE).flatMap(([who, row]) =>
    row.split(/\s+/).flatMap((cell, n) =>
      [true, false].map((sessionsDecide) => ({
        who: who as keyof typeof WHO,
        action: ACTIONS[n]!,
        sessionsDecide,
        granted: cell === 'y' || (cell === 'd' && sessionsDecide),
      })),
    ),
  );

  it('has a cell for each principal and each action', () => {
    expect(cells).toHaveLength(Object.keys(WHO).length * ACTIONS.length * 2);
  });

  it.each(cells)(
    '$who, $action, sessions decide: $sessionsDecide → $granted',
    ({ who, action, sessionsDecide, granted }) => {
      expect(may(WHO[who], action, { sessionsDecide })).toBe(granted);
      expect(allowedActions(WHO[who], { sessionsDecide }).includes(action)).toBe(granted);
    },
  );

  it('grants nothing that is not in the list of actions', () => {
    for (const who of Object.values(WHO))
      for (const action of allowedActions(who, { sessionsDecide: true })) expect(ACTIONS).toContain(action);
  });
});
