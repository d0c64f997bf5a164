import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cannotCount, inNamespace } from '../support/namespace.ts';

if (cannotCount !== undefined) console.log(`skipped: ${cannotCount}`);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wats-quiet-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function packetsOf(scene: string): { packets: number; connected: number } {
  return inNamespace(new URL('./quiet-node.ts', import.meta.url), [folder, scene]);
}

describe.skipIf(cannotCount !== undefined)(
  'packets that leave the machine, counted in a network namespace with a way out',
  () => {
    test('none without peers', () => {
      expect(packetsOf('quiet').packets).toBe(0);
    });

    test('none with peers on this machine, not even to an address that a peer announces', () => {
      expect(packetsOf('linked')).toEqual({ packets: 0, connected: 2 });
    });

    test('none with two nodes that meet through a seed, not even to an address that the seed names as its own', () => {
      expect(packetsOf('relayed')).toEqual({ packets: 0, connected: 4 });
    });

    test('some to a peer outside that the person named: the count works', () => {
      expect(packetsOf('outside').packets).toBeGreaterThan(0);
    });
  },
);
