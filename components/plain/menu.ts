import type { DraftPage, Intent, View } from '../../src/control/index.ts';
import { diffLines, visible } from '../../src/text/index.ts';
import { kindsOf } from '../dialogs/compose.ts';
import { HELD_MS } from '../dialogs/guard.ts';
import { typed } from '../dialogs/small-step.ts';
import { READ_ONLY } from '../keys/allowed.ts';
import type { KeyName } from '../keys/names.ts';
import { isRunning } from '../state/context.ts';
import { draftLines, draftText, statusLines } from './print.ts';

/** Where a person is in the choices. */
export type Menu =
  | { readonly at: 'top' }
  | { readonly at: 'drafts'; readonly ids: readonly string[] }
  | { readonly at: 'loading'; readonly id: string }
  | { readonly at: 'draft'; readonly page: DraftPage; readonly edited: string | null }
  | { readonly at: 'reason'; readonly page: DraftPage; readonly text: string }
  | { readonly at: 'kind' }
  | { readonly at: 'text'; readonly kind: string; readonly text: string }
  | { readonly at: 'stop' }
  | { readonly at: 'quit' };

export type PlainEffect =
  | { readonly do: 'send'; readonly intent: Intent }
  | { readonly do: 'draft'; readonly id: string }
  | { readonly do: 'edit'; readonly text: string; readonly for: 'draft' | 'post' }
  | { readonly do: 'quit'; readonly how: 'drain' | 'now' | 'detach' | 'close' };

export interface PlainContext {
  readonly view: View;
  readonly now: number;
  readonly mode: 'daemon' | 'attach';
  /** Choices that act on the daemon are off. */
  readonly readOnly: boolean;
  readonly canEdit: boolean;
  /** The key was typed by itself, with nothing right before it. */
  readonly alone: boolean;
  /** When the publish key was last pressed. */
  readonly lastPublishAt: number | null;
}

/** What a key leads to: where, the lines that are printed, what is done. */
export interface Answer {
  readonly menu: Menu;
  readonly lines: readonly string[];
  readonly effects: readonly PlainEffect[];
  /** Printed without a line end: what is being typed. */
  readonly echo?: string;
}

const TOP: Menu = { at: 'top' };

export function topChoices(view: View, readOnly: boolean): string {
  if (readOnly) return `choices: s status, d drafts (${view.drafts.total}), q close; ${READ_ONLY}`;
  const paused = view.agent?.paused === true ? 'resume' : 'pause';
  const stop = isRunning(view) ? ', x stop the run' : '';
  return `choices: s status, d drafts (${view.drafts.total}), r run now, p ${paused}${stop}, c new post, q quit`;
}

export function press(menu: Menu, key: KeyName, context: PlainContext): Answer {
  if (key === 'ctrl-c' && menu.at !== 'quit') return quit(context);
  if (context.readOnly && isActing(menu, key)) return answer(menu, [READ_ONLY]);
  switch (menu.at) {
    case 'top':
      return atTop(key, context);
    case 'drafts': {
      const id = menu.ids[Number(key) - 1];
      return id === undefined ? top(context) : answer({ at: 'loading', id }, [], [{ do: 'draft', id }]);
    }
    case 'loading':
      return key === 'esc' ? top(context) : answer(menu);
    case 'draft':
      return atDraft(menu, key, context);
    case 'reason':
      return atReason(menu, key, context);
    case 'kind': {
      const kind = kindsOf({ parent: null })[Number(key) - 1];
      if (kind === undefined) return top(context);
      if (context.canEdit)
        return answer({ at: 'text', kind, text: '' }, [], [{ do: 'edit', text: '', for: 'post' }]);
      return answer({ at: 'text', kind, text: '' }, ['text: type it, Enter posts it as you, Esc goes back']);
    }
    case 'text':
      return atText(menu, key, context);
    case 'stop':
      if (key !== '1') return top(context, ['the run goes on']);
      return answer(TOP, [], [{ do: 'send', intent: { do: 'stop' } }]);
    case 'quit':
      return atQuit(key, context);
    default:
      return menu satisfies never;
  }
}

/** Whether a key would ask something of the daemon, or begin to. */
function isActing(menu: Menu, key: KeyName): boolean {
  if (menu.at === 'top') return ['r', 'p', 'x', 'c'].includes(key);
  return menu.at === 'draft' && ['P', 'e', 'x'].includes(key);
}

/** The draft came: it is read out in full, then its choices. */
export function arrived(page: DraftPage, context: PlainContext): Answer {
  return answer({ at: 'draft', page, edited: null }, [...draftLines(page), draftChoices(context)]);
}

/** The text came back from the editor: what changed is read out, then the choices again. */
export function edited(menu: Menu, text: string | null, context: PlainContext): Answer {
  const clean = text === null ? '' : visible(text, 'block').replace(/\n+$/, '');
  if (menu.at === 'text') {
    if (clean.trim() === '') return top(context, ['nothing was written']);
    const lines = [...clean.split('\n'), 'choices: Enter posts this as you, at once; Esc discards it'];
    return answer({ ...menu, text: clean }, [`text of the ${menu.kind}:`, ...lines]);
  }
  if (menu.at !== 'draft') return answer(menu);
  if (clean === '') return answer(menu, ['the draft is as it was', draftChoices(context)]);
  const lines = diffLines(menu.page.text, clean)
    .filter((line) => line.sign !== ' ')
    .map((line) => `${line.sign === '+' ? 'added' : 'removed'}: ${line.text}`);
  const change = lines.length === 0 ? null : clean;
  return answer({ ...menu, edited: change }, [
    ...lines,
    `${lines.length} lines changed`,
    draftChoices(context),
  ]);
}

function atTop(key: KeyName, context: PlainContext): Answer {
  const { view, now } = context;
  switch (key) {
    case 's':
      return answer(TOP, statusLines(view, now));
    case 'd': {
      const rows = view.drafts.rows.slice(0, 9);
      if (rows.length === 0) return top(context, ['drafts: none waits']);
      const lines = rows.map((row, at) => `${at + 1}: ${draftText(row, now)}`);
      const more = view.drafts.total - rows.length;
      return answer({ at: 'drafts', ids: rows.map((row) => row.id) }, [
        ...lines,
        ...(more > 0 ? [`${more} more follow when these are decided`] : []),
        `choices: 1 to ${rows.length} reads a draft in full, any other key goes back`,
      ]);
    }
    case 'r':
      return answer(TOP, [], [{ do: 'send', intent: { do: 'run' } }]);
    case 'p':
      return answer(
        TOP,
        [],
        [{ do: 'send', intent: { do: view.agent?.paused === true ? 'resume' : 'pause' } }],
      );
    case 'x':
      if (!isRunning(view)) return top(context);
      return answer({ at: 'stop' }, ['choices: 1 stops the run now, any other key lets it run']);
    case 'c': {
      const kinds = kindsOf({ parent: null }).map((kind, at) => `${at + 1} ${kind}`);
      return answer({ at: 'kind' }, [`choices: ${kinds.join(', ')}, any other key goes back`]);
    }
    case 'q':
      return quit(context);
    default:
      return top(context);
  }
}

function atDraft(menu: Extract<Menu, { at: 'draft' }>, key: KeyName, context: PlainContext): Answer {
  const { page } = menu;
  switch (key) {
    case 'P': {
      const since = context.lastPublishAt === null ? HELD_MS : Math.abs(context.now - context.lastPublishAt);
      if (!context.alone || since < HELD_MS) return answer(menu, ['not published: press P once, by itself']);
      if (page.state !== 'held') return top(context, [`it is ${page.state} already`]);
      const text = menu.edited === null ? {} : { text: menu.edited };
      const intent = { do: 'approve', draft: page.id, sha256: page.sha256, ...text } as const;
      return answer(TOP, ['publishing'], [{ do: 'send', intent }]);
    }
    case 'e':
      if (!context.canEdit) return answer(menu, ['no editor: set VISUAL or EDITOR']);
      return answer(menu, [], [{ do: 'edit', text: menu.edited ?? page.text, for: 'draft' }]);
    case 'x':
      return answer({ at: 'reason', page, text: '' }, [
        'reason: type it, Enter rejects the draft, Esc goes back',
      ]);
    case 'esc':
    case '0':
      return top(context);
    default:
      return answer(menu, [draftChoices(context)]);
  }
}

function atReason(menu: Extract<Menu, { at: 'reason' }>, key: KeyName, context: PlainContext): Answer {
  if (key === 'esc') return top(context, ['', 'nothing is decided']);
  if (key === 'enter') {
    const intent = { do: 'reject', draft: menu.page.id, reason: menu.text.trim() } as const;
    return answer(TOP, [''], [{ do: 'send', intent }]);
  }
  const text = typed({ text: menu.text }, key)?.text ?? menu.text;
  return { ...answer({ ...menu, text }), echo: echoOf(menu.text, text) };
}

function atText(menu: Extract<Menu, { at: 'text' }>, key: KeyName, context: PlainContext): Answer {
  if (key === 'esc') return top(context, ['', 'discarded']);
  if (key === 'enter') {
    if (menu.text.trim() === '') return answer(menu, ['there is no text yet']);
    const { kind, text } = menu;
    return answer(
      TOP,
      ['', 'posting'],
      [{ do: 'send', intent: { do: 'post', kind, parent: null, title: '', text, tags: [] } }],
    );
  }
  // A text from the editor is taken or left as it was read out.
  if (context.canEdit) return answer(menu);
  const text = typed({ text: menu.text }, key)?.text ?? menu.text;
  return { ...answer({ ...menu, text }), echo: echoOf(menu.text, text) };
}

function quit(context: PlainContext): Answer {
  if (context.mode === 'attach') return answer(TOP, [], [{ do: 'quit', how: 'close' }]);
  const line = isRunning(context.view)
    ? 'a run is going. choices: 1 let it finish, then quit; 2 stop it and quit; any other key stays'
    : 'choices: 1 quit; 2 go on in the background; any other key stays';
  return answer({ at: 'quit' }, [line]);
}

function atQuit(key: KeyName, context: PlainContext): Answer {
  const running = isRunning(context.view);
  if (key === '1' || key === 'ctrl-c') return answer(TOP, ['quitting'], [{ do: 'quit', how: 'drain' }]);
  if (key === '2') return answer(TOP, ['quitting'], [{ do: 'quit', how: running ? 'now' : 'detach' }]);
  return top(context, ['staying']);
}

function draftChoices(context: PlainContext): string {
  if (context.readOnly) return `choices: 0 goes back; ${READ_ONLY}`;
  return `choices: P publishes exactly this${context.canEdit ? ', e edits it' : ''}, x rejects it, 0 goes back`;
}

function top(context: PlainContext, lines: readonly string[] = []): Answer {
  return answer(TOP, [...lines, topChoices(context.view, context.readOnly)]);
}

function answer(menu: Menu, lines: readonly string[] = [], effects: readonly PlainEffect[] = []): Answer {
  return { menu, lines, effects };
}

function echoOf(before: string, after: string): string {
  return after.startsWith(before) ? after.slice(before.length) : '\b \b';
}
