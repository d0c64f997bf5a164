/** The most that is believed of one report; beyond it a program is lying or broken. */
const MOST_USD = 1_000_000;

/**
 * Micro-dollars of a figure in dollars, rounded up, so that a sum of reports is never less than what was spent.
 *
 * @returns `null` for what is no amount: not a number, negative, over a million dollars
 */
export function microUsd(usd: unknown): number | null {
  if (typeof usd !== 'number' || !(usd >= 0) || usd > MOST_USD) return null;
  // 0.1 + 0.2 dollars are 300000.00000000004 micro-dollars; that last digit is no cost.
  return Math.ceil(Number((usd * 1e6).toFixed(3)));
}

/** Decimal dollars of micro-dollars, exact: 400000 → "0.4". */
export function decimalUsd(micro: number): string {
  const whole = Math.floor(micro / 1e6);
  const rest = String(micro % 1e6)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return rest === '' ? String(whole) : `${whole}.${rest}`;
}
