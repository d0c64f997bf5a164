import type { RawEntry } from '../entry.ts';
import { argumentsText, type Fields, objectOf, textOf } from './fields.ts';
import type { ToolNames } from './render.ts';

/** A line of a `command` program: one of its JSON events, or plain text as it stands. */
export function renderCommand(line: string, names: ToolNames): readonly RawEntry[] {
  const event = objectOf(line);
  const rendered = event === null ? null : renderEvent(event, names);
  if (rendered !== null) return rendered;
  return line.trim() === '' ? [] : [entry('text', line)];
}

/** `null` for an object that is no event: it is the program's text. */
function renderEvent(event: Fields, names: ToolNames): RawEntry[] | null {
  switch (event['type']) {
    case 'text':
      return typeof event['text'] === 'string' ? [entry('text', event['text'])] : null;
    case 'tool_call': {
      const name = textOf(event['name']);
      if (name === '') return null;
      names.set(callId(event), name);
      return [entry('tool_call', argumentsText(event['args']), name)];
    }
    case 'tool_result': {
      const kind = event['ok'] === false ? 'error' : 'tool_result';
      return [entry(kind, textOf(event['text']), names.get(callId(event)))];
    }
    case 'notice': {
      const kind = event['level'] === 'error' ? 'error' : 'notice';
      return typeof event['text'] === 'string' ? [entry(kind, event['text'])] : null;
    }
    case 'usage':
      return [];
    default:
      return null;
  }
}

function callId(event: Fields): string {
  const id = event['id'];
  return typeof id === 'number' ? String(id) : textOf(id);
}

function entry(kind: RawEntry['kind'], text: string, label: string | null = null): RawEntry {
  return { at: null, kind, label, text };
}
