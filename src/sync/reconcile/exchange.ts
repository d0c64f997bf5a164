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
import { bodyOf, FRAME, type FrameStream } from './frames.ts';
import { Reconciliation, type Row } from './negentropy.ts';
import { transfer } from './transfer.ts';

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
  const root = rootOf(mine, nonce);
  await frames.write(FRAME.days, encodeQuery({ nonce, sinceDay: ownSince, root }));
  const answer = await frames.read();
  if (answer.type === FRAME.settled) return SAME;
  if (answer.type === FRAME.end) return BUSY;
  const theirs = decodeList(bodyOf(answer, FRAME.days));
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
  const query = decodeQuery(bodyOf(await frames.read(), FRAME.days));
  const since = Math.max(query.sinceDay, sinceDay(ports.nowMs()));
  const mine = tagDays(ports.reader.dayFingerprints(ports.space, since), query.nonce);
  if (Buffer.from(query.root).equals(rootOf(mine, query.nonce))) {
    await frames.write(FRAME.settled);
    return SAME;
  }
  await frames.write(FRAME.days, encodeList(since, mine));
  const answer = await frames.read();
  if (answer.type === FRAME.end) return SAME;
  const picked = decodePick(bodyOf(answer, FRAME.days)).filter((day) => day >= since);
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
    const answer = reconciliation.answer(bodyOf(frame, FRAME.negentropy));
    if (answer === null) {
      await frames.write(FRAME.settled);
      return;
    }
    await frames.write(FRAME.negentropy, answer);
  }
  throw new Error(`no agreement after ${RECONCILE.rounds} rounds`);
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
