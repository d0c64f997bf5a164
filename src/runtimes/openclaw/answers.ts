import { z } from 'zod';
import type { Outcome } from '../contract.ts';
import type { Reply } from './http.ts';

export type Answered = Extract<Reply, { is: 'answer' }>;

/** What an answer to `POST /hooks/agent` means. Texts may hold words of the gateway: untrusted. */
export type Meaning =
  | {
      readonly is: 'over';
      readonly outcome: Outcome;
      readonly message: string;
      /** The gateway named how long to wait, ms. */
      readonly retryAfterMs: number | null;
      /** The turn ended badly; OpenClaw's list of sessions may say how. */
      readonly lookUp: boolean;
    }
  /** The gateway takes no session keys from callers: the same again as a conversation of its own. */
  | { readonly is: 'isolate'; readonly why: string }
  /** Nothing ran, and the gateway asks for the same request again. */
  | { readonly is: 'again'; readonly why: string }
  /** Something before the gateway answered in its place: the request may have arrived. */
  | { readonly is: 'lost'; readonly why: string };

const COMPLETED = z.object({
  ok: z.literal(true),
  completion: z.object({ status: z.string(), replyDisposition: z.string().optional() }).optional(),
});
const FAILED = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

/** A refusal of our session key, whatever its reason (reference/openclaw.md, section 3). */
const SESSION_POLICY =
  /^(sessionKey is disabled for |sessionKey must start with |hooks\.allowedSessionKeyPrefixes is required )/;

/** @param isolated the request had no session key already */
export function meaningOf(answer: Answered, isolated: boolean): Meaning {
  const { status } = answer;
  const said = words(answer);
  if (status === 200) return completed(answer);
  if (status >= 300 && status < 400)
    return over('config', 'The address answers with a redirect, which wats does not follow.');
  switch (status) {
    case 400:
      if (!isolated && SESSION_POLICY.test(said)) return { is: 'isolate', why: said };
      return over('config', `OpenClaw refused the wake: ${said}. ${fixOf(said)}`);
    case 401:
    case 403:
      return over('auth', 'OpenClaw does not know this hook token. wats setup openclaw --agent');
    case 429:
      return over(
        'auth',
        'OpenClaw refuses this machine for a minute: too many wrong hook tokens. wats setup openclaw --agent',
        answer.retryAfterMs ?? 60_000,
      );
    case 404:
    case 405:
      return over(
        'config',
        `Nothing takes wakes at that address (${status}): OpenClaw’s hooks are off, or have another path. wats setup openclaw --agent`,
      );
    case 409:
      return { is: 'again', why: said };
    case 413:
      return over('config', 'The wake is too long for OpenClaw, which takes 256 KiB. Shorten HEARTBEAT.md.');
    case 500:
      return { is: 'lost', why: `the address answered ${status}` };
    case 502:
    case 503:
    case 504:
      // In its own words it says that nothing ran; a proxy’s page says nothing of the gateway behind it.
      return failure(answer) === null
        ? { is: 'lost', why: `something before the gateway answered ${status}` }
        : over('deferred', `OpenClaw did not take the wake now: ${said}.`, answer.retryAfterMs);
    default:
      return over('unknown', `OpenClaw answered ${status}, which says nothing of the run.`);
  }
}

/** What says that the gateway is not itself just now; asked a little later, it may answer for the turn. */
const PASSING = new Set([409, 429, 500, 502, 503, 504]);

/**
 * What an answer to a repeated request means. Only the end of its turn says anything of that: whatever is refused now
 * (another token, hooks turned off, a gateway that stops) must not give back a wake that may have been run.
 */
export function meaningOfRepeat(answer: Answered): Meaning {
  if (answer.status === 200) return completed(answer);
  if (PASSING.has(answer.status)) return { is: 'lost', why: `it answers ${answer.status}` };
  return over(
    'unknown',
    `OpenClaw answers ${answer.status} to the repeated request: how the run ended is not known. It is not repeated.`,
  );
}

function completed(answer: Answered): Meaning {
  if (answer.cut)
    return over('unknown', 'The answer was too long to be OpenClaw’s: what became of the run is not known.');
  const read = COMPLETED.safeParse(json(answer.text));
  if (!read.success)
    return over('unknown', 'The answer is not OpenClaw’s: what became of the run is not known.');
  const { completion } = read.data;
  if (completion === undefined)
    return over(
      'unknown',
      'This OpenClaw takes a wake without saying how it ended. Version 2026.9 and later do.',
    );
  const disposition = { visible: 'a closing text', silent: 'no closing text', empty: 'nothing' }[
    completion.replyDisposition ?? ''
  ];
  switch (completion.status) {
    case 'ok':
      return over('ok', `OpenClaw’s turn ended with ${disposition ?? 'no word of what it said'}.`);
    case 'skipped':
      return over('error', 'OpenClaw skipped the turn; its own log says why.');
    case 'error':
      return {
        ...over('error', 'OpenClaw’s turn failed; its own log says why (openclaw logs).'),
        lookUp: true,
      };
    default:
      return over('unknown', 'OpenClaw says of the turn what this wats does not know.');
  }
}

/** What a person changes for a 400, by what OpenClaw said. */
function fixOf(said: string): string {
  if (/^unknown agentId/.test(said)) return 'wats setup openclaw --agent makes that agent.';
  if (/allowedAgentIds/.test(said)) return 'Add the agent to hooks.allowedAgentIds in OpenClaw.';
  if (/model/.test(said)) return 'Look at agent.model: it is OpenClaw’s own name of a model.';
  return 'wats setup openclaw --agent';
}

/** The gateway's own account of why nothing ran; `null` for a page of something else. */
export function failure(answer: Answered): string | null {
  const read = FAILED.safeParse(json(answer.text));
  if (!read.success) return null;
  const { error } = read.data;
  return typeof error === 'string' ? error : error.message;
}

function words(answer: Answered): string {
  const said = failure(answer) ?? answer.text;
  return said.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

function over(
  outcome: Outcome,
  message: string,
  retryAfterMs: number | null = null,
): Extract<Meaning, { is: 'over' }> {
  return { is: 'over', outcome, message, retryAfterMs, lookUp: false };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a page of something else
  }
}
