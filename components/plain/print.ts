import type { Alert, DraftPage, DraftRow, PausedRow, View } from '../../src/control/index.ts';
import { clock, duration, shortKey, usd } from '../../src/text/index.ts';
import { tag } from '../panels/columns.ts';
import { setupCommand } from '../panels/first-start.ts';
import { isGone } from '../state/context.ts';
import { block } from './parts.ts';

/** Where everything stands, one labelled line a thing. */
export function statusLines(view: View, now: number, canRun = false): string[] {
  const { node, agent, spend, queue } = view;
  const lines = [
    `wats: ${view.version}, node ${node.id}, ${node.peersConnected} of ${node.peersKnown} peers`,
  ];
  for (const alert of view.alerts) lines.push(alertLine(alert));
  if (agent === null) {
    lines.push('agent: none is set up, this node watches only.', ...programLines(view));
    lines.push(
      canRun
        ? `to set one up: i, or ${setupCommand(view)} in another terminal`
        : `to set one up: ${setupCommand(view)}, in another terminal; then start wats again`,
    );
  } else {
    const version = agent.runtimeVersion === null ? '' : ` ${agent.runtimeVersion}`;
    lines.push(`agent: ${agent.profile}, ${agent.runtime}${version}${agent.paused ? ', paused' : ''}`);
    lines.push(`access: ${agent.access}: ${agent.opens.join(', ')}; review ${agent.review ? 'on' : 'OFF'}`);
    if (agent.unguarded.length > 0) lines.push(`unguarded: ${agent.unguarded.join(', ')}`);
    if (agent.nextHeartbeatAt !== null)
      lines.push(`heartbeat: next in ${duration(agent.nextHeartbeatAt - now)}`);
  }
  if (spend !== null) lines.push(spendLine(spend, now));
  lines.push(runLine(view, now));
  lines.push(`drafts: ${view.drafts.total} wait for you`);
  for (const paused of view.paused.rows) lines.push(`paused thread: ${pausedText(paused)}`);
  lines.push(`queue: ${queue.total}${queue.verdict === null ? '' : `, ${queue.verdict}`}`);
  return lines;
}

/**
 * What is different in a newer view, one labelled line a thing; nothing when nothing a person hears of is.
 *
 * @param said what the run in progress said meanwhile, read out between its start and its end
 */
export function changeLines(before: View, after: View, now: number, said: readonly string[] = []): string[] {
  const lines = alertChanges(before, after);
  const ended = after.run?.state === 'ended';
  const other = before.run?.id !== after.run?.id;
  if (other && !ended) lines.push(runLine(after, now));
  lines.push(...said);
  if (ended && (other || before.run?.state !== 'ended')) {
    lines.push(runLine(after, now));
    if (after.spend !== null) lines.push(spendLine(after.spend, now));
  }
  if (before.agent !== null && after.agent !== null && before.agent.paused !== after.agent.paused)
    lines.push(`agent: ${after.agent.paused ? 'paused, nothing wakes it' : 'goes on'}`);
  if (after.agent === null && before.programs.length === 0) lines.push(...programLines(after));
  const known = new Set(before.drafts.rows.map((row) => row.id));
  for (const row of after.drafts.rows)
    if (!known.has(row.id)) lines.push(`new draft: ${draftText(row, now)}. d lists drafts.`);
  const paused = new Set(before.paused.rows.map((row) => row.root));
  for (const row of after.paused.rows)
    if (!paused.has(row.root)) lines.push(`paused thread: ${pausedText(row)}`);
  if (after.queue.verdict !== null && before.queue.verdict === null)
    lines.push(`queue: ${after.queue.verdict}`);
  return lines;
}

/** Alerts that came and went; these are said wherever a person is. */
export function alertChanges(before: View, after: View): string[] {
  const lines: string[] = [];
  const had = new Set(before.alerts.map((alert) => alert.code + alert.text));
  for (const alert of after.alerts) if (!had.has(alert.code + alert.text)) lines.push(alertLine(alert));
  for (const alert of before.alerts) {
    if (after.alerts.some((kept) => kept.code === alert.code)) continue;
    lines.push(alert.code === 'daemon_gone' ? 'the daemon is back' : `alert over: ${alert.text}`);
  }
  return lines;
}

function programLines(view: View): string[] {
  return view.programs.map(({ name, version, loggedIn, fix }) => {
    const found = version === null ? 'not found' : version;
    const login = loggedIn === null ? '' : loggedIn ? ', logged in' : ', not logged in';
    return `program: ${name}, ${found}${login}${fix === null ? '' : `. To do: ${fix}`}`;
  });
}

export function draftText(row: DraftRow, now: number): string {
  const to = row.to === null ? 'a new post' : `to ${row.to.kind} ${tag(row.to.id)}, ${row.to.title}`;
  return `${row.kind} ${to}: ${row.excerpt}; expires in ${duration(row.expiresAt - now)}`;
}

export function pausedText({ root, author, turns, limit }: PausedRow): string {
  return `${tag(root)} with ${author}, ${turns} turns, limit ${limit}`;
}

/** A draft in full after the post that it answers: whoever heard the last line heard all that is published. */
export function draftLines(page: DraftPage): string[] {
  const lines: string[] = [];
  const { parent } = page;
  if (parent !== null) {
    const name = parent.authorName === null ? '' : `${parent.authorName}, `;
    lines.push(`answers: ${parent.kind} ${shortKey(parent.id)} by ${name}${shortKey(parent.author)}`);
    if (parent.title !== '') lines.push(`its title: ${parent.title}`);
    lines.push(...block('its text', parent.text));
  }
  lines.push(`draft: ${page.kind}${page.runId === null ? '' : ` of run ${page.runId}`}`);
  if (page.title !== '') lines.push(`title: ${page.title}`);
  if (page.tags.length > 0) lines.push(`tags: ${page.tags.join(', ')}`);
  return [...lines, ...block('text', page.text), 'end of the draft'];
}

function alertLine(alert: Alert): string {
  return `ALERT ${alert.code}: ${alert.text}${alert.fix === null ? '' : `. To do: ${alert.fix}`}`;
}

function spendLine(spend: NonNullable<View['spend']>, now: number): string {
  const { day, month } = spend;
  const booked = day.bookedMicroUsd > 0 ? `, ${usd(day.bookedMicroUsd)} of it booked` : '';
  const used = day.spentMicroUsd >= day.limitMicroUsd ? `, resets in ${duration(day.resetsAt - now)}` : '';
  return (
    `spend: today ${usd(day.spentMicroUsd)} of ${usd(day.limitMicroUsd)}${booked}${used}; ` +
    `month ${usd(month.spentMicroUsd)} of ${usd(month.limitMicroUsd)}; ` +
    `runs ${spend.runsToday} today, ${spend.runsThisHour} of ${spend.runsPerHour} this hour; ` +
    `unpriced ${spend.unpricedToday} of ${spend.unpricedPerDay}`
  );
}

function runLine(view: View, now: number): string {
  const { run } = view;
  if (run === null) return 'run: none yet';
  const about =
    run.about === null ? run.cause : `for ${run.about.kind} ${tag(run.about.id)}, ${run.about.title}`;
  const cost = run.costMicroUsd === null ? '' : `, ${usd(run.costMicroUsd)}`;
  if (run.state === 'ended') return `run: ${run.id} ended, ${run.outcome ?? 'outcome unknown'}${cost}`;
  // Nobody says whether it goes on: its clock would pretend to know.
  if (isGone(view)) return `run: ${run.id} ${about}, was going${cost}`;
  return `run: ${run.id} ${about}, going for ${clock(now - run.startedAt)}${cost}`;
}
