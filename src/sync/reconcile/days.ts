import { createHash } from 'node:crypto';
import { RECONCILE } from '../engine/limits.ts';
import { ByteReader, uvarint } from './bytes.ts';

/** One day of a store as the other side sees it: how many posts, and a short tag over which ones. */
export interface DayTag {
  readonly day: number;
  readonly count: number;
  /** 8 bytes. */
  readonly tag: Uint8Array;
}

/** What opens an exchange: one hash over all days, so that "no difference" costs no list. */
export interface RootQuery {
  /** 8 random bytes of this exchange: nobody can prepare two sets of posts whose tags agree. */
  readonly nonce: Uint8Array;
  readonly sinceDay: number;
  /** 16 bytes. */
  readonly root: Uint8Array;
}

/** Days that one side lists: the window and then some, in case a clock is wrong. */
const MAX_DAYS = RECONCILE.windowDays + 20;
const MAX_DAY = 100_000; // the year 2243
const MAX_COUNT = 2 ** 31;
const [QUERY, LIST, PICK] = [0, 1, 2] as const;

export function tagDays(
  days: readonly { day: number; count: number; fingerprint: Uint8Array }[],
  nonce: Uint8Array,
): DayTag[] {
  return days.map(({ day, count, fingerprint }) => {
    const hash = createHash('sha256').update(nonce).update(`${day} ${count} `).update(fingerprint);
    return { day, count, tag: hash.digest().subarray(0, 8) };
  });
}

export function rootOf(tags: readonly DayTag[], nonce: Uint8Array): Uint8Array {
  const hash = createHash('sha256').update(nonce);
  for (const { day, count, tag } of tags) hash.update(`${day} ${count} `).update(tag);
  return hash.digest().subarray(0, 16);
}

/** Days on which the two sides differ, newest first. @param sinceDay days before it are not compared */
export function differingDays(
  mine: readonly DayTag[],
  theirs: readonly DayTag[],
  sinceDay: number,
): number[] {
  const other = new Map(theirs.map((each) => [each.day, each]));
  const differing: number[] = [];
  for (const each of mine) {
    const match = other.get(each.day);
    other.delete(each.day);
    if (match === undefined || !Buffer.from(match.tag).equals(each.tag)) differing.push(each.day);
  }
  return [...differing, ...other.keys()].filter((day) => day >= sinceDay).sort((a, b) => b - a);
}

/**
 * The newest days that together have no more than `budget` posts on the fuller side; always one at least.
 * The rest is for the next exchange.
 */
export function pickDays(
  differing: readonly number[],
  mine: readonly DayTag[],
  theirs: readonly DayTag[],
  budget: number,
): number[] {
  const posts = new Map<number, number>();
  for (const { day, count } of [...mine, ...theirs]) posts.set(day, Math.max(count, posts.get(day) ?? 0));
  const picked: number[] = [];
  let sum = 0;
  for (const day of differing) {
    sum += posts.get(day) ?? 0;
    if (picked.length > 0 && sum > budget) break;
    picked.push(day);
  }
  return picked;
}

/** Posts that the other side has more of than we, over the given days: at least so many are missing here. */
export function surplus(days: readonly number[], mine: readonly DayTag[], theirs: readonly DayTag[]): number {
  const own = new Map(mine.map(({ day, count }) => [day, count]));
  const wanted = new Set(days);
  return theirs.reduce(
    (sum, { day, count }) => (wanted.has(day) ? sum + Math.max(0, count - (own.get(day) ?? 0)) : sum),
    0,
  );
}

export function encodeQuery({ nonce, sinceDay, root }: RootQuery): Uint8Array {
  return Buffer.concat([Uint8Array.of(QUERY), nonce, uvarint(sinceDay), root]);
}

export function decodeQuery(body: Uint8Array): RootQuery {
  const reader = open(body, QUERY);
  const nonce = reader.take(8);
  const sinceDay = reader.uvarint(MAX_DAY);
  const root = reader.take(16);
  return { nonce: Uint8Array.from(nonce), sinceDay, root };
}

export function encodeList(sinceDay: number, tags: readonly DayTag[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(LIST), uvarint(sinceDay), uvarint(tags.length)];
  let previous = sinceDay;
  for (const { day, count, tag } of tags) {
    parts.push(uvarint(day - previous), uvarint(count), tag);
    previous = day;
  }
  return Buffer.concat(parts);
}

export function decodeList(body: Uint8Array): { sinceDay: number; tags: DayTag[] } {
  const reader = open(body, LIST);
  const sinceDay = reader.uvarint(MAX_DAY);
  const tags: DayTag[] = [];
  let day = sinceDay;
  for (let left = reader.uvarint(MAX_DAYS); left > 0; left -= 1) {
    day += reader.uvarint(MAX_DAY);
    tags.push({ day, count: reader.uvarint(MAX_COUNT), tag: reader.take(8) });
  }
  return { sinceDay, tags };
}

/** @param days newest first */
export function encodePick(days: readonly number[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(PICK), uvarint(days.length)];
  let previous = 0;
  for (const day of [...days].reverse()) {
    parts.push(uvarint(day - previous));
    previous = day;
  }
  return Buffer.concat(parts);
}

/** The days that the other side chose, oldest first. */
export function decodePick(body: Uint8Array): number[] {
  const reader = open(body, PICK);
  const days: number[] = [];
  let day = 0;
  for (let left = reader.uvarint(MAX_DAYS); left > 0; left -= 1) {
    const step = reader.uvarint(MAX_DAY);
    if (step === 0 && days.length > 0) throw new Error('a day is listed twice');
    day += step;
    if (day > MAX_DAY) throw new Error('a day of the far future');
    days.push(day);
  }
  return days;
}

function open(body: Uint8Array, kind: number): ByteReader {
  const reader = new ByteReader(body);
  if (reader.byte() !== kind) throw new Error('a message about days that does not belong here');
  return reader;
}
