import type { AgentView, SpendView, View } from '../../src/control/index.ts';
import { duration, usd } from '../../src/text/index.ts';
import { bar } from '../cells/bar.ts';
import { fitted, type Row, row, rowWidth, span, spread } from '../cells/cell.ts';

/** The rows at the top: who this is, what the agent may do, what it has spent. `rows` is 2 or 3. */
export function bannerRows(view: View, width: number, rows: number, now: number, readOnly = false): Row[] {
  const inner = width - 1;
  const lines =
    view.agent === null
      ? [nameRow(view, inner, readOnly), watchingRow(inner)]
      : [nameRow(view, inner, readOnly), accessRow(view.agent, inner, now), spendRow(view.spend, inner, now)];
  return lines.slice(-rows).map((line) => row(' ', line));
}

function nameRow(view: View, width: number, readOnly: boolean): Row {
  const { node, agent } = view;
  const known = node.peersKnown > node.peersConnected ? ` of ${node.peersKnown}` : '';
  const peers = `${node.peersConnected}${known} ${node.peersConnected === 1 && known === '' ? 'peer' : 'peers'}`;
  const only = readOnly ? row(' ', span(' READ-ONLY ', 'badge')) : null;
  const left = row(span('wats', 'bold'), ` ${view.version} · node `, node.id, ` · ${peers}`, only);
  if (agent === null) return spread(left, row(`${node.profile} `), width);
  const version = agent.runtimeVersion === null ? '' : ` ${agent.runtimeVersion}`;
  const name = row('agent ', span(agent.profile, 'bold'));
  const rights = [
    row(name, ` · ${agent.runtime}${version} `),
    row(name, ` · ${agent.runtime} `),
    row(name, ' '),
  ];
  const right = rights.find((one) => rowWidth(left) + rowWidth(one) + 3 <= width);
  return spread(left, right ?? row(name, ' '), width);
}

function watchingRow(width: number): Row {
  return fitted(row(span(' WATCHING ', 'badge'), '  no agent: posts come in, nothing is woken'), width);
}

/** The level as a word, what it opens, what nothing guards, review; and when the next heartbeat is. */
function accessRow(agent: AgentView, width: number, now: number): Row {
  const badge = span(` ${agent.access.toUpperCase()} `, agent.access === 'locked' ? 'badge' : 'warnBadge');
  const review = agent.review ? row('review on') : row(span('review OFF', 'warn'));
  const right = row(heartbeat(agent, now), ' ');
  const room = width - rowWidth([badge]) - 2 - rowWidth(right) - 3;
  const opens = row(agent.opens.join(', '));
  const unguarded =
    agent.unguarded.length === 0 ? [] : row(span(`unguarded: ${agent.unguarded.join(', ')}`, 'warn'));
  const left = (...pieces: readonly Row[]) => row(badge, '  ', dotted(pieces));
  if (rowWidth(dotted([opens, unguarded, review])) <= room)
    return spread(left(opens, unguarded, review), right, width);
  // What it opens gives way first, then words of what nothing guards; never whether posts are reviewed.
  const forOpens = room - rowWidth(dotted([unguarded, review])) - 3;
  if (unguarded.length > 0 && forOpens >= 12)
    return spread(left(cutTo(opens, forOpens), unguarded, review), right, width);
  const longest = unguarded.length > 0 ? unguarded : opens;
  const forLongest = room - rowWidth(review) - 3;
  if (forLongest >= 12) return spread(left(cutTo(longest, forLongest), review), right, width);
  return spread(left(review), right, width);
}

function heartbeat(agent: AgentView, now: number): Row {
  if (agent.paused) return row(span(' PAUSED ', 'warnBadge'), ' p goes on');
  if (agent.nextHeartbeatAt === null) return row(span('no heartbeat', 'dim'));
  const left = agent.nextHeartbeatAt - now;
  return row(left < 60_000 ? 'next heartbeat soon' : `next heartbeat ${duration(left)}`);
}

/** Day, month and runs against their limits. Columns drop from the right; the day never does. */
function spendRow(spend: SpendView | null, width: number, now: number): Row {
  if (spend === null) return fitted(row(span('no budget is set', 'dim')), width);
  const cells = width >= 110 ? 10 : 5;
  const { day, month } = spend;
  const booked = day.bookedMicroUsd > 0 ? ` (${usd(day.bookedMicroUsd)} booked)` : '';
  const resets = ` resets ${duration(day.resetsAt - now)}`;
  const dayPart = (more: string) =>
    row(
      `today ${usd(day.spentMicroUsd)}${more} of ${usd(day.limitMicroUsd)} `,
      bar(day.spentMicroUsd, day.limitMicroUsd, cells),
    );
  const reached = day.spentMicroUsd >= day.limitMicroUsd ? span(resets, 'danger') : null;
  const monthPart = row(
    `   month ${usd(month.spentMicroUsd)} of ${usd(month.limitMicroUsd)} `,
    bar(month.spentMicroUsd, month.limitMicroUsd, cells),
  );
  const hour = ` · ${spend.runsThisHour} this hour of ${spend.runsPerHour}`;
  const unpriced = ` · unpriced ${spend.unpricedToday} of ${spend.unpricedPerDay}`;
  const runs = `   runs ${spend.runsToday}`;
  const listed = span(' · at list prices', 'dim');
  const variants: Row[] = [
    row(dayPart(booked), reached, monthPart, runs, unpriced, hour, listed),
    row(dayPart(booked), reached, monthPart, runs, unpriced, hour),
    row(dayPart(booked), reached, monthPart, runs, hour),
    row(dayPart(''), reached, monthPart, runs, hour),
    row(dayPart(''), reached, monthPart, runs),
    row(dayPart(booked), reached, monthPart),
    row(dayPart(''), reached, monthPart),
    row(dayPart(''), reached),
  ];
  return variants.find((variant) => rowWidth(variant) <= width) ?? fitted(dayPart(''), width);
}

/** The pieces that are there, with a dot between them. */
function dotted(pieces: readonly Row[]): Row {
  const there = pieces.filter((piece) => rowWidth(piece) > 0);
  return there.flatMap((piece, at) => (at === 0 ? [...piece] : [span(' · '), ...piece]));
}

/** The row in at most `width` cells. */
function cutTo(line: Row, width: number): Row {
  return rowWidth(line) <= width ? line : fitted(line, width);
}
