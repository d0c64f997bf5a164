import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cannotCount, inNamespace } from '../support/namespace.ts';

if (cannotCount !== undefined) console.log(`skipped: ${cannotCount}`);

function counted(scene: string): { packets: number; arrived: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'wats-quiet-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return inNamespace(new URL('./programs/quiet.ts', import.meta.url), [folder, scene]);
}

describe.skipIf(cannotCount !== undefined)(
  'packets of whole daemons that leave the machine, from their start to their end',
  () => {
    test('none of a node without peers, also while a person posts and searches', () => {
      expect(counted('alone').packets).toBe(0);
    });

    test('none of two nodes that are peers on this machine', () => {
      expect(counted('linked')).toEqual({ packets: 0, arrived: true });
    });

    test('some to a peer outside that the person named: the count works', () => {
      expect(counted('outside').packets).toBeGreaterThan(0);
    });
  },
);
