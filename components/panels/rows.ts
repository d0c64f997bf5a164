import type {
  DraftRow,
  LogRow,
  PausedRow,
  PeerRow,
  PostRow,
  QueueRow,
  RunRow,
  SettingRow,
} from '../../src/control/index.ts';
import { cellWidth, clock, duration, shortKey, usd } from '../../src/text/index.ts';
import type { Row, Style } from '../cells/cell.ts';
import { ago, columnsRow, quoted, since, tag } from './columns.ts';

export function draftRow(draft: DraftRow, width: number, now: number, mark: 'marked' | 'read' | 'new'): Row {
  const left = draft.expiresAt - now;
  return columnsRow(
    [
      { text: mark === 'marked' ? '✓' : mark === 'read' ? '·' : ' ', width: 1, style: 'ok' },
      { text: draft.kind, width: 8, gap: 1 },
      { text: since(draft.createdAt, now), width: 3, align: 'right', style: 'dim', from: 30 },
      { text: draft.to === null ? 'new post' : `to ${tag(draft.to.id)}`, width: 8, style: 'dim', from: 44 },
      { text: draft.excerpt, width: 'rest' },
      {
        text: left <= 0 ? 'expired' : `${left < 60_000 ? '<1m' : duration(left)} left`,
        width: 8,
        align: 'right',
        style: left < 3_600_000 ? 'warn' : 'dim',
        from: 58,
      },
    ],
    width,
  );
}

export function pausedRow(paused: PausedRow, width: number): Row {
  const turns = `${paused.turns} turns, limit ${paused.limit}`;
  return columnsRow(
    [
      { text: tag(paused.root), width: 4 },
      { text: `with ${paused.author}`, width: width >= 70 ? 20 : 'rest', style: 'dim', from: 46 },
      ...(width >= 70 || width < 46 ? [{ text: quoted(paused.title, 60), width: 'rest' } as const] : []),
      { text: turns, width: turns.length, align: 'right', style: 'warn' },
    ],
    width,
  );
}

export function queueRow(wake: QueueRow, width: number, now: number): Row {
  const what = wake.about === null ? wake.cause : `${wake.about.kind} ${tag(wake.about.id)}`;
  const hold = wake.hold === null ? 'next' : wake.hold;
  const rest = width - 14 - 3 - 4;
  const title = wake.about?.title ?? '';
  // The reason is what a person looks for here: the title has what it leaves.
  const holdWidth = Math.min(cellWidth(hold), rest);
  const room = rest - holdWidth - 2 >= Math.min(8, cellWidth(title));
  return columnsRow(
    [
      { text: what, width: 14 },
      { text: since(wake.queuedAt, now), width: 3, align: 'right', style: 'dim' },
      ...(room ? [{ text: title, width: 'rest' } as const] : []),
      {
        text: hold,
        width: room ? holdWidth : 'rest',
        align: 'right',
        style: wake.hold === null ? 'ok' : 'warn',
      },
    ],
    width,
  );
}

export function runRow(run: RunRow, width: number, now: number): Row {
  return columnsRow(
    [
      { text: run.id, width: 8 },
      { text: since(run.startedAt, now), width: 4, align: 'right', style: 'dim' },
      { text: run.cause, width: 10 },
      { text: run.outcome, width: 'rest', style: outcomeStyle(run.outcome) },
      { text: run.durationMs === null ? '' : clock(run.durationMs), width: 8, align: 'right', from: 50 },
      {
        text: run.turns === null ? '' : run.turns === 1 ? '1 turn' : `${run.turns} turns`,
        width: 9,
        align: 'right',
        from: 64,
      },
      { text: run.costMicroUsd === null ? 'unpriced' : usd(run.costMicroUsd), width: 9, align: 'right' },
    ],
    width,
  );
}

export function postRow(post: PostRow, width: number, now: number): Row {
  return columnsRow(
    [
      { text: tag(post.id), width: 4, style: 'dim' },
      { text: since(post.at, now), width: 4, align: 'right', style: 'dim' },
      { text: `${post.reply ? '↳ ' : ''}${post.kind}`, width: 10 },
      { text: post.title, width: 'rest' },
      {
        text: post.own ? 'this node' : shortKey(post.author),
        width: 15,
        style: post.own ? 'ok' : 'dim',
        from: 56,
      },
    ],
    width,
  );
}

export function peerRow(peer: PeerRow, width: number, now: number): Row {
  const seen = peer.lastSeenAt === null ? 'never seen' : `seen ${ago(peer.lastSeenAt, now)}`;
  const style: Style = peer.state === 'connected' ? 'ok' : peer.state === 'connecting' ? 'plain' : 'warn';
  return columnsRow(
    [
      { text: peer.id, width: 'rest' },
      { text: peer.relayed === true ? 'by relay' : peer.state, width: 11, style },
      { text: peer.state === 'connected' ? '' : seen, width: 14, style: 'dim', from: 48 },
      {
        text: [
          peer.lag ? `${peer.lag} posts to get` : '',
          peer.refusedPosts === 0 ? '' : `${peer.refusedPosts} posts refused`,
        ]
          .filter((part) => part !== '')
          .join(' · '),
        width: 18,
        align: 'right',
        style: 'warn',
        from: 64,
      },
    ],
    width,
  );
}

export function logRow(line: LogRow, width: number): Row {
  const style: Style = line.level === 'error' ? 'danger' : line.level === 'warn' ? 'warn' : 'plain';
  return columnsRow(
    [
      { text: timeOfDay(line.at), width: 8, style: 'dim' },
      { text: line.level, width: 5, style: line.level === 'info' ? 'dim' : style },
      { text: line.text, width: 'rest', style: line.level === 'debug' ? 'dim' : 'plain' },
    ],
    width,
  );
}

/** A safety setting that nobody acknowledged shows what it was. */
export function settingRow(setting: SettingRow, width: number): Row {
  const changed = setting.acknowledged !== null;
  const value = changed ? `${setting.acknowledged} → ${setting.value}` : setting.value;
  const set = setting.source !== 'default';
  return columnsRow(
    [
      { text: changed ? '!' : setting.safety ? '*' : '', width: 1, style: changed ? 'danger' : 'dim' },
      { text: setting.key, width: 31, gap: 1, style: changed ? 'danger' : 'plain' },
      { text: value, width: width >= 110 ? 22 : 'rest', style: changed ? 'danger' : set ? 'bold' : 'plain' },
      ...(width >= 110 ? [{ text: setting.doc, width: 'rest', style: 'dim' } as const] : []),
      { text: setting.source, width: width >= 110 ? 15 : 18, style: 'dim', from: 76 },
    ],
    width,
  );
}

/** UTC, as budgets and windows are. */
export function timeOfDay(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** Outcomes after which a person may want to look are red; those that only ended early stand out less. */
export function outcomeStyle(outcome: string): Style {
  if (outcome === 'ok') return 'ok';
  if (outcome === 'idle') return 'dim';
  if (/^(error|stalled|interrupted|auth|rate_limited|no_tools|config|uncertain)/.test(outcome))
    return 'danger';
  return 'warn';
}
