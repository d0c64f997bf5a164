import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { StoreReader } from '../contract.ts';
import type { Inbox, Tally } from '../engine/inbox.ts';
import type { Judgement } from '../engine/judge.ts';
import { RECONCILE } from '../engine/limits.ts';
import {
  type DayTag,
  decodeList,
  decodePick,
  decodeQuery,
  differingDays,
  encodeList,
  encodePick,
  encodeQuery,
  pickDays,
  rootOf,
  surplus,
  tagDays,
} from './days.ts';
import { FRAME, type Frame, type FrameStream } from './frames.ts';
import { Reconciliation, type Row } from './negentropy.ts';

export interface ExchangePorts {
  readonly peer: string;
  readonly reader: StoreReader;
  readonly space: string;
  readonly inbox: Inbox;
  readonly nowMs: () => number;
  readonly nonce: () => Uint8Array;
  readonly judge: (bytes: Uint8Array) => Judgement;
  /** Counts a post against the peer. `invalid` ends the exchange, `early` doesn't. */
  readonly refuse: (judgement: Extract<Judgement, { kind: 'invalid' | 'early' }>) => void;
}

export interface Outcome {
  /** `busy`: the other side has no time now, or is about to start an exchange itself. */
  readonly kind: 'same' | 'exchanged' | 'busy';
  /** Posts handed to the store. */
  readonly received: number;
  readonly sent: number;
  /** Whether nothing is left for another exchange. */
  readonly isComplete: boolean;
  /** Posts that the other side still has and we lack, at least; `null`: not learnt. */
  readonly lag: number | null;
}

const SAME: Outcome = { kind: 'same', received: 0, sent: 0, isComplete: true, lag: 0 };
const BUSY: Outcome = { kind: 'busy', received: 0, sent: 0, isComplete: false, lag: null };
const DAY_SECONDS = 86_400;
const IDS_PER_FRAME = 4_000;
/** A long run of frames that are here already must not keep the rest of the worker waiting. */
const POSTS_PER_TURN = 32;

/**
 * The side that starts. It says a hash over its days; the other side answers "settled" or its list of days; the
 * days that differ are reconciled, newest first, as many as fit one exchange; then both sides send what the
 * other lacks at the same time.
 */
export async function startExchange(
  frames: FrameStream,
  ports: ExchangePorts,
  tally: Tally,
): Promise<Outcome> {
  const nonce = ports.nonce();
  const ownSince = sinceDay(ports.nowMs());
  const mine = tagDays(ports.reader.dayFingerprints(ports.space, ownSince), nonce);
  await frames.write(FRAME.days, encodeQuery({ nonce, sinceDay: ownSince, root: rootOf(mine, nonce) }));
  const answer = await frames.read();
  if (answer.type === FRAME.settled) return SAME;
  if (answer.type === FRAME.end) return BUSY;
  const theirs = decodeList(expect(answer, FRAME.days));
  const differing = differingDays(mine, theirs.tags, Math.max(ownSince, theirs.sinceDay));
  if (differing.length === 0) {
    await frames.write(FRAME.end);
    return SAME;
  }
  const picked = pickDays(differing, mine, theirs.tags, RECONCILE.postsPerExchange);
  const later = surplus(differing.slice(picked.length), mine, theirs.tags);
  await frames.write(FRAME.days, encodePick(picked));
  const rows = rowsOf(ports, [...picked].reverse());
  const reconciliation = new Reconciliation(rows);
  await frames.write(FRAME.negentropy, reconciliation.initiate());
  await settle(frames, reconciliation);
  const moved = await transfer(frames, ports, rows, reconciliation, tally);
  return {
    kind: 'exchanged',
    ...moved,
    isComplete: moved.isComplete && picked.length === differing.length,
    lag: later + (moved.isComplete ? 0 : 1),
  };
}

/** The other side. */
export async function answerExchange(
  frames: FrameStream,
  ports: ExchangePorts,
  tally: Tally,
): Promise<Outcome> {
  const query = decodeQuery(expect(await frames.read(), FRAME.days));
  const since = Math.max(query.sinceDay, sinceDay(ports.nowMs()));
  const mine = tagDays(ports.reader.dayFingerprints(ports.space, since), query.nonce);
  if (Buffer.from(query.root).equals(rootOf(mine, query.nonce))) {
    await frames.write(FRAME.settled);
    return SAME;
  }
  await frames.write(FRAME.days, encodeList(since, mine));
  const answer = await frames.read();
  if (answer.type === FRAME.end) return SAME;
  const picked = decodePick(expect(answer, FRAME.days)).filter((day) => day >= since);
  refuseTooMany(picked, mine);
  const rows = rowsOf(ports, picked);
  const reconciliation = new Reconciliation(rows);
  await settle(frames, reconciliation);
  const moved = await transfer(frames, ports, rows, reconciliation, tally);
  return { kind: 'exchanged', ...moved, lag: null };
}

/** Says that there is no time now, to a peer that has just started. */
export async function declineExchange(frames: FrameStream): Promise<void> {
  await frames.write(FRAME.end);
}

/** Negentropy, message for message, until one side has nothing left to say. */
async function settle(frames: FrameStream, reconciliation: Reconciliation): Promise<void> {
  for (let round = 0; round < RECONCILE.rounds; round += 1) {
    const frame = await frames.read();
    if (frame.type === FRAME.settled) return;
    const answer = reconciliation.answer(expect(frame, FRAME.negentropy));
    if (answer === null) {
      await frames.write(FRAME.settled);
      return;
    }
    await frames.write(FRAME.negentropy, answer);
  }
  throw new Error(`no agreement after ${RECONCILE.rounds} rounds`);
}

/**
 * Both sides at once, in three steps: offer what the other lacks, ask for what is missing, send what was asked for in
 * (ts, id) order. Nothing is sent that wasn't asked for, so a side whose store is full isn't sent the same
 * posts every minute.
 */
async function transfer(
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
    const body = expect(await frames.read(), type);
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
    const judgement = ports.judge(expect(frame, FRAME.post));
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

/** The rows of some days, oldest day first, sorted by (ts, id). Neighbouring days are one query. */
function rowsOf(ports: ExchangePorts, days: readonly number[]): Row[] {
  const rows: Row[] = [];
  for (let from = 0; from < days.length; ) {
    let to = from + 1;
    while ((days[to] ?? 0) === (days[from] ?? 0) + (to - from)) to += 1;
    const first = days[from] ?? 0;
    for (const row of ports.reader.ids(ports.space, first * DAY_SECONDS, (first + to - from) * DAY_SECONDS)) {
      rows.push(row);
    }
    from = to;
  }
  return rows;
}

function refuseTooMany(picked: readonly number[], mine: readonly DayTag[]): void {
  const days = new Set(picked);
  const posts = mine.reduce((sum, { day, count }) => (days.has(day) ? sum + count : sum), 0);
  if (days.size > 1 && posts > RECONCILE.postsPerPick)
    throw new Error('the peer picked too many days at once');
}

function sinceDay(nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / 1_000 / DAY_SECONDS) - RECONCILE.windowDays);
}

function expect(frame: Frame, type: number): Uint8Array {
  if (frame.type !== type) throw new Error(`a frame of type ${frame.type} where ${type} belongs`);
  return frame.body;
}
