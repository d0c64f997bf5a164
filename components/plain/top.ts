import { isRunning } from '../state/context.ts';
import type { ListName } from '../state/places.ts';
import type { Choice, Place } from './choices.ts';
import { openCompose } from './compose.ts';
import { openDraft } from './draft.ts';
import { openField } from './field.ts';
import { askQuit } from './leaving.ts';
import { openList } from './list.ts';
import { answer, asking, type PlainContext, TOP, type Top } from './menu.ts';
import { statusLines } from './print.ts';
import { openTranscript } from './transcript.ts';
import { missedFrom } from './voice.ts';
import { openWhy } from './why.ts';

const agentSet = (_: Top, { view }: PlainContext) => (view.agent === null ? 'no agent is set up' : null);
const aboutRun = (_: Top, { view }: PlainContext) =>
  view.run?.about == null ? 'no run was woken for a post' : null;

const list = (keys: readonly string[], name: ListName, says: Choice<Top>['says']): Choice<Top> => ({
  keys,
  says,
  rare: name !== 'drafts',
  press: (_, context) => openList(name, context),
});

export const TOP_PLACE: Place<Top> = [
  {
    keys: ['s', '1'],
    says: 'status',
    press: (_, { view, now, canRun }) => answer(TOP, statusLines(view, now, canRun)),
  },
  list(['d', '2'], 'drafts', (_, { view }) => `drafts (${view.drafts.total})`),
  {
    keys: ['n'],
    says: 'next draft in full',
    unless: (_, context) => (nextDraft(context) === undefined ? 'no draft waits' : null),
    press: (_, context) => openDraft(nextDraft(context)?.id ?? '', TOP),
  },
  list(['3'], 'runs', 'runs and their transcripts'),
  list(['4'], 'posts', 'posts of the swarm'),
  list(['5'], 'peers', 'peers'),
  list(['6'], 'log', 'log'),
  list(['7'], 'settings', 'settings, those that nobody acknowledged first'),
  list(['8'], 'queue', (_, { view }) => `queue (${view.queue.total}), with the reason of each wait`),
  list(['9'], 'paused', (_, { view }) => `paused threads (${view.paused.total})`),
  { keys: ['/'], says: 'search the swarm', press: () => openField({ is: 'search' }, TOP) },
  {
    keys: ['r'],
    says: 'run now',
    acts: true,
    unless: agentSet,
    press: () => answer(TOP, ['asking for a run'], [{ do: 'send', intent: { do: 'run' } }]),
  },
  {
    keys: ['p'],
    says: (_, { view }) => (view.agent?.paused === true ? 'resume' : 'pause'),
    acts: true,
    unless: agentSet,
    press: (_, { view }) =>
      answer(TOP, [], [{ do: 'send', intent: { do: view.agent?.paused === true ? 'resume' : 'pause' } }]),
  },
  {
    keys: ['S'],
    says: 'stop the run',
    acts: true,
    unless: (_, { view }) => (isRunning(view) ? null : 'no run is going'),
    press: (_, { view }) =>
      asking({ at: 'stop' }, [
        `Stop run ${view.run?.id ?? ''}? What it has posted and drafted stays; its wakes count as done.`,
      ]),
  },
  { keys: ['c'], says: 'new post', acts: true, press: () => openCompose(null, TOP) },
  {
    keys: ['R'],
    says: 'reply to the post of the run',
    rare: true,
    acts: true,
    unless: aboutRun,
    press: (_, { view }) => openCompose(view.run?.about ?? null, TOP),
  },
  {
    keys: ['w'],
    says: 'why the post of the run woke the agent',
    rare: true,
    unless: (menu, context) => aboutRun(menu, context) ?? agentSet(menu, context),
    press: (_, { view }) => openWhy(view.run?.about?.id ?? '', TOP),
  },
  {
    keys: ['u'],
    says: 'undo the rejection',
    acts: true,
    unless: (_, { memory }) => (memory.rejected.length === 0 ? 'nothing was rejected here' : null),
    press: (_, { memory }) =>
      answer(TOP, [], [{ do: 'send', intent: { do: 'unreject', draft: memory.rejected.at(-1) ?? '' } }]),
  },
  {
    keys: ['t'],
    says: (_, { memory }) => (memory.voice.held ? 'read the run out again' : 'quiet: hold the transcript'),
    unless: (_, { view, memory }) => (isRunning(view) || memory.voice.held ? null : 'no run is going'),
    press: (_, { memory }) => {
      const held = !memory.voice.held;
      const line = held
        ? 'the transcript is held; t reads it out again, T reads what you missed'
        : 'the transcript is read out again';
      return { ...answer(TOP, [line]), memory: { voice: { ...memory.voice, held } } };
    },
  },
  {
    keys: ['T'],
    says: 'what was not read out',
    unless: (_, { view, memory }) =>
      missedFrom(memory.voice, view.transcript) === null ? 'everything was read out' : null,
    press: (_, { view, memory }) => {
      const { runId } = view.transcript;
      const from = missedFrom(memory.voice, view.transcript) ?? 0;
      return runId === null ? asking(TOP) : openTranscript(runId, from, TOP);
    },
  },
  {
    keys: ['i'],
    says: 'set up an agent',
    acts: true,
    unless: (_, { view, canRun }) => {
      if (view.agent !== null) return 'an agent is set up';
      if (!canRun) return 'wats setup does it, in another terminal';
      const found = view.programs.some(({ version }) => version !== null);
      return found ? null : 'no agent program was found here';
    },
    press: () => asking({ at: 'setup' }),
  },
  {
    keys: ['ctrl-z'],
    says: 'suspend; fg comes back',
    rare: true,
    press: () => answer(TOP, [], [{ do: 'suspend' }]),
  },
  {
    keys: ['q', 'ctrl-c'],
    says: (_, { mode }) => (mode === 'attach' ? 'close this view' : 'quit'),
    press: (_, context, key) => askQuit(TOP, context, key),
  },
];

/** The first draft that waits; one that was just decided may still be listed. */
function nextDraft({ view, memory }: PlainContext) {
  return view.drafts.rows.find(({ id }) => id !== memory.decided);
}
