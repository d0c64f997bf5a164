import type { View } from '../../src/control/index.ts';
import { GONE, READ_ONLY } from '../keys/allowed.ts';
import { isGone } from '../state/context.ts';
import { arrive } from './arrive.ts';
import {
  type Answer,
  answer,
  type Memory,
  type Menu,
  type PlainContext,
  type PlainEffect,
  type PlainEvent,
  TOP,
  type World,
} from './menu.ts';
import { choicesOf, paste, press } from './press.ts';
import { alertChanges, changeLines, statusLines } from './print.ts';
import { spoken } from './spoken.ts';
import { firstVoice, listen } from './voice.ts';

/** Everything that is only the linear mode's. Changed by `step` alone. */
export interface Session {
  readonly menu: Menu;
  readonly memory: Memory;
  /** The view that was told of last. */
  readonly told: View;
  /** The last line is still being typed. */
  readonly typing: boolean;
}

export interface Stepped {
  readonly session: Session;
  /** What is written, as it is. */
  readonly text: string;
  readonly effects: readonly PlainEffect[];
  /** When to step again though nothing happens; `null` when there is no need. */
  readonly wakeAt: number | null;
}

/** Where everything stands, and what to choose from. */
export function begin(world: World): Stepped {
  const { view, now, canRun } = world;
  const memory: Memory = {
    rejected: [],
    decided: null,
    setUp: null,
    draining: false,
    lastPublishAt: null,
    voice: firstVoice(view.transcript, now),
  };
  const session: Session = { menu: TOP, memory, told: view, typing: false };
  return finish(session, { ...answer(TOP, statusLines(view, now, canRun)), ask: true }, world, []);
}

/** The one place where it changes: pure, and the same for the daemon's own terminal and `attach`. */
export function step(session: Session, event: PlainEvent, world: World): Stepped {
  const alone = event.type === 'key' && event.alone;
  const context: PlainContext = { ...world, alone, memory: session.memory };
  const given = permitted(react(session.menu, event, context), session.menu, context);
  const memory = remembered({ ...session.memory, ...given.memory }, event, given.effects, world.now);
  return announce({ ...session, menu: given.menu, memory }, given, world);
}

function react(menu: Menu, event: PlainEvent, context: PlainContext): Answer {
  switch (event.type) {
    case 'key':
      return press(menu, event.key, context);
    case 'paste':
      return paste(menu, event.text, context);
    case 'world':
      return answer(menu);
    default:
      return arrive(menu, event, context);
  }
}

/**
 * Whatever led to it: nothing is asked of the daemon in a read-only view, of one that is gone, or by a key that came
 * with others, as the last piece of a paste does. A person stays where they were, with what they had written.
 */
function permitted(given: Answer, before: Menu, context: PlainContext): Answer {
  if (!given.effects.some(acts)) return given;
  if (context.readOnly) return answer(before, [READ_ONLY]);
  if (isGone(context.view)) return answer(before, [GONE]);
  return context.alone ? given : answer(before, ['press it once more, by itself']);
}

function acts(effect: PlainEffect): boolean {
  if (effect.do === 'quit') return effect.how !== 'close';
  return effect.do === 'send' || effect.do === 'command' || effect.do === 'edit';
}

function remembered(memory: Memory, event: PlainEvent, effects: readonly PlainEffect[], now: number): Memory {
  let { decided, draining, lastPublishAt } = memory;
  if (event.type === 'key') lastPublishAt = event.key === 'P' ? now : null;
  for (const effect of effects) {
    if (effect.do === 'quit') draining = effect.how === 'drain';
    if (effect.do !== 'send') continue;
    const { intent } = effect;
    if (intent.do === 'approve' || intent.do === 'reject') decided = intent.draft;
    if (intent.do === 'unreject') decided = null;
  }
  return { ...memory, decided, draining, lastPublishAt };
}

/**
 * What happened meanwhile is said once a person is back at the choices of the beginning, alerts at once; never while
 * something is typed. It is the difference to what was told last: however long one was away, it is short.
 */
function announce(session: Session, given: Answer, world: World): Stepped {
  const { menu, told } = session;
  const { view, now } = world;
  if (menu.at === 'field' || menu.at === 'loading') return finish(session, given, world, []);
  if (menu.at !== 'top') {
    const alerts = alertChanges(told, view);
    return finish({ ...session, told: { ...told, alerts: view.alerts } }, given, world, alerts);
  }
  const { voice, lines, wakeAt } = listen(session.memory.voice, view.transcript, now);
  const news = changeLines(told, view, now, lines);
  const after = { ...session, told: view, memory: { ...session.memory, voice } };
  return { ...finish(after, given, world, news), wakeAt };
}

/** Puts what is said into lines. A line that is being typed ends first, and goes on after them. */
function finish(session: Session, given: Answer, world: World, news: readonly string[]): Stepped {
  const { menu } = session;
  const context: PlainContext = { ...world, alone: false, memory: session.memory };
  const choices = given.ask === true ? choicesOf(menu, context) : null;
  const lines = [...given.lines, ...news, ...(choices === null ? [] : [choices])].flatMap((line) =>
    spoken(line).split('\n'),
  );
  let text = '';
  let { typing } = session;
  if (lines.length > 0) {
    text = `${typing ? '\n' : ''}${lines.join('\n')}\n`;
    typing = menu.at === 'field' && menu.text !== '';
    if (menu.at === 'field' && given.echo === undefined) text += spoken(menu.text);
  } else if (typing && menu.at !== 'field') {
    text = '\n';
    typing = false;
  }
  if (given.echo !== undefined) {
    text += spoken(given.echo);
    typing = true;
  }
  return { session: { ...session, typing }, text, effects: given.effects, wakeAt: null };
}
