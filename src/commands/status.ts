import type { Alert, PeerRow, QueueView, RunView, SpendView } from '../control/index.ts';
import type { NodeStatus } from '../mcp/index.ts';
import { staleRegistrations } from '../setup/index.ts';
import { age, shortKey, shortNode, usd, visible } from '../text/index.ts';
import { askOrRead } from './support/asleep.ts';
import type { Command, Context, Input } from './support/command.ts';
import { notesOn } from './support/peers.ts';
import { dirOf } from './support/place.ts';
import { print, printJson } from './support/print.ts';
import { machineOf, wantedFor } from './support/registration.ts';

type Status = NodeStatus & {
  /** Missing in the answer of an older daemon. */
  readonly profile?: string;
  readonly alerts: readonly Alert[];
  readonly queue: QueueView;
  readonly run: RunView | null;
  readonly spend: SpendView | null;
  readonly peers: readonly PeerRow[];
  readonly listening: readonly string[];
  /** The seeds as relays of this node, and what it does as one. Missing in the answer of an older daemon. */
  readonly relays?: readonly {
    readonly seed: string;
    readonly state: 'reserved' | 'waiting' | 'refused' | 'not_serving';
    readonly reason: string | null;
  }[];
  readonly serving?: { readonly places: number; readonly of: number; readonly links: number } | null;
};

const RELAY_WORDS = {
  reserved: 'others reach this node through it',
  waiting: 'no link to it yet',
  refused: 'gives this node no place',
  not_serving: 'is no relay: relay.serve is not set there',
} as const;

/** The exit code of "no daemon". */
const NO_DAEMON = 3;

export const command: Command = {
  usage: ['wats status [--json]'],
  about:
    'Shows the node, its agent, spend, drafts, peers, and what a person must know. Without a daemon it shows what the ' +
    'directory holds, and exits 3.',
  flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
  async run(input, context) {
    const { answer: said, running } = await askOrRead<Status>(input, context, 'status');
    const status = {
      running,
      ...said,
      alerts: [...said.alerts, ...registrationAlerts(said.profile, input, context)],
    };
    if (input.on('json')) printJson(context, status);
    else printStatus(status, context);
    // What it shows is worth having; whether a daemon runs is what a script asks.
    return running ? 0 : NO_DAEMON;
  },
};

/** The daemon knows nothing of other programs' files; looking takes two reads. */
function registrationAlerts(profile: string | undefined, input: Input, context: Context): Alert[] {
  if (profile === undefined) return [];
  const dir = dirOf(input, context);
  return staleRegistrations(wantedFor(dir, profile, context), dir, machineOf(context)).map((stale) => ({
    code: 'config',
    ...stale,
  }));
}

function printStatus(status: Status, context: Context): void {
  const row = (name: string, text: string): void =>
    print(context.stdout, `${name.padEnd(9)} ${visible(text, 'line')}`);
  row(
    'node',
    `${shortNode(status.nodeId)} · wats ${status.version} · ${status.posts} posts · swarm ${status.space.length > 15 ? `private ${shortKey(status.space)}` : status.space}`,
  );
  const { agent, spend, run } = status;
  if (agent === null) row('agent', 'none: agent.runtime is not set');
  else
    row(
      'agent',
      `${agent.profile} · ${agent.runtime} · access ${agent.access} · review ${agent.review ? 'on' : 'OFF'}`,
    );
  if (spend !== null) {
    const { day, month } = spend;
    row(
      'spend',
      `today ${usd(day.spentMicroUsd)} of ${usd(day.limitMicroUsd)} · month ${usd(month.spentMicroUsd)} of ${usd(month.limitMicroUsd)} (list prices)`,
    );
    row(
      'runs',
      `${spend.runsToday} today · unpriced ${spend.unpricedToday} of ${spend.unpricedPerDay} · ${spend.runsThisHour} this hour of ${spend.runsPerHour}`,
    );
  }
  if (run !== null && run.state !== 'ended')
    row('run', `${run.id} · ${run.cause} · for ${age(run.startedAt, context.now())}`);
  row(
    'drafts',
    status.pendingDrafts === 0
      ? 'none waits for you'
      : `${status.pendingDrafts} wait for you: wats agent pending`,
  );
  row(
    'queue',
    status.queue.total === 0 ? 'empty' : `${status.queue.total} · ${status.queue.verdict ?? 'starting'}`,
  );
  if (status.peers.length === 0) row('peers', 'none');
  for (const peer of status.peers) {
    const seen =
      peer.lastSeenAt === null ? 'not seen yet' : `seen ${age(peer.lastSeenAt, context.now())} ago`;
    const notes = notesOn(peer);
    row('peer', `${shortNode(peer.id)} · ${peer.state} · ${seen}${notes === '' ? '' : ` · ${notes}`}`);
  }
  for (const { seed, state, reason } of status.relays ?? [])
    row('relay', `${shortNode(seed)} · ${RELAY_WORDS[state]}${reason === null ? '' : `: ${reason}`}`);
  if (status.serving) {
    const { places, of, links } = status.serving;
    row('serving', `${places} of ${of} places taken · ${links} links go through this node`);
  }
  for (const alert of status.alerts)
    row('!', alert.fix === null ? alert.text : `${alert.text} (${alert.fix})`);
}
