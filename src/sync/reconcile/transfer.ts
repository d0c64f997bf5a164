import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Tally } from '../engine/inbox.ts';
import { RECONCILE } from '../engine/limits.ts';
import type { ExchangePorts, Outcome } from './exchange.ts';
import { bodyOf, FRAME, type FrameStream } from './frames.ts';
import type { Reconciliation, Row } from './negentropy.ts';

const IDS_PER_FRAME = 4_000;
/** A long run of frames that are here already must not keep the rest of the worker waiting. */
const POSTS_PER_TURN = 32;

/**
 * Both sides at once, in three steps: offer what the other lacks, ask for what is missing, send what was asked for in
 * (ts, id) order. Nothing is sent that wasn't asked for, so a side whose store is full isn't sent the same
 * posts every minute.
 */
export async function transfer(
  frames: FrameStream,
  ports: ExchangePorts,
  rows: readonly Row[],
  { have, need, isTruncated }: Reconciliation,
  tally: Tally,
): Promise<Pick<Outcome, 'received' | 'sent' | 'isComplete'>> {
  const [offered] = await Promise.all([
    readIds(frames, FRAME.offered),
    writeIds(frames, FRAME.offered, have),
  ]);
  const asked = new Set(
    [...need, ...offered].filter((id) => isMissing(ports, id)).slice(0, RECONCILE.wanted),
  );
  const [wanted] = await Promise.all([readIds(frames, FRAME.wanted), writeIds(frames, FRAME.wanted, asked)]);
  const [received, sent] = await Promise.all([
    take(frames, ports, asked, tally),
    give(frames, ports, rows, wanted),
  ]);
  return { received, sent, isComplete: !isTruncated };
}

async function writeIds(frames: FrameStream, type: number, ids: Iterable<string>): Promise<void> {
  const list = [...ids];
  for (let from = 0; from < list.length; from += IDS_PER_FRAME) {
    await frames.write(type, Buffer.from(list.slice(from, from + IDS_PER_FRAME).join(''), 'hex'));
  }
  await frames.write(type);
}

async function readIds(frames: FrameStream, type: number): Promise<Set<string>> {
  const ids = new Set<string>();
  for (;;) {
    const body = bodyOf(await frames.read(), type);
    if (body.byteLength === 0) return ids;
    if (body.byteLength % 32 !== 0) throw new Error('a list of ids is cut off');
    for (let at = 0; at < body.byteLength; at += 32) {
      ids.add(Buffer.from(body.subarray(at, at + 32)).toString('hex'));
    }
    if (ids.size > RECONCILE.wanted) throw new Error(`a list of more than ${RECONCILE.wanted} ids`);
  }
}

async function give(
  frames: FrameStream,
  ports: ExchangePorts,
  rows: readonly Row[],
  wanted: ReadonlySet<string>,
): Promise<number> {
  let sent = 0;
  for (const row of wanted.size > 0 ? rows : []) {
    const id = Buffer.from(row.id).toString('hex');
    if (!wanted.has(id)) continue;
    const bytes = ports.reader.bytes(id);
    if (bytes === null) continue; // gone since the rows were read
    await frames.write(FRAME.post, bytes);
    sent += 1;
    if (sent % POSTS_PER_TURN === 0) await yieldToOthers();
  }
  await frames.write(FRAME.end);
  return sent;
}

/** Posts until the other side says "end": verified one by one, the first invalid one ends the exchange. */
async function take(
  frames: FrameStream,
  ports: ExchangePorts,
  asked: Set<string>,
  tally: Tally,
): Promise<number> {
  let received = 0;
  for (let seen = 1; ; seen += 1) {
    const frame = await frames.read();
    if (frame.type === FRAME.end) return received;
    const judgement = ports.judge(bodyOf(frame, FRAME.post));
    if (judgement.kind === 'invalid' || judgement.kind === 'early') ports.refuse(judgement);
    if (judgement.kind === 'invalid') throw new Error(`the peer sent an invalid post (${judgement.code})`);
    if (judgement.kind === 'new') {
      if (!asked.delete(judgement.id)) throw new Error('the peer sent a post that nobody asked for');
      await ports.inbox.room();
      if (ports.inbox.isFailing) throw new Error('the store takes no posts now');
      ports.inbox.add(
        { id: judgement.id, bytes: judgement.bytes, from: ports.peer, via: 'reconciled' },
        tally,
      );
      received += 1;
    } else if (seen > RECONCILE.wanted) {
      throw new Error('more posts than one exchange may bring');
    }
    if (seen % POSTS_PER_TURN === 0) await yieldToOthers();
  }
}

function isMissing(ports: ExchangePorts, id: string): boolean {
  return !ports.inbox.knows(id) && !ports.reader.has(id);
}
