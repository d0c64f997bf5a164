import { z } from 'zod';
import type { AskOpenclaw, SpendRule } from './ports.ts';

/** Days that cover any calendar month. */
const DAYS = 31;
/** With less left than this no run starts, as for runtimes that report their cost: $0.02. */
const MIN_LEFT = 20_000;
/** The first answer may come from before the last turn; what was asked for is read behind it. */
const LOOKS = 2;
/** The most that is believed of one day; beyond it a report is broken, and nothing starts. */
const MOST_USD = 1_000_000;

const amount = z.number().min(0).max(MOST_USD);
const USAGE = z.object({
  daily: z.array(
    z.object({
      date: z.iso.date(),
      totalCost: amount,
      missingCostEntries: z.number().int().nonnegative(),
    }),
  ),
  cacheStatus: z.object({ status: z.string() }).optional(),
});

/** What OpenClaw says the agent has spent in this UTC day and month, as a lower bound. */
export interface Spent {
  readonly dayMicroUsd: number;
  readonly monthMicroUsd: number;
  /** Turns of models that OpenClaw knows no price of. */
  readonly unpriced: number;
}

export type SpendVerdict =
  | { readonly kind: 'go' }
  | { readonly kind: 'spent'; readonly window: 'day' | 'month'; readonly saw: number; readonly limit: number }
  | { readonly kind: 'unpriced'; readonly turns: number }
  | { readonly kind: 'unread' };

/** Reads OpenClaw's own figures. `null`: its command line is not here, or says nothing that can be counted on. */
export async function readSpent(
  ask: AskOpenclaw,
  agentId: string,
  now: number,
  signal: AbortSignal,
): Promise<Spent | null> {
  let spent: Spent | null = null;
  for (let look = 0; look < LOOKS; look++) {
    const text = await ask(
      ['gateway', 'usage-cost', '--agent', agentId, '--days', String(DAYS), '--json'],
      signal,
    );
    if (text === null) return null;
    const usage = USAGE.safeParse(json(text));
    if (!usage.success) return null;
    spent = spentIn(usage.data, now);
    if (usage.data.cacheStatus?.status !== 'refreshing') break;
  }
  return spent;
}

function spentIn(usage: z.output<typeof USAGE>, now: number): Spent {
  const today = new Date(now).toISOString().slice(0, 10);
  const month = usage.daily.filter(({ date }) => date.startsWith(today.slice(0, 7)));
  const sum = (days: typeof month): number =>
    Math.ceil(Number((days.reduce((total, { totalCost }) => total + totalCost, 0) * 1e6).toFixed(3)));
  return {
    dayMicroUsd: sum(month.filter(({ date }) => date === today)),
    monthMicroUsd: sum(month),
    unpriced: month.reduce((total, { missingCostEntries }) => total + missingCostEntries, 0),
  };
}

/** Whether a forward may go. What cannot be read, or has no price, holds it back. */
export function admitSpend(rule: SpendRule, spent: Spent | null): SpendVerdict {
  if (rule.by === 'openclaw') return { kind: 'go' };
  if (spent === null) return { kind: 'unread' };
  if (spent.unpriced > 0) return { kind: 'unpriced', turns: spent.unpriced };
  if (rule.dayMicroUsd - spent.dayMicroUsd < MIN_LEFT)
    return { kind: 'spent', window: 'day', saw: spent.dayMicroUsd, limit: rule.dayMicroUsd };
  if (rule.monthMicroUsd - spent.monthMicroUsd < MIN_LEFT)
    return { kind: 'spent', window: 'month', saw: spent.monthMicroUsd, limit: rule.monthMicroUsd };
  return { kind: 'go' };
}

/** When a UTC window resets, ms since the epoch. */
export function resetOf(window: 'day' | 'month', now: number): number {
  const date = new Date(now);
  return window === 'day'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not what was asked for
  }
}
