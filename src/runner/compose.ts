import { renderPrompt } from '../prompt/index.ts';
import { type ActionableKind, isActionable, isFeedback } from '../swarm/index.ts';
import type { RunnerPorts, TakenWake } from './ports.ts';
import type { RunnerSettings } from './settings.ts';

/** Feedback replies that are listed one by one; the rest is a count. */
const FEEDBACK_LISTED = 20;

/**
 * The exact prompt of a run for these wakes: ids, kinds and ages of posts, and what a person told the agent.
 *
 * @param now ms since the epoch
 * @throws WatsError `setting` when the template cannot be used
 */
export function composePrompt(
  settings: RunnerSettings,
  wakes: readonly TakenWake[],
  ports: Pick<RunnerPorts, 'store' | 'template'>,
  now: number,
): string {
  const { store } = ports;
  const heartbeat = wakes.find(({ cause }) => cause === 'heartbeat');
  const feedback = store.wakes.untoldFeedback(settings.agent, FEEDBACK_LISTED);
  return renderPrompt(
    ports.template(),
    {
      agentProfile: settings.profile,
      user: settings.user,
      about: settings.about,
      reasons: {
        heartbeat: heartbeat === undefined ? null : { missed: heartbeat.missed },
        person: wakes.some(({ cause }) => cause === 'person'),
      },
      cursor: cursorOf(wakes, store.posts.newestSeq()),
      events: wakes.flatMap(({ post, parentAuthor }) => {
        if (post === null || !isActionable(post.post.kind)) return [];
        const { id, ts } = post.post;
        const kind: ActionableKind = post.post.kind;
        return [{ id, kind, toAgent: parentAuthor === settings.author, at: ts * 1000 }];
      }),
      feedback: {
        total: feedback.total,
        items: feedback.posts.flatMap(({ post }) =>
          post.parent === null || !isFeedback(post.kind)
            ? []
            : [{ id: post.id, kind: post.kind, parent: post.parent, at: post.ts * 1000 }],
        ),
      },
      rejections: store.drafts.untoldRejections(settings.agent).map((draft) => ({
        draft: draft.id,
        parent: draft.parent,
        reason: draft.reason ?? '',
        by: draft.decidedBy === 'session' ? 'session' : 'person',
      })),
      secondTry: wakes.flatMap(({ post, tries }) => (post !== null && tries > 0 ? [post.post.id] : [])),
    },
    now,
  );
}

/** What is new comes after the last post before the oldest event, so that `inbox` from there shows every event. */
function cursorOf(wakes: readonly TakenWake[], newest: number): number {
  const seqs = wakes.flatMap(({ post }) => (post === null ? [] : [post.seq]));
  return seqs.length === 0 ? newest : Math.min(...seqs) - 1;
}
