import type { RunEvent, RunSpec } from '../contract.ts';
import type { Reading } from '../engine/session.ts';
import { type CodexLine, type Item, parseCodexLine } from './messages.ts';
import { failedResult } from './result.ts';

/** A call of the wats tools that failed because their server was gone: it is not started again within a run. */
const LOST_CALL = /transport closed|tool call failed/i;

/**
 * Reads the lines of one run and counts its turns, since Codex has no limit of its own. It does not say where an
 * answer of the model ends, so a finished tool call counts as one; of a script that calls many, each does.
 */
export class CodexReader {
  readonly #maxTurns: RunSpec['maxTurns'];
  readonly #now: () => number;
  readonly #opened = new Set<string>();
  #calls = 0;
  #watsCalls = 0;
  #lostCalls = 0;
  #heard = false;

  constructor(spec: Pick<RunSpec, 'maxTurns'>, now: () => number) {
    this.#maxTurns = spec.maxTurns;
    this.#now = now;
  }

  read(text: string): Reading {
    const line = parseCodexLine(text);
    if (line === null) return { keep: true, heard: true, events: [] };
    switch (line.type) {
      case 'item.started':
        return kept(this.#started(line.item));
      case 'item.completed':
        return this.#completed(line.item);
      case 'error':
        return kept([{ type: 'notice', level: 'warn', text: line.message }]);
      case 'turn.completed':
        return this.#done(line);
      case 'turn.failed':
        return {
          ...kept([]),
          result: {
            ...failedResult(line.error?.message ?? '', this.#heard, this.#now()),
            turns: this.#calls,
          },
        };
      default:
        return line satisfies never;
    }
  }

  #started(item: Item): RunEvent[] {
    if (item.type !== 'mcp_tool_call' && item.type !== 'command_execution') return [];
    this.#heard = true;
    this.#opened.add(item.id);
    const [name, args] =
      item.type === 'mcp_tool_call'
        ? [`mcp__${item.server}__${item.tool}`, item.arguments ?? {}]
        : ['shell', { command: item.command }];
    return [{ type: 'tool_call', callId: item.id, name, args }];
  }

  #completed(item: Item): Reading {
    switch (item.type) {
      case 'agent_message':
        this.#heard = true;
        return kept([{ type: 'text', text: item.text }]);
      case 'reasoning':
        this.#heard = true;
        return kept([{ type: 'thinking', text: item.text }]);
      case 'error':
        // A warning of the program, not a failure of the run.
        return kept([{ type: 'notice', level: 'warn', text: item.message }]);
      case 'mcp_tool_call':
      case 'command_execution':
        return this.#called(item);
      default:
        return item satisfies never;
    }
  }

  #called(item: Extract<Item, { type: 'mcp_tool_call' | 'command_execution' }>): Reading {
    const before = this.#opened.has(item.id) ? [] : this.#started(item);
    this.#calls += 1;
    const { ok, text } = outcomeOf(item);
    if (item.type === 'mcp_tool_call' && item.server === 'wats') {
      this.#watsCalls += 1;
      if (!ok && LOST_CALL.test(item.error?.message ?? '')) this.#lostCalls += 1;
    }
    const reading = kept([
      ...before,
      { type: 'tool_result', callId: item.id, ok, text },
      { type: 'usage', turns: this.#calls },
    ]);
    if (this.#calls < this.#maxTurns) return reading;
    return {
      ...reading,
      cut: { outcome: 'max_turns', message: 'It reached agent.max_turns and was interrupted.' },
    };
  }

  #done({ usage }: Extract<CodexLine, { type: 'turn.completed' }>): Reading {
    const turns = this.#calls + 1;
    const events: RunEvent[] = [
      { type: 'usage', inputTokens: usage.input_tokens, outputTokens: usage.output_tokens, turns },
    ];
    const lost = this.#watsCalls > 0 && this.#watsCalls === this.#lostCalls;
    const result = lost
      ? ({
          outcome: 'error',
          message: 'Every call of the wats tools failed: their server was gone.',
        } as const)
      : ({ outcome: 'ok', message: 'It finished.' } as const);
    return { ...kept(events), result };
  }
}

function kept(events: readonly RunEvent[]): Reading {
  return { keep: true, heard: true, events };
}

function outcomeOf(item: Extract<Item, { type: 'mcp_tool_call' | 'command_execution' }>): {
  ok: boolean;
  text: string;
} {
  if (item.type === 'command_execution')
    return { ok: item.status === 'completed' && item.exit_code === 0, text: item.aggregated_output };
  const parts = (item.result?.content ?? []).map((part) =>
    typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '',
  );
  const error = item.error?.message ?? '';
  return { ok: item.status === 'completed' && item.error == null, text: parts.join('\n') || error };
}
