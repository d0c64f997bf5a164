import { describe, expect, test } from 'vitest';
import { encodeHello, profileProblem, readFirstLine } from '../../src/mcp/hello.ts';

describe('the first line of a connection', () => {
  test('is read back as it was written', () => {
    expect(encodeHello({ profile: 'ann' })).toBe('{"wats":1,"profile":"ann"}\n');
    expect(readFirstLine(encodeHello({ profile: 'ann', token: 't' }).trimEnd())).toEqual({
      is: 'hello',
      hello: { profile: 'ann', token: 't' },
    });
    expect(readFirstLine(encodeHello({}).trimEnd())).toEqual({ is: 'hello', hello: {} });
  });

  test.each(['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'null', '[1]', 'nonsense', ''])(
    '%j belongs to MCP',
    (line) => {
      expect(readFirstLine(line)).toEqual({ is: 'mcp' });
    },
  );

  test('of another version is refused, and says so', () => {
    expect(readFirstLine('{"wats":2}')).toMatchObject({
      is: 'refused',
      why: expect.stringContaining('version 1'),
    });
  });

  test.each([
    '{"wats":1,"profile":7}',
    '{"wats":1,"profile":" "}',
    '{"wats":1,"profile":"a\\nb"}',
    '{"wats":1,"token":1}',
  ])('%j is refused', (line) => {
    expect(readFirstLine(line).is).toBe('refused');
  });
});

test('a profile name has 1 to 128 bytes and no control characters', () => {
  expect(profileProblem('José 🦀')).toBeUndefined();
  expect(profileProblem('x'.repeat(128))).toBeUndefined();
  expect(profileProblem('é'.repeat(65))).toContain('128 bytes');
  expect(profileProblem('\ud800')).toBeDefined();
  expect(profileProblem('')).toBeDefined();
});
