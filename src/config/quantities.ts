import type { Parsed, Type } from './value.ts';

const SPANS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SPAN = /^(\d{1,9})\s*(s|m|h|d)$/;

/**
 * A length of time with its unit ("30s", "10m", "48h", "7d"), in milliseconds. A bare number is refused: nobody
 * remembers of which unit it was. With `zeroMeans`, "0s" is allowed, and so is the word itself where it is "off".
 */
export function span(options: { min: string; max: string; zeroMeans?: string }): Type<number> {
  const { min, max, zeroMeans } = options;
  const says = `a duration, "${min}" to "${max}"${zeroMeans === 'off' ? ', or "off"' : ''}`;
  const read = (value: unknown): Parsed<number> => {
    if (typeof value === 'number' || (typeof value === 'string' && /^\s*\d+\s*$/.test(value)))
      return {
        wrong: 'a bare number is no duration',
        fix: `Write "${Number(value)}s", "${Number(value)}m" or "${Number(value)}h".`,
      };
    const ms = typeof value === 'string' ? spanMs(value.trim(), zeroMeans) : undefined;
    if (ms === undefined)
      return { wrong: `it must be ${says}`, fix: `Write a duration like "30s", "10m" or "48h".` };
    if (ms === 0 && zeroMeans !== undefined) return { value: 0 };
    if (ms < (spanMs(min) ?? 0) || ms > (spanMs(max) ?? 0))
      return { wrong: `it must be ${says}`, fix: `Write ${says}.` };
    return { value: ms };
  };
  return {
    says,
    placeholder: 'DURATION',
    ...(zeroMeans === undefined ? {} : { zeroMeans }),
    parse: read,
    parseText: read,
    plain: (ms) => (ms === 0 ? (zeroMeans === 'off' ? 'off' : '0s') : spanText(ms)),
  };
}

function spanMs(text: string, zeroWord?: string): number | undefined {
  if (zeroWord === 'off' && text === 'off') return 0;
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  return Number(count) * SPANS[unit as keyof typeof SPANS];
}

/** The largest unit up to hours that leaves no remainder: "48h" stays "48h". */
function spanText(ms: number): string {
  const unit = (['h', 'm', 's'] as const).find((name) => ms % SPANS[name] === 0) ?? 's';
  return `${Math.round(ms / SPANS[unit])}${unit}`;
}

const MICROS = 1_000_000;
const DOLLARS = /^\$?(\d{1,9})(?:\.(\d+))?$/;

/** Dollars, in whole micro-dollars. 0 is a limit of nothing, never "no limit". */
export function money(options: { maxUsd: number; zeroMeans: string }): Type<number> {
  const says = `dollars, 0 to ${options.maxUsd}`;
  const read = (micros: number | undefined): Parsed<number> => {
    if (micros === undefined) return { wrong: `it must be ${says}`, fix: 'Write dollars like 0.50.' };
    if (!Number.isSafeInteger(micros))
      return { wrong: 'it has more than six decimals', fix: 'Write dollars like 0.50.' };
    if (micros < 0 || micros > options.maxUsd * MICROS)
      return { wrong: `it must be ${says}`, fix: `Write ${says}.` };
    return { value: micros };
  };
  return {
    says,
    placeholder: 'USD',
    zeroMeans: options.zeroMeans,
    parse: (value) => read(typeof value === 'number' ? microsOf(value) : undefined),
    parseText: (word) => {
      const [whole, units, decimals = ''] = DOLLARS.exec(word.trim()) ?? [];
      if (whole === undefined) return read(undefined);
      if (/[1-9]/.test(decimals.slice(6))) return read(Number.NaN);
      return read(Number(units) * MICROS + Number(decimals.slice(0, 6).padEnd(6, '0')));
    },
    plain: (micros) => micros / MICROS,
  };
}

/** A TOML float names the decimal that was written if it is the double nearest to some whole micro-dollar. */
function microsOf(dollars: number): number {
  const micros = Math.round(dollars * MICROS) + 0; // -0 becomes a plain 0
  return micros / MICROS === dollars ? micros : Number.NaN;
}

const SIZES = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
} as const;
const SIZE = /^(\d{1,15}(?:\.\d{1,3})?)\s*(B|[KMGT]i?B)?$/;

/** A size ("4 GiB", "500 MB", or bytes), in bytes. */
export function size(options: { min: string; max: string }): Type<number> {
  const says = `a size, "${options.min}" to "${options.max}"`;
  const read = (bytes: number | undefined): Parsed<number> => {
    const fix = 'Write a size like "512 MiB" or "4 GiB".';
    if (bytes === undefined || !Number.isSafeInteger(bytes)) return { wrong: `it must be ${says}`, fix };
    if (bytes < (sizeBytes(options.min) ?? 0) || bytes > (sizeBytes(options.max) ?? 0))
      return { wrong: `it must be ${says}`, fix };
    return { value: bytes };
  };
  return {
    says,
    placeholder: 'SIZE',
    parse: (value) =>
      read(typeof value === 'string' ? sizeBytes(value) : typeof value === 'number' ? value : undefined),
    parseText: (word) => read(sizeBytes(word)),
    plain: (bytes) => {
      const unit = (['TiB', 'GiB', 'MiB', 'KiB'] as const).find((name) => bytes % SIZES[name] === 0);
      return unit === undefined ? bytes : `${bytes / SIZES[unit]} ${unit}`;
    },
  };
}

function sizeBytes(text: string): number | undefined {
  const [, count, unit = 'B'] = SIZE.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Math.round(Number(count) * SIZES[unit as keyof typeof SIZES]);
}
