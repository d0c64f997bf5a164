import { type Row, textOf } from '../cells/cell.ts';
import { textOfKey } from '../keys/names.ts';
import type { Dialog } from '../state/dialogs.ts';
import type { Event } from '../state/events.ts';
import type { ScreenState } from '../state/state.ts';

/** Events that are remembered. */
const KEPT = 200;
/** Dialogs in which keys are text. */
const TYPING: readonly Dialog['kind'][] = ['compose', 'reject', 'filter', 'help', 'search'];

/** What happened on the screen last, for a report of a fault in it. No word of a post, a draft or a person is kept. */
export interface Recorder {
  /** @param state before the event */
  readonly note: (event: Event, state: ScreenState, at: number) => void;
  /** The rows and the events, as the text of a file. */
  readonly text: (rows: readonly Row[], about: string) => string;
}

export function createRecorder(): Recorder {
  const events: string[] = [];
  return {
    note(event, state, at) {
      events.push(`${new Date(at).toISOString()} ${told(event, state)}`);
      if (events.length > KEPT) events.shift();
    },
    text: (rows, about) =>
      [about, '', ...rows.map((row) => blank(textOf(row)).trimEnd()), '', ...events].join('\n'),
  };
}

function told(event: Event, state: ScreenState): string {
  const where = state.dialog?.kind ?? state.view;
  switch (event.type) {
    case 'key': {
      const typed =
        state.dialog !== null && TYPING.includes(state.dialog.kind) && textOfKey(event.key) !== null;
      return `key ${typed ? 'x' : event.key}${event.alone ? '' : ' (not alone)'} in ${where}`;
    }
    case 'paste':
      return `paste of ${event.text.length} characters in ${where}`;
    case 'edited':
      return `editor gave ${event.text === null ? 'nothing' : `${event.text.length} characters`}`;
    case 'notice':
      return `notice ${event.tone}`;
    case 'result':
      return `result of ${event.intent.do}: ${event.result.ok ? 'ok' : event.result.code}`;
    case 'commanded':
      return `wats ${event.args.join(' ')} ended with ${event.code}`;
    case 'wheel':
      return `wheel ${event.by}`;
    case 'click':
      return `click ${event.x},${event.y}`;
    default:
      return event.type;
  }
}

/** A row with every letter and digit as another of its width: what is wrong with a frame shows, what it says does not. */
export function blank(text: string): string {
  return text.replace(/[\p{L}\p{N}]/gu, (char) => {
    if (/\p{N}/u.test(char)) return '0';
    return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uFF00-\uFF60]/u.test(char)
      ? '字'
      : 'x';
  });
}
