import { WatsError } from '../errors/index.ts';
import type { Intent, PageRequest } from './intents.ts';
import type { Request } from './protocol.ts';

/** What a field of a request must be; `how` is that of a quit. */
type Field = 'text' | 'text?' | 'text|null' | 'texts' | 'count' | 'how';
type Shape = Readonly<Record<string, Field>>;

const PAGES: Readonly<Record<PageRequest['page'], Shape>> = {
  draft: { id: 'text' },
  thread: { id: 'text', after: 'count' },
  search: { text: 'text', kinds: 'texts', offset: 'count' },
  why: { id: 'text' },
  transcript: { runId: 'text', from: 'count', count: 'count' },
};

const INTENTS: Readonly<Record<Intent['do'], Shape>> = {
  approve: { draft: 'text', sha256: 'text', text: 'text?' },
  reject: { draft: 'text', reason: 'text' },
  unreject: { draft: 'text' },
  post: { kind: 'text', parent: 'text|null', title: 'text', text: 'text', tags: 'texts' },
  run: {},
  stop: {},
  pause: {},
  resume: {},
  quit: { how: 'how' },
};

/** A key names one press of a key, or one command; longer ones are none of ours. */
const MAX_KEY = 200;

/** A line of a client: a request, or what is wrong with it, to be answered under its id. */
export type ReadRequest =
  | { readonly is: 'request'; readonly request: Request }
  | { readonly is: 'refused'; readonly id: number; readonly error: WatsError };

/**
 * Reads a line that a client sent. Another version of wats may be at the other end, or something else altogether:
 * nothing of it is believed before it was looked at.
 *
 * @returns `null` for what is not our protocol: there is no id to answer
 */
export function readRequest(line: string): ReadRequest | null {
  const value = parsed(line);
  if (!isRecord(value)) return null;
  const { id } = value;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  if (value['watch'] === true) return { is: 'request', request: { id, watch: true } };
  if ('page' in value) {
    const page = shaped<PageRequest>(value['page'], 'page', PAGES);
    return page === null ? refused(id) : { is: 'request', request: { id, page } };
  }
  if ('intent' in value) {
    const intent = shaped<Intent>(value['intent'], 'do', INTENTS);
    const { key } = value;
    if (intent === null || typeof key !== 'string' || key === '' || key.length > MAX_KEY) return refused(id);
    return { is: 'request', request: { id, intent, key } };
  }
  const { call, args } = value;
  if (typeof call !== 'string') return refused(id);
  return { is: 'request', request: { id, call, args: isRecord(args) ? args : {} } };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // not our protocol, which is what `null` says
  }
}

/** The value when it is one of the kinds that the table names, with the fields that its kind has. */
function shaped<T>(value: unknown, kindKey: string, table: Readonly<Record<string, Shape>>): T | null {
  if (!isRecord(value)) return null;
  const kind = value[kindKey];
  const shape = typeof kind === 'string' && Object.hasOwn(table, kind) ? table[kind] : undefined;
  if (shape === undefined) return null;
  return Object.entries(shape).every(([name, field]) => fits(value[name], field)) ? (value as T) : null;
}

function fits(value: unknown, field: Field): boolean {
  switch (field) {
    case 'text':
      return typeof value === 'string';
    case 'text?':
      return value === undefined || typeof value === 'string';
    case 'text|null':
      return value === null || typeof value === 'string';
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'count':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    case 'how':
      return value === 'drain' || value === 'now';
    default:
      return field satisfies never;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(id: number): ReadRequest {
  return { is: 'refused', id, error: unknownRequest() };
}

/** Of a request that this daemon does not know: only another version of wats sends one. */
export function unknownRequest(): WatsError {
  return new WatsError('protocol', 'this daemon does not know that command', {
    fix: 'restart the daemon: it is not of the same version as this wats',
  });
}
