import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openKeys } from '../../src/keys/index.ts';
import { addToDay, fingerprintOf } from '../../src/store/day-fingerprint.ts';
import { canonical, encodePost, postId, readPost, spaceOfSwarmKey } from '../../src/swarm/index.ts';
import { decodeInvite, encodeInvite, formatSwarmKey, nodeIdOf, parseSwarmKey } from '../../src/sync/index.ts';

const here = import.meta.dirname;
const vectors = <T>(name: string): T => JSON.parse(readFileSync(join(here, `${name}.json`), 'utf8')) as T;
const folder = mkdtempSync(join(tmpdir(), 'wats-vectors-'));
afterAll(() => rmSync(folder, { recursive: true }));

function dayFingerprint(ids: readonly string[]): string {
  const state = ids.reduce<Buffer | null>((sum, id) => addToDay(sum, Buffer.from(id, 'hex')), null);
  return Buffer.from(fingerprintOf(state ?? Buffer.alloc(0))).toString('hex');
}

interface Author {
  readonly secret: string;
  readonly profile: string;
  readonly profile_utf8: string;
  readonly author: string;
}
interface Valid {
  readonly name: string;
  readonly canonical: string;
  readonly id: string;
  readonly encoded: string;
}
interface Invalid {
  readonly name: string;
  readonly reason: string;
  readonly hex: string;
}

/** macOS has another openssl by that name, which knows no Ed25519. */
const canMake =
  spawnSync('python3', ['--version']).status === 0 &&
  /^OpenSSL [3-9]/.test(spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '');

/** Keys of a secret, as the product reads them from its file. */
function keysOf(secret: string) {
  const at = (name: string) => ({ path: join(folder, name), moved: false });
  writeFileSync(at(secret).path, `${secret}\n`, { mode: 0o600 });
  return openKeys({ secret: at(secret), nodeKey: at('node_key') }, () => {});
}

const valid = vectors<{ now: number; posts: Valid[] }>('valid');
const invalid = vectors<{ now: number; posts: Invalid[] }>('invalid');

describe('the test vectors', () => {
  it.skipIf(!canMake)('are what make.py writes (skipped without python3 and OpenSSL 3)', () => {
    expect(() =>
      execFileSync('python3', [join(here, 'make.py'), '--check'], { stdio: 'pipe' }),
    ).not.toThrow();
  });

  it('give the author keys of profiles, the same for both forms of a name', () => {
    const rows = vectors<Author[]>('authors');
    const forms = rows.filter(({ profile }) => profile.normalize('NFC') === 'Zoë');
    expect(new Set(forms.map(({ profile_utf8 }) => profile_utf8)).size).toBe(2);
    for (const { secret, profile, author } of rows)
      expect([profile, keysOf(secret).authorOf(profile)]).toEqual([profile, author]);
  });

  it('give the spaces of swarm keys', () => {
    for (const { key, file, space } of vectors<{ key: string; file: string; space: string }[]>('spaces')) {
      expect(spaceOfSwarmKey(parseSwarmKey(file))).toBe(space);
      expect(formatSwarmKey(Buffer.from(key, 'hex'))).toBe(file);
    }
  });

  it.each(valid.posts)('hold a valid post: $name', ({ encoded, canonical: array, id }) => {
    const bytes = Buffer.from(encoded, 'utf8');
    const read = readPost(bytes, valid.now);
    if (!read.ok) throw new Error(read.problem.message);
    expect(canonical(read.value)).toBe(array);
    expect(postId(read.value)).toBe(id);
    expect(encodePost(read.value)).toEqual(bytes);
  });

  it('give the signatures, made again from the secret', () => {
    const { secret } = vectors<Author[]>('authors')[0]!;
    for (const { encoded } of valid.posts) {
      const { id, sig, ...body } = JSON.parse(encoded);
      expect(keysOf(secret).sign('ann', body)).toMatchObject({ id, sig });
    }
  });

  it.each(invalid.posts)('hold what is no post ($reason): $name', ({ hex, reason }) => {
    const read = readPost(Buffer.from(hex, 'hex'), invalid.now);
    expect(read.ok ? 'accepted' : read.problem.code).toBe(reason);
  });

  it('give the fingerprints of days, whatever the order of their posts', () => {
    for (const { ids, fingerprint } of vectors<{ ids: string[]; fingerprint: string }[]>('days')) {
      expect(dayFingerprint(ids)).toBe(fingerprint);
      expect(dayFingerprint([...ids].reverse())).toBe(fingerprint);
    }
  });

  it('give node ids and invites', () => {
    const { nodes, invites } = vectors<{
      nodes: { seed: string; id: string }[];
      invites: { key: string | null; addresses: string[]; line: string }[];
    }>('nodes');
    for (const { seed, id } of nodes) expect(nodeIdOf(Buffer.from(seed, 'hex'))).toBe(id);
    for (const { key, addresses, line } of invites) {
      const swarmKey = key === null ? null : new Uint8Array(Buffer.from(key, 'hex'));
      expect(encodeInvite({ addresses, swarmKey })).toBe(line);
      expect(decodeInvite(line)).toEqual({ addresses, swarmKey });
    }
  });
});
