import type { RunEvent } from '../contract.ts';
import { microUsd } from '../engine/money.ts';
import type { Reading } from '../engine/session.ts';
import { type Block, type ClaudeLine, parseClaudeLine, type ResultLine } from './messages.ts';
import { resultOf } from './result.ts';

/** What a line asks of whoever holds the program's input. */
export interface ControlPort {
  /** The answer to a request of ours. */
  answered(requestId: string, response: unknown): void;
  /** A request of the program to us. */
  asked(requestId: string, subtype: string): void;
}

/** The errors by which a call shows that the server was gone, and not that a tool said no. */
const LOST_CALL =
  /^(MCP error -32000|Connection closed|Not connected|MCP server "wats" (tool .* timed out|is not connected))/i;

/** Reads the lines of one process, over all of its turns. */
export class ClaudeReader {
  readonly #control: ControlPort;
  #spentBefore = 0;
  #turn = freshTurn();

  constructor(control: ControlPort) {
    this.#control = control;
  }

  read(text: string): Reading {
    const line = parseClaudeLine(text);
    if (line === null) return { keep: true, heard: true, events: [] };
    switch (line.type) {
      case 'assistant':
        return kept(this.#assistant(line));
      case 'user':
        return kept(line.message.content.flatMap((block) => this.#toolResult(block)));
      case 'system':
        // `status` comes with the partial messages, and is as short-lived.
        return { keep: line.subtype !== 'status', heard: true, events: systemNotice(line) };
      case 'rate_limit_event':
        return kept(this.#rateLimit(line.rate_limit_info));
      case 'result':
        return this.#result(line);
      case 'stream_event':
        // The provider's keep-alive says that the line is open, not that the model goes on.
        return { keep: false, heard: line.event.type !== 'ping', events: [] };
      case 'control_response':
        this.#control.answered(
          line.response.request_id,
          line.response.subtype === 'error' ? null : line.response.response,
        );
        return { keep: false, heard: true, events: [] };
      case 'control_request':
        this.#control.asked(line.request_id, line.request.subtype);
        return { keep: false, heard: true, events: [] };
      default:
        return line satisfies never;
    }
  }

  #assistant(line: Extract<ClaudeLine, { type: 'assistant' }>): RunEvent[] {
    const { id, model, content } = line.message;
    this.#turn.apiError = line.error ?? this.#turn.apiError;
    const events = content.flatMap((block) => this.#said(block));
    // What the program says in the model's place is no answer of the model.
    if (model === '<synthetic>' || this.#turn.messages.has(id)) return events;
    this.#turn.messages.add(id);
    return [...events, { type: 'usage', turns: this.#turn.messages.size }];
  }

  #said(block: Block): RunEvent[] {
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: block.text }];
      case 'thinking':
        return [{ type: 'thinking', text: block.thinking }];
      case 'tool_use':
        if (block.name.startsWith('mcp__wats__')) this.#turn.watsCalls.add(block.id);
        return [{ type: 'tool_call', callId: block.id, name: block.name, args: block.input }];
      case 'tool_result':
      case 'other':
        return [];
      default:
        return block satisfies never;
    }
  }

  #toolResult(block: Block): RunEvent[] {
    if (block.type !== 'tool_result') return [];
    const text = textOf(block.content);
    const ok = block.is_error !== true;
    if (!ok && this.#turn.watsCalls.has(block.tool_use_id) && LOST_CALL.test(text)) this.#turn.lostCalls += 1;
    return [{ type: 'tool_result', callId: block.tool_use_id, ok, text }];
  }

  #rateLimit(info: Extract<ClaudeLine, { type: 'rate_limit_event' }>['rate_limit_info']): RunEvent[] {
    const resetAt = typeof info.resetsAt === 'number' && info.resetsAt > 0 ? info.resetsAt * 1000 : null;
    if (info.status === 'rejected') this.#turn.resetAt = resetAt;
    if (info.status === 'allowed') return [];
    const words = info.status === 'rejected' ? 'is reached' : 'is nearly reached';
    return [{ type: 'notice', level: 'warn', text: `The provider's ${info.rateLimitType} limit ${words}.` }];
  }

  #result(line: ResultLine): Reading {
    const turn = this.#turn;
    this.#turn = freshTurn();
    const facts = {
      apiError: turn.apiError,
      resetAt: turn.resetAt,
      turns: turn.messages.size,
      spentBefore: this.#spentBefore,
      watsCalls: { all: turn.watsCalls.size, lost: turn.lostCalls },
    };
    const result = resultOf(line, facts);
    this.#spentBefore = microUsd(line.total_cost_usd) ?? this.#spentBefore;
    return { keep: true, heard: true, events: [usageOf(line, result.costMicroUsd ?? null)], result };
  }
}

interface TurnSoFar {
  apiError: string | null;
  resetAt: number | null;
  readonly messages: Set<string>;
  readonly watsCalls: Set<string>;
  lostCalls: number;
}

function freshTurn(): TurnSoFar {
  return { apiError: null, resetAt: null, messages: new Set(), watsCalls: new Set(), lostCalls: 0 };
}

function kept(events: readonly RunEvent[]): Reading {
  return { keep: true, heard: true, events };
}

function systemNotice(line: Extract<ClaudeLine, { type: 'system' }>): RunEvent[] {
  switch (line.subtype) {
    case 'api_retry': {
      const why = line.error_status == null ? 'the network' : `status ${line.error_status}`;
      const text = `A request to the model failed (${why}); retry ${line.attempt ?? '?'} of ${line.max_retries ?? '?'}.`;
      return [{ type: 'notice', level: 'warn', text }];
    }
    case 'informational':
      return line.content === '' ? [] : [{ type: 'notice', level: 'info', text: line.content }];
    default:
      return [];
  }
}

function usageOf(line: ResultLine, costMicroUsd: number | null): RunEvent {
  const models = Object.values(line.modelUsage);
  const sum = (pick: (usage: (typeof models)[number]) => number): number =>
    models.reduce((all, u) => all + pick(u), 0);
  return {
    type: 'usage',
    ...(costMicroUsd === null ? {} : { costMicroUsd }),
    inputTokens: sum((u) => u.inputTokens + u.cacheReadInputTokens + u.cacheCreationInputTokens),
    outputTokens: sum((u) => u.outputTokens),
  };
}

/** A tool's answer is a text or a list of blocks; what is no text of it is named by its type. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      if (typeof part !== 'object' || part === null) return '';
      if ('text' in part && typeof part.text === 'string') return part.text;
      return 'type' in part ? `[${String(part.type)}]` : '';
    })
    .join('\n');
}
