import type { QueueRow, WhyPage } from '../../src/control/index.ts';
import { ASKS, judged, shown } from '../dialogs/why.ts';
import { tag } from '../panels/columns.ts';
import { back, type Place } from './choices.ts';
import { type Answer, answer, asking, load, type Menu, type PlainContext, type WhyMenu } from './menu.ts';
import { openThread } from './thread.ts';

/** Asks for the rules that a post went through. */
export function openWhy(id: string, from: Menu): Answer {
  return load({ at: 'loading', of: 'why', want: { do: 'why', id }, back: from });
}

/** Why a wake waits: the rules of its post, or, without one, what holds it. */
export function openWake(row: QueueRow, from: Menu, { view }: PlainContext): Answer {
  if (row.about === null)
    return asking(from, [`no post is behind it: ${row.hold ?? 'it starts with the next run'}`]);
  if (view.agent === null) return asking(from, ['no agent is set up']);
  return openWhy(row.about.id, from);
}

export function whyArrived(page: WhyPage, from: Menu): Answer {
  return asking({ at: 'why', page, back: from }, whyLines(page));
}

/** Every rule in order with the value it saw, and what became of the post. */
function whyLines(page: WhyPage): readonly string[] {
  const { kind, id, title } = page.post;
  const decides = page.rules.findIndex((rule) => rule.decided);
  return [
    `why: ${kind} ${tag(id)}, ${title}`,
    `judged: ${judged(page)}`,
    `wake: ${page.wake ?? 'none'}`,
    ...(page.hold === null ? [] : [`held: ${page.hold}`]),
    ...page.rules.map((rule, at) => {
      const asks = ASKS[rule.rule];
      const name = `rule ${at + 1}, ${rule.rule}${asks === undefined ? '' : ` (applies when: ${asks})`}`;
      const values = `saw ${worded(rule.saw)}, limit ${worded(rule.limit)}`;
      const verdict = rule.decided
        ? '. This one decides'
        : decides >= 0 && at > decides
          ? '. Not needed'
          : '';
      return `${name}: ${values}${verdict}`;
    }),
  ];
}

/** A value in words: a dash is not read out. */
function worded(value: string): string {
  return value === '–' ? 'nothing' : shown(value);
}

export const WHY_PLACE: Place<WhyMenu> = [
  {
    keys: ['1', 'enter'],
    says: 'reads the post in its thread',
    press: (menu) => openThread(menu.page.post.id, menu),
  },
  {
    keys: ['l'],
    says: 'reads it again',
    rare: true,
    press: (menu) => asking(menu, whyLines(menu.page)),
  },
  {
    keys: ['y'],
    says: 'the full id of the post, as commands take it',
    rare: true,
    press: (menu) => answer(menu, [`id: ${menu.page.post.id}`]),
  },
  back(),
];
