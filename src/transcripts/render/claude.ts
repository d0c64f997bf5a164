import type { RawEntry } from '../entry.ts';
import { argumentsText, contentText, type Fields, fieldsOf, listOf, objectOf, textOf } from './fields.ts';
import type { ToolNames } from './render.ts';

const WATS_TOOL = 'mcp__wats__';

/** A line of `claude --output-format stream-json`; keys come in any order, and new types appear with versions. */
export function renderClaude(line: string, names: ToolNames): readonly RawEntry[] {
  const event = objectOf(line);
  if (event === null) return line.trim() === '' ? [] : [entry('notice', line)];
  const at = timeOf(event);
  switch (event['type']) {
    case 'assistant':
      return blocksOf(event).flatMap((block) => said(block, at, names));
    case 'user':
      return event['isReplay'] === true ? [] : blocksOf(event).flatMap((block) => returned(block, at, names));
    case 'system':
      return system(event, at);
    case 'rate_limit_event':
      return rateLimit(event, at);
    case 'result':
      return result(event, at);
    default:
      return []; // control messages, partial answers, and what later versions add
  }
}

/** The content of a message: blocks, or a plain string as one block. */
function blocksOf(event: Fields): readonly Fields[] {
  const content = fieldsOf(event['message'])?.['content'];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content)
    .map(fieldsOf)
    .filter((block) => block !== null);
}

function said(block: Fields, at: number | null, names: ToolNames): RawEntry[] {
  switch (block['type']) {
    case 'text':
      return textOf(block['text']).trim() === '' ? [] : [entry('text', textOf(block['text']), null, at)];
    case 'thinking':
      return [entry('thinking', textOf(block['thinking']), null, at)];
    case 'redacted_thinking':
      return [entry('thinking', '(withheld by the provider)', null, at)];
    case 'tool_use':
    case 'server_tool_use': {
      const name = toolName(textOf(block['name']));
      names.set(textOf(block['id']), name);
      return [entry('tool_call', argumentsText(block['input']), name, at)];
    }
    default:
      return [];
  }
}

function returned(block: Fields, at: number | null, names: ToolNames): RawEntry[] {
  if (block['type'] === 'tool_result') {
    const label = names.get(textOf(block['tool_use_id']));
    const kind = block['is_error'] === true ? 'error' : 'tool_result';
    return [entry(kind, contentText(block['content']), label, at)];
  }
  return block['type'] === 'text' ? [entry('notice', textOf(block['text']), null, at)] : [];
}

function system(event: Fields, at: number | null): RawEntry[] {
  switch (event['subtype']) {
    case 'init': {
      const servers = listOf(event['mcp_servers']).map((server) => {
        const fields = fieldsOf(server);
        return `${textOf(fields?.['name'])} ${textOf(fields?.['status'])}`;
      });
      const about = [textOf(event['model']), `${listOf(event['tools']).length} tools`, ...servers];
      return [entry('notice', about.filter((word) => word !== '').join(' · '), null, at)];
    }
    case 'api_retry': {
      const what = `retry ${numberOf(event['attempt'])} of ${numberOf(event['max_retries'])}: ${textOf(event['error']) || 'unknown'}`;
      const status = typeof event['error_status'] === 'number' ? ` (${event['error_status']})` : '';
      return [entry('notice', what + status, null, at)];
    }
    case 'hook_response':
      return [entry('notice', `hook ${textOf(event['hook_name'])} ran`, null, at)];
    case 'model_refusal_no_fallback':
      return [entry('error', 'The provider refused this request.', null, at)];
    default:
      return [];
  }
}

function rateLimit(event: Fields, at: number | null): RawEntry[] {
  const info = fieldsOf(event['rate_limit_info']);
  const status = textOf(info?.['status']);
  if (status === '' || status === 'allowed') return [];
  return [entry('notice', `rate limit ${textOf(info?.['rateLimitType'])}: ${status}`, null, at)];
}

/** A good result repeats the last text; a failed one is the only place where the reason stands. */
function result(event: Fields, at: number | null): RawEntry[] {
  if (event['is_error'] !== true) return [];
  const errors = listOf(event['errors']).map(textOf).join('\n');
  return [entry('error', textOf(event['result']) || errors || textOf(event['subtype']), null, at)];
}

/** `mcp__wats__reply` is ours and reads `reply`; tools of other servers keep their whole name. */
function toolName(name: string): string {
  return name.startsWith(WATS_TOOL) ? name.slice(WATS_TOOL.length) : name;
}

function numberOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : '?';
}

function timeOf(event: Fields): number | null {
  const at = Date.parse(textOf(event['timestamp']));
  return Number.isNaN(at) ? null : at;
}

function entry(
  kind: RawEntry['kind'],
  text: string,
  label: string | null = null,
  at: number | null = null,
): RawEntry {
  return { at, kind, label, text };
}
