import type { SuspendTerminal } from 'ink';
import type { Controls, Intent } from '../../src/control/index.ts';
import { READ_ONLY } from '../keys/allowed.ts';
import type { Event } from '../state/events.ts';
import type { Effect } from '../state/state.ts';
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
  readonly suspend: () => Promise<void>;
  /** A new id for every key press that asks something of the daemon. */
  readonly nextId: () => string;
  readonly onQuit: (how: 'drain' | 'now' | 'detach' | 'close') => void;
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
    case 'mouse':
      hands.write(effect.on ? MOUSE_ON : MOUSE_OFF);
      return;
    case 'repaint':
      void lend(() => Promise.resolve(), hands);
      return;
    case 'suspend':
      void lend(hands.suspend, hands);
      return;
    case 'quit':
      hands.onQuit(effect.how);
      return;
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
