const UNIT_MS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};
const DAY_MS = 86_400_000;

/**
 * When a limit resets, out of Codex's sentence: "try again at 11:44 AM" (today or tomorrow), "at Jan 3rd, 2027
 * 11:44 AM" or "in 2 days 3 hours", all by this machine's clock and time zone.
 *
 * @param now ms since the epoch
 * @returns ms since the epoch, or `null` when no time is named
 */
export function namedReset(message: string, now: number): number | null {
  const words = /try again (at|in) (.+?)\.?$/im.exec(message);
  if (words?.[1] === undefined || words[2] === undefined) return null;
  return words[1].toLowerCase() === 'in' ? after(words[2], now) : at(words[2], now);
}

function after(words: string, now: number): number | null {
  const parts = [...words.matchAll(/(\d+)\s*(second|minute|hour|day)s?/gi)];
  if (parts.length === 0) return null;
  return (
    now + parts.reduce((sum, [, n, unit]) => sum + Number(n) * (UNIT_MS[unit?.toLowerCase() ?? ''] ?? 0), 0)
  );
}

function at(words: string, now: number): number | null {
  const clock = /^(\d{1,2}):(\d{2})\s*(AM|PM)$/i.exec(words.trim());
  if (clock === null) {
    const date = Date.parse(words.replace(/(\d)(st|nd|rd|th)\b/, '$1'));
    return Number.isNaN(date) ? null : date;
  }
  const hour = (Number(clock[1]) % 12) + (clock[3]?.toUpperCase() === 'PM' ? 12 : 0);
  const today = new Date(now).setHours(hour, Number(clock[2]), 0, 0);
  return today > now ? today : today + DAY_MS;
}
