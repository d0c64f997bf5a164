import { generateKeyPairFromSeed } from '@libp2p/crypto/keys';
import { peerIdFromPrivateKey } from '@libp2p/peer-id';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNodeId, nodeIdOf } from '../../src/sync/index.ts';

test('the id of a node is the peer id that the network library gives the same seed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (seed) => {
      const expected = peerIdFromPrivateKey(await generateKeyPairFromSeed('Ed25519', seed)).toString();
      expect(nodeIdOf(seed)).toBe(expected);
      expect(isNodeId(expected)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('what is no id of a node is told apart', () => {
  const id = nodeIdOf(Buffer.alloc(32, 1));
  expect(isNodeId(`${id}1`)).toBe(false);
  expect(isNodeId(id.slice(0, -1))).toBe(false);
  expect(isNodeId(id.replace(/.$/, '0'))).toBe(false);
  expect(isNodeId('QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N')).toBe(false);
  expect(isNodeId('')).toBe(false);
});
