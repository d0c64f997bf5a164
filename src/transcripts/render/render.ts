import { clock, usd } from '../../text/index.ts';
import type { RawEntry } from '../entry.ts';
import {
  isFooterLine,
  isHeaderLine,
  parseFooter,
  parseHeader,
  type RunFooter,
  type RunHeader,
} from '../frame.ts';
import { renderClaude } from './claude.ts';
import { renderCodex } from './codex.ts';
import { renderCommand } from './command.ts';

/** Outcomes that are no failure; any other is shown as an error. */
const WELL = new Set(['ok', 'idle', 'stopped']);

/** Names of tool calls by the program's id of the call, so that a result can say whose it is. */
export class ToolNames {
  readonly #names = new Map<string, string>();

  /** The newest thousand are kept: a result comes soon after its call. */
  set(callId: string, name: string): void {
    this.#names.delete(callId);
    this.#names.set(callId, name);
    if (this.#names.size <= 1000) return;
    for (const oldest of this.#names.keys()) {
      this.#names.delete(oldest);
      return;
    }
  }

  get(callId: string): string | null {
    return this.#names.get(callId) ?? null;
  }
}

/**
 * What one line of a transcript says to a person: none, one or several entries. How many there are depends on the
 * line and the runtime alone, so that positions stay what they are however a transcript is read. Lines that are
 * not understood give nothing, or are shown as they are where a person would miss them. Never throws.
 *
 * @param runtime as the header says
 */
export function renderLine(line: string, runtime: string, names: ToolNames): readonly RawEntry[] {
  if (isHeaderLine(line)) return headerEntry(parseHeader(line));
  if (isFooterLine(line)) return footerEntry(parseFooter(line));
  switch (runtime) {
    case 'claude':
      return renderClaude(line, names);
    case 'codex':
      return renderCodex(line);
    default:
      return renderCommand(line, names);
  }
}

function headerEntry(header: RunHeader | null): RawEntry[] {
  if (header === null) return [];
  const { run, agent, runtime, cause, events, startedAt } = header;
  const woken = events.length === 0 ? '' : `\n${events.join('\n')}`;
  return [
    { at: startedAt, kind: 'notice', label: null, text: `${run}: ${agent} on ${runtime}, ${cause}${woken}` },
  ];
}

function footerEntry(footer: RunFooter | null): RawEntry[] {
  if (footer === null) return [];
  const { outcome, message, exitCode, signal, durationMs, turns, costMicroUsd, endedAt } = footer;
  const figures = [
    durationMs === null ? null : clock(durationMs),
    turns === null ? null : `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    costMicroUsd === null ? null : usd(costMicroUsd),
    exitCode === null || exitCode === 0 ? null : `exit code ${exitCode}`,
    signal,
  ].filter((figure) => figure !== null);
  const text = `${[`ended: ${outcome}`, ...figures].join(' · ')}${message === '' ? '' : `\n${message}`}`;
  return [{ at: endedAt, kind: WELL.has(outcome) ? 'notice' : 'error', label: null, text }];
}
