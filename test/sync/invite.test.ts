import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWatsError } from '../../src/errors/index.ts';
import {
  decodeInvite,
  encodeInvite,
  formatSwarmKey,
  newSwarmKey,
  nodeIdOf,
  parseSwarmKey,
} from '../../src/sync/index.ts';

const id = nodeIdOf(Buffer.alloc(32, 7));
const [other, third] = [nodeIdOf(Buffer.alloc(32, 8)), nodeIdOf(Buffer.alloc(32, 6))];
const address = `/ip4/192.0.2.1/tcp/4001/p2p/${id}`;
const line = encodeInvite({ addresses: [address], swarmKey: Buffer.alloc(32, 9) });

function problemOf(act: () => unknown): { code: string; message: string } {
  try {
    act();
  } catch (error) {
    if (isWatsError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was accepted');
}

test('an invite gives back what was put in, whatever the addresses and the key', () => {
  const host = fc.oneof(
    fc.ipV4().map((ip) => `/ip4/${ip}`),
    fc.ipV6().map((ip) => `/ip6/${ip}`),
    fc.constantFrom('/dns/node.example.org', '/dns4/a-b.example', '/dns6/localhost'),
  );
  const anyNode = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((seed) => nodeIdOf(seed));
  const anyAddress = fc
    .tuple(host, fc.integer({ min: 1, max: 65_535 }), anyNode, fc.option(anyNode))
    .filter(([, , first, behind]) => first !== behind)
    .map(
      ([at, port, first, behind]) =>
        `${at}/tcp/${port}/p2p/${first}${behind === null ? '' : `/p2p-circuit/p2p/${behind}`}`,
    );
  const key = fc.option(fc.uint8Array({ minLength: 32, maxLength: 32 }));
  fc.assert(
    fc.property(fc.array(anyAddress, { minLength: 1, maxLength: 16 }), key, (addresses, swarmKey) => {
      const text = encodeInvite({ addresses, swarmKey });
      expect(text).toMatch(/^wats1:[A-Za-z0-9_-]+$/);
      const back = decodeInvite(text);
      expect(back.addresses).toEqual(addresses);
      expect(back.swarmKey).toEqual(swarmKey === null ? null : new Uint8Array(swarmKey));
    }),
    { numRuns: 50 },
  );
});

test('line breaks and spaces that a terminal put in do no harm', () => {
  expect(decodeInvite(`  ${line.slice(0, 40)}\r\n   ${line.slice(40)}\n`)).toEqual(decodeInvite(line));
});

describe('an invite that cannot be read says why', () => {
  const middle = Math.floor(line.length / 2);
  const swapped = line[middle] === 'A' ? 'B' : 'A';
  const cases: [string, string, string][] = [
    ['nothing', '', 'not an invite'],
    ['something else', 'https://example.org', 'not an invite'],
    ['a node address', address, 'not an invite'],
    ['another version', line.replace('wats1:', 'wats2:'), 'version 2'],
    ['only the prefix', 'wats1:', 'cut off'],
    ['its end missing', line.slice(0, -9), 'cut off'],
    ['its last character missing', line.slice(0, -1), 'cut off'],
    ['something after it', `${line}AAAA`, 'after its end'],
    ['a character mistyped', line.slice(0, middle) + swapped + line.slice(middle + 1), 'checksum'],
    ['a character of another alphabet', `${line.slice(0, middle)}!${line.slice(middle + 1)}`, 'character'],
  ];
  test.each(cases)('%s', (_name, text, why) => {
    const problem = problemOf(() => decodeInvite(text));
    expect(problem.code).toBe('invite');
    expect(problem.message).toContain(why);
  });

  test('every single character that is changed is noticed', () => {
    for (let at = 6; at < line.length - 1; at++) {
      const other = line[at] === 'x' ? 'y' : 'x';
      expect(problemOf(() => decodeInvite(line.slice(0, at) + other + line.slice(at + 1))).code).toBe(
        'invite',
      );
    }
  });

  test('an address that nobody can dial is not put into an invite', () => {
    for (const bad of [
      '/ip4/192.0.2.1/tcp/4001',
      `/ip4/300.0.2.1/tcp/4001/p2p/${id}`,
      `/ip4/192.0.2.1/tcp/0/p2p/${id}`,
      `/ip4/192.0.2.1/udp/4001/quic-v1/p2p/${id}`,
      `/ip4/192.0.2.1/tcp/4001/p2p/${id.slice(0, -1)}`,
      `/dns/a b/tcp/1/p2p/${id}`,
      `${address}/p2p-circuit`,
      `${address}/p2p-circuit/p2p/${id}`,
      `${address}/p2p-circuit/p2p/${other.slice(0, -1)}`,
      `/ip4/192.0.2.1/tcp/4001/p2p-circuit/p2p/${other}`,
      `${address}/p2p-circuit/p2p/${other}/p2p-circuit/p2p/${third}`,
    ]) {
      expect(problemOf(() => encodeInvite({ addresses: [bad], swarmKey: null })).code).toBe('usage');
    }
    expect(problemOf(() => encodeInvite({ addresses: [], swarmKey: null })).code).toBe('usage');
  });
});

test('the key of a swarm is 32 random bytes in the standard file of 95 bytes', () => {
  const key = newSwarmKey();
  const file = formatSwarmKey(key);
  expect(file).toBe(`/key/swarm/psk/1.0.0/\n/base16/\n${Buffer.from(key).toString('hex')}`);
  expect(Buffer.byteLength(file)).toBe(95);
  expect(parseSwarmKey(file)).toEqual(key);
  expect(parseSwarmKey(`${file.replaceAll('\n', '\r\n')}\r\n`)).toEqual(key);
  expect(newSwarmKey()).not.toEqual(key);
});

test('a damaged swarm key is refused, and no part of it is in the message', () => {
  const file = formatSwarmKey(Buffer.alloc(32, 0xab));
  for (const bad of [
    '',
    file.slice(0, -1),
    `${file}00`,
    file.replace('base16', 'base64'),
    file.replace('ab', 'zz'),
  ]) {
    const problem = problemOf(() => parseSwarmKey(bad));
    expect(problem.code).toBe('directory');
    expect(problem.message).not.toContain('abab');
  }
});
