import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { type Key, keys, settingOf, showValue } from '../../src/config/index.ts';
import { load, refusal } from './support.ts';

const KEY = 'ab'.repeat(32);
const fromFile = (key: Key, toml: string) => load(`${key} = ${toml}`).settings[key];
const fromVariable = (key: Key, text: string) =>
  load(undefined, { [`WATS_${key.toUpperCase().replaceAll('.', '_')}`]: text }).settings[key];

describe('durations', () => {
  test.each([
    ['"30s"', 30_000],
    ['"10m"', 600_000],
    ['"24h"', 86_400_000],
    ['"1d"', 86_400_000],
    ['"90 s"', 90_000],
  ])('%s', (toml, ms) => {
    expect(fromFile('agent.timeout', toml)).toBe(ms);
  });

  test.each([
    '30',
    '"30"',
    '0',
    '1.5',
    '"1.5h"',
    '"-5s"',
    '"5"',
    '"s"',
    '"5 weeks"',
    '""',
    'true',
    '1979-05-27',
    '"0s"',
    '"25h"',
  ])('agent.timeout = %s is refused', (toml) => {
    expect(refusal(() => fromFile('agent.timeout', toml)).code).toBe('setting');
  });

  test('a bare number is refused with what to write', () => {
    expect(refusal(() => fromFile('agent.every', '30')).fix).toBe('Write "30s", "30m" or "30h".');
    expect(refusal(() => fromVariable('agent.every', '30')).fix).toBe('Write "30s", "30m" or "30h".');
  });

  test('0 means something only where the table says so', () => {
    expect(fromFile('agent.heartbeat', '"off"')).toBe(0);
    expect(fromFile('agent.heartbeat', '"0s"')).toBe(0);
    expect(fromFile('agent.every', '"0s"')).toBe(0);
    expect(refusal(() => fromFile('agent.every', '"off"')).code).toBe('setting');
    expect(refusal(() => fromFile('agent.stall_timeout', '"0s"')).code).toBe('setting');
  });
});

describe('money', () => {
  test.each([
    ['0.50', 500_000],
    ['2', 2_000_000],
    ['2.0', 2_000_000],
    ['0', 0],
    ['0.07', 70_000],
    ['0.000001', 1],
    ['1234.567891', 1_234_567_891],
  ])('%s dollars', (dollars, micros) => {
    expect(fromFile('agent.max_usd_per_day', dollars)).toBe(micros);
    expect(fromVariable('agent.max_usd_per_day', dollars)).toBe(micros);
    expect(fromVariable('agent.max_usd_per_day', `$${dollars}`)).toBe(micros);
  });

  test.each(['-1', '0.0000001', '1e9', 'nan', 'inf', '-inf', '"2"', 'true', '0.12345678'])(
    '%s is refused',
    (toml) => {
      expect(refusal(() => fromFile('agent.max_usd_per_day', toml)).code).toBe('setting');
    },
  );

  test.each(['-1', '1e2', 'two', '1,5', '0.0000001', 'Infinity', '0x10', ' '])(
    '%j is refused in a variable',
    (text) => {
      expect(refusal(() => fromVariable('agent.max_usd_per_day', text)).code).toBe('setting');
    },
  );

  test('every whole micro-dollar survives being written and read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 * 1_000_000 }), (micros) => {
        const shown = showValue('agent.max_usd_per_day', micros);
        expect(fromFile('agent.max_usd_per_day', shown)).toBe(micros);
        expect(fromVariable('agent.max_usd_per_day', shown)).toBe(micros);
      }),
    );
  });
});

describe('sizes', () => {
  test.each([
    ['"4 GiB"', 4_294_967_296],
    ['"4GiB"', 4_294_967_296],
    ['"512 MiB"', 536_870_912],
    ['"500 MB"', 500_000_000],
    ['"1.5 GiB"', 1_610_612_736],
    ['2097152', 2_097_152],
  ])('%s', (toml, bytes) => {
    expect(fromFile('store.max_bytes', toml)).toBe(bytes);
  });

  test.each(['0', '"0"', '"4 gigs"', '-1', '1.5', '"17 TiB"', '[]'])('%s is refused', (toml) => {
    expect(refusal(() => fromFile('store.max_bytes', toml)).code).toBe('setting');
  });
});

describe('numbers', () => {
  test('have their range, and 0 is no "no limit"', () => {
    expect(fromFile('agent.max_turns', '1000')).toBe(1000);
    expect(refusal(() => fromFile('agent.max_turns', '1001')).fix).toBe('Write a whole number, 1 to 1000.');
    expect(refusal(() => fromFile('agent.max_turns', '0')).message).toContain('no limit');
    expect(fromFile('agent.loop_max_exchanges', '0')).toBe(0);
    expect(fromFile('agent.wakes_per_author_per_hour', '0')).toBe(0);
  });

  test.each(['1.5', '"3"', '-1', 'true', '[3]'])('%s is refused', (toml) => {
    expect(refusal(() => fromFile('agent.max_turns', toml)).code).toBe('setting');
  });

  test.each(['1.5', '3x', '', ' ', '0x3', '1e2', '9'.repeat(30)])('%j is no number in a variable', (text) => {
    if (text === '') return expect(fromVariable('agent.max_turns', text)).toBe(10);
    return expect(refusal(() => fromVariable('agent.max_turns', text)).code).toBe('setting');
  });
});

describe('lists', () => {
  test('are TOML, or items between commas', () => {
    expect(fromFile('agent.tools', '["Read", "Bash(git log:*)"]')).toEqual(['Read', 'Bash(git log:*)']);
    expect(fromVariable('agent.tools', 'Read, Grep')).toEqual(['Read', 'Grep']);
    expect(fromVariable('agent.tools', '["a,b"]')).toEqual(['a,b']);
    expect(fromVariable('agent.allow', '[]')).toEqual([]);
  });

  test('unset is not empty', () => {
    expect(load('').settings['agent.allow']).toBeNull();
    expect(load('agent.allow = []').settings['agent.allow']).toEqual([]);
  });

  test('authors are full keys', () => {
    expect(fromFile('agent.allow', `["${KEY}"]`)).toEqual([KEY]);
    expect(refusal(() => fromFile('agent.allow', `["${KEY.slice(0, 15)}"]`)).fix).toContain(
      'short key is never accepted',
    );
    expect(refusal(() => fromFile('agent.allow', `["${KEY.toUpperCase()}"]`)).code).toBe('setting');
    expect(refusal(() => fromFile('agent.allow', `["${KEY}", "${KEY}"]`)).message).toContain('twice');
    expect(refusal(() => fromFile('agent.allow', `"${KEY}"`)).code).toBe('setting');
  });

  test.each(['[1]', '[""]', '["a\\nb"]', '[["a"]]', '{}'])('%s is refused', (toml) => {
    expect(refusal(() => fromFile('agent.tools', toml)).code).toBe('setting');
  });
});

describe('a command', () => {
  test('is a list, never a line for a shell', () => {
    expect(fromVariable('agent.command', '["python3", "my agent.py"]')).toEqual(['python3', 'my agent.py']);
    expect(fromVariable('agent.command', '/usr/bin/agent')).toEqual(['/usr/bin/agent']);
    expect(refusal(() => fromVariable('agent.command', 'python3 agent.py')).fix).toBe(
      'Write ["python3", "agent.py"].',
    );
    expect(refusal(() => fromFile('agent.command', '"agent"')).code).toBe('setting');
    expect(refusal(() => fromFile('agent.command', '[]')).code).toBe('setting');
  });
});

describe('text and paths', () => {
  test('a profile is one name however it was typed', () => {
    expect(fromFile('profile', '"Zoe\u0308"')).toBe('Zoë'.normalize('NFC'));
  });

  test.each(['""', '"  "', '"a\\u0007"', '"a\u200Bb"', '"a\\nb"', `"${'x'.repeat(65)}"`, '3'])(
    'profile = %s is refused',
    (toml) => {
      expect(refusal(() => fromFile('profile', toml)).code).toBe('setting');
    },
  );

  test('what an agent is about may have lines', () => {
    expect(fromFile('agent.about', '"""\nOne.\nTwo."""')).toBe('One.\nTwo.');
  });

  test('lines that end in CR LF are lines', () => {
    expect(fromFile('agent.about', '"One.\\r\\nTwo."')).toBe('One.\nTwo.');
    expect(refusal(() => fromFile('agent.about', '"One.\\rTwo."')).code).toBe('setting');
  });

  test('a path is absolute, or of the home directory; typed, also of where one is', () => {
    expect(fromFile('agent.workdir', '"~/project"')).toBe('/home/ada/project');
    expect(fromFile('agent.workdir', '"/srv/./a//b/"')).toBe('/srv/a/b');
    expect(refusal(() => fromFile('agent.workdir', '"project"')).fix).toContain('absolute');
    expect(refusal(() => fromVariable('agent.workdir', 'project')).fix).toContain('absolute');
  });

  test('truths have their words', () => {
    expect(fromVariable('agent.review', 'no')).toBe(false);
    expect(fromVariable('agent.review', 'ON')).toBe(true);
    expect(refusal(() => fromVariable('agent.review', 'maybe')).fix).toBe('Write true or false.');
  });

  test('keys of the screen are a table', () => {
    const map = { quit: ['Q'], find: ['/', 'f'] };
    expect(load('[ui.keys]\nquit = "Q"\nfind = ["/", "f"]').settings['ui.keys']).toEqual(map);
    expect(load('ui.keys = { quit = "Q", find = ["/", "f"] }').settings['ui.keys']).toEqual(map);
    expect(showValue('ui.keys', map)).toBe('{ quit = "Q", find = ["/", "f"] }');
    expect(refusal(() => load('[ui.keys]\nquit = 3')).code).toBe('setting');
  });
});

describe('every setting', () => {
  test.each(keys)('%s: its default, shown, reads as itself from a file and from a variable', (key) => {
    const { type, initial } = settingOf(key);
    const value = initial({ user: 'ada', runtime: 'claude' });
    if (value === null) return expect(showValue(key, value)).toBe('unset');
    const where = { home: '/home/ada', cwd: null };
    expect(type.parse(parse(`x = ${showValue(key, value)}`)['x'], where)).toEqual({ value });
    const plain = type.plain(value);
    return expect(type.parseText(typeof plain === 'string' ? plain : showValue(key, value), where)).toEqual({
      value,
    });
  });

  test.each(keys)('%s: reads no value of another kind, and never throws', (key) => {
    const { type } = settingOf(key);
    const where = { home: '/home/ada', cwd: '/' };
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, text) => {
        for (const parsed of [type.parse(value, where), type.parseText(text, where)]) {
          if ('wrong' in parsed) expect(parsed.fix).not.toBe('');
          else expect(type.parse(parse(`x = ${showValue(key, parsed.value)}`)['x'], where)).toEqual(parsed);
        }
      }),
      { numRuns: 300 },
    );
  });
});
