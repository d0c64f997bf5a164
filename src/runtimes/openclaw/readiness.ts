import type { Told } from './forward.ts';
import type { Knock } from './look.ts';
import { resetOf, type SpendVerdict } from './spend.ts';

export type Finding =
  | Knock
  | { readonly is: 'spend'; readonly verdict: SpendVerdict; readonly agentId: string; readonly now: number };

const SETUP = 'wats setup openclaw --agent';

/** Why nothing is forwarded now, with the fix; `null` when it may be. */
export function readinessOf(finding: Finding): Told | null {
  switch (finding.is) {
    case 'welcome':
      return null;
    case 'unknown_token':
      return no('auth', `OpenClaw does not know this hook token. ${SETUP}`);
    case 'throttled':
      return no(
        'auth',
        `OpenClaw refuses this machine for a minute: too many wrong hook tokens. ${SETUP}`,
        finding.retryAfterMs,
      );
    case 'no_hooks':
      return no(
        'config',
        `Nothing takes wakes at that address (${finding.status}): OpenClaw’s hooks are off, or have another path. ${SETUP}`,
      );
    case 'redirects':
      return no(
        'config',
        'The address answers with a redirect, which wats does not follow. Look at agent.openclaw_url.',
      );
    case 'stranger':
      return no(
        'config',
        `What answers at that address is no OpenClaw gateway (${finding.status}). Look at agent.openclaw_url.`,
      );
    case 'busy':
      return no('deferred', 'OpenClaw is starting, stopping or full.', finding.retryAfterMs);
    case 'away':
      return no(
        'deferred',
        finding.code === 'EOUTSIDE'
          ? 'The name of the gateway leads out of the private network; nothing was sent.'
          : `OpenClaw’s gateway is not there (${finding.code}). Start it: openclaw gateway run`,
      );
    case 'spend':
      return ofSpend(finding);
    default:
      return finding satisfies never;
  }
}

function ofSpend({ verdict, agentId, now }: Extract<Finding, { is: 'spend' }>): Told | null {
  switch (verdict.kind) {
    case 'go':
      return null;
    case 'unread':
      return no(
        'config',
        `What OpenClaw’s agent ${agentId} spent cannot be read (openclaw gateway usage-cost), so nothing is forwarded. Put openclaw in the daemon’s PATH, or set agent.openclaw_budget = "managed" and limits in OpenClaw.`,
      );
    case 'unpriced':
      return no(
        'config',
        `OpenClaw knows no price for the model of ${verdict.turns} of this month’s turns of ${agentId}, so its budget cannot hold and nothing is forwarded. Give the model a cost in OpenClaw, or set agent.openclaw_budget = "managed".`,
      );
    case 'spent':
      return no(
        'deferred',
        `The ${verdict.window} budget is spent: OpenClaw counts ${dollars(verdict.saw)} of ${dollars(verdict.limit)} for ${agentId}.`,
        resetOf(verdict.window, now) - now,
      );
    default:
      return verdict satisfies never;
  }
}

function dollars(microUsd: number): string {
  return `$${(microUsd / 1e6).toFixed(2)}`;
}

function no(outcome: Told['outcome'], message: string, retryAfterMs: number | null = null): Told {
  return { outcome, message, retryAfterMs, lookUp: false };
}
