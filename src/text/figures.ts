const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A length of time in its largest unit, rounded down: `14s`, `4m`, `23h`, `3d`. Hours go up to 47, so that
 * what is set in hours is read in hours. Under a second, and less than nothing, is `0s`.
 */
export function duration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)}s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m`;
  if (span < 2 * DAY) return `${Math.floor(span / HOUR)}h`;
  return `${Math.floor(span / DAY)}d`;
}

/** How long ago, as `duration`; a time ahead of `nowMs` (another clock) is `0s`. */
export function age(fromMs: number, nowMs: number): string {
  return duration(nowMs - fromMs);
}

/** A running time to the second, rounded down: `0:14`, `12:05`, `1:02:03`. */
export function clock(ms: number): string {
  const total = Math.floor(Math.max(0, ms) / SECOND);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  const seconds = String(total % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
}

/**
 * Micro-dollars as people read them. Cents, rounded half up: `$0.42`. Under a cent, hundredths of a cent:
 * `$0.0031`. Something under half of that is `<$0.0001`, so that a cost never reads as nothing; zero is
 * `$0.00`. Less than zero has its sign in front: `-$0.42`.
 */
export function usd(microUsd: number): string {
  if (microUsd < 0) return `-${usd(-microUsd)}`;
  const fine = Math.round(microUsd / 100);
  if (microUsd > 0 && fine === 0) return '<$0.0001';
  if (fine > 0 && fine < 100) return `$0.${String(fine).padStart(4, '0')}`;
  const cents = Math.round(microUsd / 10_000);
  return `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** A count that may have stopped early: `12`, or `1000+` when there are more than were counted. */
export function counted({
  total,
  isMore,
}: {
  readonly total: number;
  readonly isMore?: boolean | undefined;
}): string {
  return `${total}${isMore === true ? '+' : ''}`;
}
