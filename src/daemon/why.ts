import { WatsError } from '../errors/index.ts';
import { agentFacts, loopOf, postFacts, type RunnerPorts, type RunnerSettings } from '../runner/index.ts';
import type { Store, StoredPost } from '../store/index.ts';
import { holdOf, judge, type Step } from '../waking/index.ts';
import type { AgentSources } from './view.ts';
import { reasonText } from './words.ts';

const HOUR_MS = 3_600_000;

/** Why a post did or did not wake the agent: every rule in order with the value it saw, and what became of it. */
export interface Why {
  readonly post: string;
  readonly seq: number;
  /** What was decided when the post was judged; `null` when it is not judged yet, or came before the agent did. */
  readonly recorded: { readonly verdict: string; readonly rule: string; readonly at: number } | null;
  /** The rules as they would decide now. */
  readonly rules: readonly Step[];
  readonly now: string;
  readonly wake: { readonly state: string; readonly run: string | null; readonly tries: number } | null;
  /** What keeps the wake queued, in words. */
  readonly hold: string | null;
}

function explain(
  stored: StoredPost,
  settings: RunnerSettings,
  house: {
    readonly store: Store;
    readonly ports: Pick<RunnerPorts, 'halt' | 'localAuthors'>;
    readonly now: () => number;
  },
): Why {
  const { store, ports, now } = house;
  const filter = agentFacts(settings, ports.localAuthors());
  const candidate = store.wakes.candidate(stored);
  const judgement = judge(postFacts(stored, candidate.parentAuthor), filter, now());
  const { verdict, wake } = store.wakes.history(settings.agent, stored.seq);
  const hold =
    wake?.state !== 'queued'
      ? null
      : holdOf(
          {
            halt: ports.halt(),
            author: stored.post.author,
            filter,
            takenAt: store.wakes.takenAt(settings.agent, stored.post.author, now() - HOUR_MS),
            authorPerHour: settings.wakesPerAuthorPerHour,
            loop: () => loopOf(stored.thread ?? stored.post.id, settings, store),
          },
          now(),
        );
  return {
    post: stored.post.id,
    seq: stored.seq,
    recorded: verdict,
    rules: judgement.trace,
    now: judgement.kind,
    wake: wake === null ? null : { state: wake.state, run: wake.run, tries: wake.tries },
    hold: hold === null ? null : reasonText(hold, now()),
  };
}

/** The same for whoever asks while there may be no agent. @throws WatsError `refused` when there is none */
export function explainer(
  agent: AgentSources | null,
  house: { readonly store: Store; readonly now: () => number },
): (stored: StoredPost) => Why {
  return (stored) => {
    if (agent !== null) return explain(stored, agent.settings, { ...house, ports: agent.ports });
    throw noAgent();
  };
}

export function noAgent(): WatsError {
  return new WatsError('refused', 'this node has no agent: agent.runtime is not set', {
    fix: 'wats config set agent.runtime claude',
  });
}
