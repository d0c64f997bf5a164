import type { RawEntry } from '../entry.ts';
import { argumentsText, contentText, type Fields, fieldsOf, objectOf, textOf } from './fields.ts';

/** A line of `codex exec --json`. A call is shown when it starts, its result when it is completed. */
export function renderCodex(line: string): readonly RawEntry[] {
  const event = objectOf(line);
  if (event === null) return line.trim() === '' ? [] : [entry('notice', line)];
  const item = fieldsOf(event['item']);
  switch (event['type']) {
    case 'item.started':
      return item === null ? [] : started(item);
    case 'item.completed':
      return item === null ? [] : completed(item);
    case 'error': {
      const message = textOf(event['message']);
      return [entry(message.startsWith('Reconnecting') ? 'notice' : 'error', message)];
    }
    case 'turn.failed':
      return [entry('error', textOf(fieldsOf(event['error'])?.['message']) || 'The turn failed.')];
    default:
      return []; // thread.started, turn.started, turn.completed, item.updated, and what later versions add
  }
}

function started(item: Fields): RawEntry[] {
  switch (item['type']) {
    case 'mcp_tool_call':
      return [entry('tool_call', argumentsText(item['arguments']), toolName(item))];
    case 'command_execution':
      return [entry('tool_call', textOf(item['command']), 'shell')];
    default:
      return [];
  }
}

function completed(item: Fields): RawEntry[] {
  switch (item['type']) {
    case 'agent_message':
      return [entry('text', textOf(item['text']))];
    case 'reasoning':
      return [entry('thinking', textOf(item['text']))];
    case 'mcp_tool_call': {
      const failure = textOf(fieldsOf(item['error'])?.['message']);
      const text = failure || contentText(fieldsOf(item['result'])?.['content']);
      return [entry(item['status'] === 'failed' ? 'error' : 'tool_result', text, toolName(item))];
    }
    case 'command_execution': {
      const code = item['exit_code'];
      const failed = typeof code === 'number' && code !== 0;
      const text = `${textOf(item['aggregated_output'])}${failed ? `\nexit code ${code}` : ''}`;
      return [entry(failed ? 'error' : 'tool_result', text, 'shell')];
    }
    case 'error':
      return [entry('notice', textOf(item['message']))]; // a warning: the turn goes on
    case 'file_change':
    case 'web_search':
      return [entry('tool_call', textOf(item['query']), textOf(item['type']))];
    default:
      return [];
  }
}

/** Tools of wats by their name alone; those of other servers with the server's name before it. */
function toolName(item: Fields): string {
  const server = textOf(item['server']);
  const tool = textOf(item['tool']);
  return server === 'wats' ? tool : `${server}.${tool}`;
}

function entry(kind: RawEntry['kind'], text: string, label: string | null = null): RawEntry {
  return { at: null, kind, label, text };
}
