import type { DraftPage, DraftRow, TranscriptEntry, View } from '../../src/control/index.ts';
import { clock, duration, shortKey, usd } from '../../src/text/index.ts';
import { tag } from '../panels/columns.ts';
import { setupCommand } from '../panels/first-start.ts';

/** How many lines of a result or a thought are read out; the rest is counted. */
const LINES = 4;

const LABELS: Readonly<Record<TranscriptEntry['kind'], string>> = {
  text: 'agent',
  thinking: 'thinks',
  tool_call: 'call',
  tool_result: 'result',
  notice: 'notice',
  error: 'error',
};

/** Where everything stands, one labelled line a thing. */
export function statusLines(view: View, now: number): string[] {
  const { node, agent, spend, queue } = view;
  const lines = [
    `wats: ${view.version}, node ${node.id}, ${node.peersConnected} of ${node.peersKnown} peers`,
  ];
  for (const alert of view.alerts) lines.push(alertLine(alert));
  if (agent === null) {
    lines.push('agent: none is set up, this node watches only.', ...programLines(view));
    lines.push(`to set one up: ${setupCommand(view)}, in another terminal; then start wats again`);
  } else {
    const version = agent.runtimeVersion === null ? '' : ` ${agent.runtimeVersion}`;
    lines.push(`agent: ${agent.profile}, ${agent.runtime}${version}${agent.paused ? ', paused' : ''}`);
    lines.push(`access: ${agent.access}: ${agent.opens.join(', ')}; review ${agent.review ? 'on' : 'OFF'}`);
    if (agent.unguarded.length > 0) lines.push(`unguarded: ${agent.unguarded.join(', ')}`);
    if (agent.nextHeartbeatAt !== null)
      lines.push(`heartbeat: next in ${duration(agent.nextHeartbeatAt - now)}`);
  }
  if (spend !== null) lines.push(spendLine(spend));
  lines.push(runLine(view, now));
  lines.push(`drafts: ${view.drafts.total} wait for you`);
  for (const paused of view.paused.rows)
    lines.push(
      `paused thread: ${tag(paused.root)} with ${paused.author}, ${paused.turns} turns, limit ${paused.limit}`,
    );
  lines.push(`queue: ${queue.total}${queue.verdict === null ? '' : `, ${queue.verdict}`}`);
  return lines;
}

/** What is different in a newer view, one labelled line a thing; nothing when nothing a person hears of is. */
export function changeLines(before: View, after: View, now: number): string[] {
  const lines: string[] = [];
  const had = new Set(before.alerts.map((alert) => alert.code + alert.text));
  for (const alert of after.alerts) if (!had.has(alert.code + alert.text)) lines.push(alertLine(alert));
  for (const alert of before.alerts)
    if (!after.alerts.some((kept) => kept.code === alert.code)) lines.push(`alert over: ${alert.text}`);
  if (before.run?.id !== after.run?.id) lines.push(runLine(after, now));
  lines.push(...transcriptLines(before, after));
  if (
    before.run?.id === after.run?.id &&
    before.run?.state !== after.run?.state &&
    after.run?.state === 'ended'
  ) {
    lines.push(runLine(after, now));
    if (after.spend !== null) lines.push(spendLine(after.spend));
  }
  const known = new Set(before.drafts.rows.map((row) => row.id));
  for (const row of after.drafts.rows)
    if (!known.has(row.id)) lines.push(`new draft: ${draftText(row, now)}. d lists drafts.`);
  const paused = new Set(before.paused.rows.map((row) => row.root));
  for (const row of after.paused.rows)
    if (!paused.has(row.root))
      lines.push(
        `paused thread: ${tag(row.root)} with ${row.author}, ${row.turns} turns, limit ${row.limit}`,
      );
  if (after.queue.verdict !== null && before.queue.verdict === null)
    lines.push(`queue: ${after.queue.verdict}`);
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
  lines.push(`draft: ${page.kind}`);
  if (page.title !== '') lines.push(`title: ${page.title}`);
  if (page.tags.length > 0) lines.push(`tags: ${page.tags.join(', ')}`);
  return [...lines, ...block('text', page.text), 'end of the draft'];
}

export function entryLines(entry: TranscriptEntry): string[] {
  const all = entry.text.trimEnd().split('\n');
  const shortened = entry.kind === 'tool_result' || entry.kind === 'thinking' ? all.slice(0, LINES) : all;
  const label = entry.label === null ? LABELS[entry.kind] : `${LABELS[entry.kind]} ${entry.label}`;
  const lines = block(label, shortened.join('\n'));
  const left = all.length - shortened.length;
  if (left > 0 || entry.omitted > 0)
    lines.push(`(${left > 0 ? `${left} more lines` : `${entry.omitted} more characters`})`);
  return lines;
}

function transcriptLines(before: View, after: View): string[] {
  const same = before.transcript.runId === after.transcript.runId;
  const from = same ? before.transcript.total : 0;
  const fresh = after.transcript.tail.filter((entry) => entry.n >= from);
  const missed = (fresh[0]?.n ?? from) - from;
  return [...(missed > 0 ? [`(${missed} entries not read out)`] : []), ...fresh.flatMap(entryLines)];
}

function alertLine(alert: View['alerts'][number]): string {
  return `ALERT ${alert.code}: ${alert.text}${alert.fix === null ? '' : `. To do: ${alert.fix}`}`;
}

function spendLine(spend: NonNullable<View['spend']>): string {
  const { day, month } = spend;
  const booked = day.bookedMicroUsd > 0 ? `, ${usd(day.bookedMicroUsd)} of it booked` : '';
  return (
    `spend: today ${usd(day.spentMicroUsd)} of ${usd(day.limitMicroUsd)}${booked}; ` +
    `month ${usd(month.spentMicroUsd)} of ${usd(month.limitMicroUsd)}; ` +
    `runs ${spend.runsToday} today, ${spend.runsThisHour} of ${spend.runsPerHour} this hour`
  );
}

function runLine(view: View, now: number): string {
  const { run } = view;
  if (run === null) return 'run: none yet';
  const about =
    run.about === null ? run.cause : `for ${run.about.kind} ${tag(run.about.id)}, ${run.about.title}`;
  const cost = run.costMicroUsd === null ? '' : `, ${usd(run.costMicroUsd)}`;
  if (run.state === 'ended') return `run: ${run.id} ended, ${run.outcome ?? 'outcome unknown'}${cost}`;
  return `run: ${run.id} ${about}, going for ${clock(now - run.startedAt)}${cost}`;
}

function block(label: string, text: string): string[] {
  return text.split('\n').map((line, at) => (at === 0 ? `${label}: ${line}` : line));
}
