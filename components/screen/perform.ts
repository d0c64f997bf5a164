import type { SuspendTerminal } from 'ink';
import type { Controls, Intent } from '../../src/control/index.ts';
import { READ_ONLY } from '../keys/allowed.ts';
import type { Event } from '../state/events.ts';
import { queryOf } from '../state/search-query.ts';
import type { Effect, Leaving, Saving } from '../state/state.ts';
import { fileLines } from '../transcript/file-lines.ts';
import { copySequence, MOUSE_OFF, MOUSE_ON } from './terminal.ts';

export interface Hands {
  readonly controls: Controls;
  readonly dispatch: (event: Event) => void;
  /** Writes an escape sequence to the terminal. */
  readonly write: (sequence: string) => void;
  /** Gives the terminal away for as long as the callback runs. */
  readonly lend: SuspendTerminal;
  /** Nothing is asked of the daemon but what there is to see. */
  readonly readOnly: boolean;
  readonly openEditor: ((text: string) => Promise<string | null>) | undefined;
  /** Runs wats itself in the terminal; answers its exit code. */
  readonly runCommand: ((args: readonly string[]) => Promise<number>) | undefined;
  /** Writes a file that was not there and tells where it is. */
  readonly saveFile: ((name: string, text: string) => Promise<string>) | undefined;
  /** What the screen shows and what happened last, without the words. */
  readonly dump: () => string;
  readonly suspend: () => Promise<void>;
  /** A new id for every key press that asks something of the daemon. */
  readonly nextId: () => string;
  /** Why the daemon would not start again; `null` when it would. */
  readonly notAgain: () => string | null;
  readonly onQuit: (how: Leaving) => void;
}

/** Does what a step asked for. What comes of it is an event; nothing is thrown. */
export function perform(effect: Effect, hands: Hands): void {
  const { controls, dispatch } = hands;
  switch (effect.do) {
    case 'send':
      void send(effect.intent, hands);
      return;
    case 'draft':
      void controls.page({ page: 'draft', id: effect.id }).then(
        (page) => dispatch({ type: 'draft', id: effect.id, page }),
        (error: unknown) => dispatch({ type: 'draftFailed', id: effect.id, text: words(error) }),
      );
      return;
    case 'thread': {
      const { id, after } = effect;
      void controls.page({ page: 'thread', id, after }).then(
        (page) => dispatch({ type: 'thread', id, page }),
        (error: unknown) => dispatch({ type: 'threadFailed', id, text: words(error) }),
      );
      return;
    }
    case 'search': {
      const { query, offset } = effect;
      void controls.page({ page: 'search', ...queryOf(query), offset }).then(
        (page) => dispatch({ type: 'search', query, page }),
        (error: unknown) => dispatch({ type: 'searchFailed', query, text: words(error) }),
      );
      return;
    }
    case 'why':
      void controls.page({ page: 'why', id: effect.id }).then(
        (page) => dispatch({ type: 'why', id: effect.id, page }),
        (error: unknown) => dispatch({ type: 'whyFailed', id: effect.id, text: words(error) }),
      );
      return;
    case 'transcript': {
      const { runId, from, count } = effect;
      void controls.page({ page: 'transcript', runId, from, count }).then(
        (page) => dispatch({ type: 'transcript', from, page }),
        (error: unknown) => dispatch({ type: 'transcriptFailed', runId, from, text: words(error) }),
      );
      return;
    }
    case 'edit':
      void edit(effect.text, effect.for, hands);
      return;
    case 'copy':
      copy(effect.text, hands);
      return;
    case 'command':
      void command(effect.args, hands);
      return;
    case 'save':
      void save(effect.what, hands);
      return;
    case 'dump':
      void write('screen', hands.dump(), hands);
      return;
    case 'mouse':
      hands.write(effect.on ? MOUSE_ON : MOUSE_OFF);
      return;
    case 'repaint':
      void lend(() => Promise.resolve(), hands);
      return;
    case 'suspend':
      void lend(hands.suspend, hands);
      return;
    case 'quit': {
      const why = effect.how === 'restart' ? hands.notAgain() : null;
      if (why === null) hands.onQuit(effect.how);
      else dispatch({ type: 'notice', tone: 'error', text: why });
      return;
    }
    default:
      effect satisfies never;
  }
}

async function send(intent: Intent, hands: Hands): Promise<void> {
  // The keys say so before it comes to this; no other way leads around it either.
  if (hands.readOnly) {
    hands.dispatch({ type: 'notice', tone: 'error', text: READ_ONLY });
    return;
  }
  try {
    const result = await hands.controls.send(hands.nextId(), intent);
    hands.dispatch({ type: 'result', intent, result });
  } catch (error) {
    hands.dispatch({ type: 'notice', tone: 'error', text: words(error) });
  }
}

async function command(args: readonly string[], hands: Hands): Promise<void> {
  const { runCommand } = hands;
  if (runCommand === undefined) return;
  let code = 1;
  const done = await lend(async () => {
    code = await runCommand(args);
  }, hands);
  if (done) hands.dispatch({ type: 'commanded', args, code });
}

/** Entries of one page of a transcript that is saved. */
const SAVED_AT_ONCE = 500;

async function save(what: Saving, hands: Hands): Promise<void> {
  if (what.kind === 'text') return write(what.name, what.text, hands);
  const { runId } = what;
  try {
    const lines: string[] = [];
    for (let from = 0; ; from += SAVED_AT_ONCE) {
      const page = await hands.controls.page({ page: 'transcript', runId, from, count: SAVED_AT_ONCE });
      lines.push(...page.entries.flatMap(fileLines));
      if (page.entries.length === 0 || from + SAVED_AT_ONCE >= page.total) break;
    }
    await write(`run-${runId}`, lines.join('\n'), hands);
  } catch (error) {
    hands.dispatch({ type: 'notice', tone: 'error', text: words(error) });
  }
}

async function write(name: string, text: string, hands: Hands): Promise<void> {
  const { saveFile, dispatch } = hands;
  if (saveFile === undefined) {
    dispatch({ type: 'notice', tone: 'error', text: 'nothing can be saved from here' });
    return;
  }
  try {
    const path = await saveFile(name, `${text}\n`);
    dispatch({ type: 'notice', tone: 'ok', text: `saved ${path}` });
  } catch (error) {
    dispatch({ type: 'notice', tone: 'error', text: words(error) });
  }
}

async function edit(text: string, target: 'draft' | 'compose', hands: Hands): Promise<void> {
  const { openEditor } = hands;
  if (openEditor === undefined) return;
  let edited: string | null = null;
  const done = await lend(async () => {
    edited = await openEditor(text);
  }, hands);
  if (done) hands.dispatch({ type: 'edited', for: target, text: edited });
}

function copy(text: string, hands: Hands): void {
  const sequence = copySequence(text);
  if (sequence === null) {
    hands.dispatch({
      type: 'notice',
      tone: 'error',
      text: 'too long for the clipboard: wats agent logs has it',
    });
    return;
  }
  hands.write(sequence);
  const what = text.length === 1 ? '1 character' : `${text.length} characters`;
  hands.dispatch({ type: 'notice', tone: 'ok', text: `copied ${what} (where the terminal allows OSC 52)` });
}

/** Whether it went well; an error is said on the screen that is back. */
async function lend(use: () => Promise<void>, hands: Hands): Promise<boolean> {
  try {
    await hands.lend(use);
    return true;
  } catch (error) {
    hands.dispatch({ type: 'notice', tone: 'error', text: words(error) });
    return false;
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
