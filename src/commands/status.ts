import type { Alert, PeerRow, QueueView, RunView, SpendView } from '../control/index.ts';
import type { NodeStatus } from '../mcp/index.ts';
import { staleRegistrations } from '../setup/index.ts';
import { age, shortKey, shortNode, usd, visible } from '../text/index.ts';
import type { Command, Context, Input } from './support/command.ts';
import { dirOf, withDaemon } from './support/place.ts';
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
};

export const command: Command = {
  usage: ['wats status [--json]'],
  about: 'Shows the running daemon: node, agent, spend, drafts, peers, and what a person must know.',
  flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
  async run(input, context) {
    const said = (await withDaemon(input, context, (client) => client.call('status'))) as Status;
    const status = { ...said, alerts: [...said.alerts, ...registrationAlerts(said.profile, input, context)] };
    if (input.on('json')) printJson(context, status);
    else printStatus(status, context);
    return 0;
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
    row('run', `${run.id} · ${run.cause} · since ${age(run.startedAt, context.now())}`);
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
    const seen = peer.lastSeenAt === null ? 'not seen yet' : `seen ${age(peer.lastSeenAt, context.now())}`;
    row(
      'peer',
      `${shortNode(peer.id)} · ${peer.state} · ${seen}${peer.refusedPosts === 0 ? '' : ` · ${peer.refusedPosts} posts refused`}`,
    );
  }
  for (const alert of status.alerts)
    row('!', alert.fix === null ? alert.text : `${alert.text} (${alert.fix})`);
}
