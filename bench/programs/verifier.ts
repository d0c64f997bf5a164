/** What the sync worker does with posts that a peer sends, without the peer: judges them, hands them over in batches. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../../src/store/index.ts';
import { OPEN_SPACE } from '../../src/swarm/index.ts';
import { Inbox } from '../../src/sync/engine/inbox.ts';
import { createJudge } from '../../src/sync/engine/judge.ts';
import type { AcceptBatch } from '../../src/sync/index.ts';

/** Posts between two turns of the event loop, as in an exchange. */
const TURN = 32;

const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread');
const { posts, database } = workerData as { posts: readonly Uint8Array[]; database: string };
const reader = openReader(database);
let accepted = (): void => {};
const accept: AcceptBatch = async (batch) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  accepted = resolve;
  port.postMessage({ kind: 'batch', posts: batch });
  await promise;
  return { refused: [] };
};
const failed = (_: number, error: unknown): void => {
  throw error;
};
const inbox = new Inbox(accept, failed, Date.now);
const judge = createJudge({
  space: OPEN_SPACE,
  nowMs: Date.now,
  knows: (id) => inbox.knows(id) || reader.has(id),
});

port.on('message', (message: 'begin' | 'accepted') => {
  if (message === 'accepted') accepted();
  else void verifyAll();
});
port.postMessage({ kind: 'ready' });

async function verifyAll(): Promise<void> {
  for (const [n, bytes] of posts.entries()) {
    const judged = judge(bytes);
    if (judged.kind !== 'new') throw new Error(`a post was judged ${judged.kind}`);
    await inbox.room();
    inbox.add({ id: judged.id, bytes: judged.bytes, from: 'bench', via: 'reconciled' });
    if (n % TURN === 0) await yieldToOthers();
  }
  await inbox.settled();
  reader.close();
  port?.postMessage({ kind: 'done' });
  port?.close();
}
