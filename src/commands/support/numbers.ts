import { WatsError } from '../../errors/index.ts';
import type { Input } from './command.ts';

/** A whole number from a flag. @throws WatsError `usage` */
export function wholeNumber(input: Input, flag: string, initial: number): number {
  const text = input.text(flag);
  if (text === undefined) return initial;
  if (!/^\d{1,15}$/.test(text)) throw new WatsError('usage', `--${flag} is a whole number, not "${text}"`);
  return Number(text);
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A time in the past from a flag: `2h`, `3d`, or a date. Seconds since the epoch. @throws WatsError `usage` */
export function sinceOf(input: Input, flag: string, now: number): number | null {
  const text = input.text(flag);
  if (text === undefined) return null;
  const span = /^(\d{1,6})([smhd])$/.exec(text);
  if (span) return Math.floor(now / 1000) - Number(span[1]) * (UNITS[span[2] ?? 's'] ?? 1);
  const date = Date.parse(text);
  if (Number.isNaN(date))
    throw new WatsError('usage', `--${flag} is a span like 2h or 3d, or a date like 2026-11-30`, {});
  return Math.floor(date / 1000);
}
