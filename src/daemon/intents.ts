import type { Principal } from '../access/index.ts';
import { failedIntent, type Intent, type IntentResult } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Publisher } from '../publish/index.ts';
import { NotNow, type Runner } from '../runner/index.ts';
import type { Store } from '../store/index.ts';
import { shortId } from '../text/index.ts';
import { noAgent } from './why.ts';
import { reasonText } from './words.ts';

/** Answers to intents are kept this long, so that a repeated one is answered and not done again. */
const KEPT_MS = 24 * 3_600_000;

export interface IntentHouse {
  readonly store: Store;
  readonly publisher: Publisher;
  readonly runner: Runner | null;
  readonly now: () => number;
  readonly quit: (how: 'drain' | 'now') => void;
  /** A defect, for the log. */
  readonly onDefect: (error: unknown) => void;
}

/** Carries out what a person asks, once for each id. Never throws. */
export function intentHandler(house: IntentHouse) {
  const { store, now } = house;
  return function handle(who: Principal, id: string, intent: Intent): IntentResult {
    let result: IntentResult;
    try {
      const known = store.people.answered(id);
      if (known !== null) return JSON.parse(known) as IntentResult;
      result = carryOut(house, who, id, intent);
    } catch (error) {
      const told = error instanceof NotNow ? notNow(error, now()) : error;
      result = failedIntent(told);
      if (!result.ok && result.code === 'failed') house.onDefect(error);
    }
    keep(id, result);
    return result;
  };

  function keep(id: string, result: IntentResult): void {
    try {
      store.people.answer(id, now(), JSON.stringify(result));
      store.people.forgetIntents(now() - KEPT_MS);
    } catch (error) {
      // A full disk: what was done is done, and said; only a repetition would not be told from a new request.
      house.onDefect(error);
    }
  }
}

function carryOut(house: IntentHouse, who: Principal, id: string, intent: Intent): IntentResult {
  const { publisher } = house;
  switch (intent.do) {
    case 'approve': {
      const { postId } = publisher.approve(who, intent.draft, intent.sha256, intent.text ?? null);
      return { ok: true, text: `published ${shortId(postId)}`, postId };
    }
    case 'reject':
      publisher.reject(who, intent.draft, intent.reason);
      return { ok: true, text: `rejected ${intent.draft}` };
    case 'unreject':
      publisher.unreject(who, intent.draft);
      return { ok: true, text: `${intent.draft} is held again` };
    case 'post': {
      const { kind, parent, title, text, tags } = intent;
      const done = publisher.publish(who, { kind, parent, title, text, tags, requestId: id });
      if (done.state === 'held') return { ok: true, text: `held for review as ${done.draft}` };
      return { ok: true, text: `posted ${shortId(done.id)}`, postId: done.id };
    }
    case 'run':
      agentOf(house).runNow();
      return { ok: true, text: 'a run is starting' };
    case 'stop':
      agentOf(house).stopRun();
      return { ok: true, text: 'stopping the run' };
    case 'pause':
      agentOf(house).pause();
      return { ok: true, text: 'paused: no run starts until you resume' };
    case 'resume':
      agentOf(house).resume();
      // Whoever resumes has seen why the agent stood still.
      house.store.acceptRebuilt();
      return { ok: true, text: 'resumed' };
    case 'quit':
      house.quit(intent.how);
      return { ok: true, text: intent.how === 'drain' ? 'quitting when the run has ended' : 'quitting' };
    default:
      intent satisfies never;
      throw new WatsError('protocol', 'this daemon does not know that request', {
        fix: 'restart the daemon',
      });
  }
}

function agentOf(house: IntentHouse): Runner {
  if (house.runner === null) throw noAgent();
  return house.runner;
}

function notNow(error: NotNow, now: number): WatsError {
  return new WatsError('refused', `no run starts now: ${reasonText(error.because, now)}`);
}
