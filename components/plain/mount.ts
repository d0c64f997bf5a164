import { randomUUID } from 'node:crypto';
import type { IntentResult, View } from '../../src/control/index.ts';
import { type KeyName, keysOf, oneLine } from '../keys/names.ts';
import type { Screen, ScreenOptions } from '../screen/mount.tsx';
import { tap } from '../screen/tap.ts';
import {
  type Answer,
  arrived,
  edited,
  type Menu,
  type PlainContext,
  type PlainEffect,
  press,
  topChoices,
} from './menu.ts';
import { changeLines, statusLines } from './print.ts';

export type PlainOptions = Pick<
  ScreenOptions,
  | 'controls'
  | 'stdin'
  | 'stdout'
  | 'now'
  | 'mode'
  | 'readOnly'
  | 'openEditor'
  | 'idPrefix'
  | 'onQuit'
  | 'onError'
>;

/**
 * The linear mode for screen readers and dumb terminals: labelled lines that are only ever added, choices by a single
 * key, the same intents as the live screen. No alternate screen, no cursor movement, no repainting.
 */
export function mountPlain(options: PlainOptions): Screen {
  const { controls, stdout, now, openEditor } = options;
  const prefix = options.idPrefix ?? randomUUID();
  let ids = 0;
  let closed = false;
  let menu: Menu = { at: 'top' };
  let lastPublishAt: number | null = null;
  let shown: View = controls.view();
  let pending: string[] = [];
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const write = (text: string) => {
    if (!closed && stdout.writable) stdout.write(text);
  };
  const print = (lines: readonly string[]) => {
    if (lines.length > 0) write(`${lines.join('\n')}\n`);
  };
  const context = (alone = false): PlainContext => ({
    view: controls.view(),
    now: now(),
    mode: options.mode,
    readOnly: options.readOnly === true,
    canEdit: openEditor !== undefined,
    alone,
    lastPublishAt,
  });
  const show = (answer: Answer) => {
    menu = answer.menu;
    print(answer.lines);
    if (answer.echo !== undefined) write(answer.echo);
    for (const effect of answer.effects) perform(effect);
    // What happened while a person was in a choice is said when they come back.
    if (menu.at === 'top' && pending.length > 0) {
      print(pending);
      pending = [];
    }
  };
  const guarded = (what: () => void) => {
    if (closed) return;
    try {
      what();
    } catch (error) {
      unmount();
      options.onError(error);
    }
  };
  function perform(effect: PlainEffect): void {
    switch (effect.do) {
      case 'send':
        void controls.send(`${prefix}-${++ids}`, effect.intent).then(
          (result) => guarded(() => print([resultLine(result)])),
          (error: unknown) => guarded(() => print([`error: ${words(error)}`])),
        );
        return;
      case 'draft':
        void controls.page({ page: 'draft', id: effect.id }).then(
          (page) =>
            guarded(() => menu.at === 'loading' && menu.id === effect.id && show(arrived(page, context()))),
          (error: unknown) =>
            guarded(() => show({ menu: { at: 'top' }, lines: [`error: ${words(error)}`], effects: [] })),
        );
        return;
      case 'edit':
        void edit(effect.text);
        return;
      case 'quit':
        options.onQuit(effect.how);
        return;
      default:
        effect satisfies never;
    }
  }
  async function edit(text: string): Promise<void> {
    if (openEditor === undefined) return;
    input.stream.setRawMode(false);
    try {
      const result = await openEditor(text);
      guarded(() => show(edited(menu, result, context())));
    } catch (error) {
      guarded(() => print([`error: ${words(error)}`]));
    } finally {
      if (!closed) input.stream.setRawMode(true);
    }
  }

  const input = tap({ stdin: options.stdin, now, onPointer: () => undefined, onEnd: () => unmount() });
  input.stream.on('data', (chunk: Buffer | string) =>
    guarded(() => {
      for (const key of keysIn(chunk.toString(), menu)) {
        show(press(menu, key, context(input.alone())));
        lastPublishAt = key === 'P' ? now() : null;
      }
    }),
  );
  const onStdoutError = () => unmount();
  stdout.on('error', onStdoutError);
  const unsubscribe = controls.subscribe(() =>
    guarded(() => {
      const view = controls.view();
      const lines = changeLines(shown, view, now());
      shown = view;
      if (menu.at === 'top') print(lines);
      else pending.push(...lines);
    }),
  );
  function unmount(): void {
    if (closed) return;
    closed = true;
    unsubscribe();
    input.stream.setRawMode(false);
    input.close();
    finish();
  }

  input.stream.setRawMode(true);
  print([...statusLines(shown, now()), topChoices(shown, options.readOnly === true)]);
  return { done, unmount };
}

/**
 * The keys of a chunk. A choice is one key: a pasted text, or a sequence of another key, is none. A text takes what is
 * pasted, and only its own Enter ends it.
 */
function keysIn(chunk: string, menu: Menu): readonly KeyName[] {
  if (chunk.startsWith('\x1b') && chunk.length > 1) return [];
  const many = chunk.length > 1;
  if (menu.at === 'reason' || menu.at === 'text') return keysOf(many ? oneLine(chunk) : chunk, {});
  // A pipe has no single keys: there a line is one.
  const keys = keysOf(many ? chunk.replace(/\r?\n$/, '') : chunk, {});
  return keys.length === 1 ? keys : [];
}

function resultLine(result: IntentResult): string {
  if (result.ok) return `done: ${result.text}`;
  return `error: ${result.text}${result.fix === null ? '' : `. To do: ${result.fix}`}`;
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
