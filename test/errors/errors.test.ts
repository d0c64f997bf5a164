import { describe, expect, it } from 'vitest';
import { exitCodeOf, isWatsError, WatsError } from '../../src/errors/index.ts';

describe('WatsError', () => {
  it('keeps what happened, what to do and why', () => {
    const cause = new Error('ENOENT');
    expect(new WatsError('directory', 'no directory', { fix: 'make one', cause })).toMatchObject({
      name: 'WatsError',
      code: 'directory',
      message: 'no directory',
      fix: 'make one',
      cause,
    });
    expect('cause' in new WatsError('failed', 'x')).toBe(false);
  });

  it('is known also from another copy of its module, and nothing else is', () => {
    const copy = Object.assign(new Error('x'), { name: 'WatsError', code: 'usage' });
    expect(isWatsError(copy)).toBe(true);
    for (const other of [
      new Error('x'),
      Object.assign(new Error('x'), { code: 'ENOENT' }),
      { name: 'WatsError', code: 'usage' },
      null,
    ])
      expect(isWatsError(other)).toBe(false);
  });

  it('ends a command with the code that scripts rely on', () => {
    const codes = {
      usage: 2,
      setting: 2,
      invite: 2,
      no_daemon: 3,
      already_running: 75,
      rate_limited: 75,
      halted: 75,
      refused: 75,
      forbidden: 1,
      storage: 1,
      changed: 1,
    } as const;
    for (const [code, exit] of Object.entries(codes))
      expect([code, exitCodeOf(new WatsError(code as keyof typeof codes, 'x'))]).toEqual([code, exit]);
    expect(exitCodeOf(new TypeError('x'))).toBe(1);
  });
});
