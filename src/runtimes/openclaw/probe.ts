import type { AccessStatement, Probe } from '../contract.ts';
import { type Knock, knock } from './look.ts';
import type { Gateway, OpenclawDeps } from './ports.ts';
import { readinessOf } from './readiness.ts';
import { waitsOf } from './session.ts';
import { TEMPLATE_TOKEN, usableToken } from './token.ts';

/** What a look at a gateway found, before anything is forwarded. */
export type GatewayProbe =
  | { readonly ok: true }
  | { readonly ok: false; readonly is: Knock['is'] | 'template_token'; readonly message: string };

/**
 * Whether the gateway takes wakes with this token and with no other: the right one is welcome, none and the literal of
 * an environment template are not. Runs nothing and costs nothing.
 */
export async function probeGateway(
  gateway: Gateway,
  token: string,
  withinMs: number,
  signal: AbortSignal,
): Promise<GatewayProbe> {
  const literal = await knock(gateway, TEMPLATE_TOKEN, withinMs, signal);
  if (literal.is === 'welcome')
    return {
      ok: false,
      is: 'template_token',
      message: `OpenClaw takes the literal ${TEMPLATE_TOKEN} as its hook token: the variable is not set where the gateway runs, and everybody knows that text. Set it there, or put the token itself into hooks.token.`,
    };
  // Last, since a right token also forgives the wrong one before it.
  const answer = await knock(gateway, token, withinMs, signal);
  const problem = readinessOf(answer);
  return problem === null ? { ok: true } : { ok: false, is: answer.is, message: problem.message };
}

export async function probeOpenclaw(deps: OpenclawDeps, signal: AbortSignal): Promise<Probe> {
  const usable = usableToken(deps.token());
  const found = usable.ok
    ? await probeGateway(deps.gateway, usable.token, waitsOf(deps).lookMs, signal)
    : ({ ok: false, is: 'unknown_token', message: `${usable.message} ${usable.fix}` } as const);
  const answered = found.ok || (found.is !== 'away' && usable.ok);
  const said = found.ok ? null : sentences(found.message);
  return {
    found: answered,
    path: deps.gateway.origin,
    version: null,
    loggedIn: found.ok ? true : found.is === 'unknown_token' || found.is === 'throttled' ? false : null,
    problem: said,
    reportsCost: false,
    enforces: enforced(deps),
  };
}

/** The last sentence of a message is what to do about it. */
function sentences(message: string): { readonly message: string; readonly fix: string } {
  const at = message.lastIndexOf('. ');
  if (at === -1) return { message: message.replace(/\.$/, ''), fix: 'wats setup openclaw --agent' };
  return { message: message.slice(0, at), fix: message.slice(at + 2) };
}

function enforced({ agentId, spend }: OpenclawDeps): Probe['enforces'] {
  const money =
    spend.by === 'openclaw'
      ? ['dollars: the budget is managed by OpenClaw; wats only counts runs']
      : ['dollars hold as a lower bound: OpenClaw’s own figures are read before each forward'];
  const gateway = ['OpenClaw runs the turn: wats sees no output, no tokens and no turns of it'];
  const of = (opens: string, unguarded: readonly string[]): AccessStatement => ({
    opens: [opens],
    unguarded: [...unguarded, ...gateway, ...money],
  });
  return {
    locked: of(`OpenClaw’s agent ${agentId}: the wats tools, by its own allow list`, []),
    workspace: of(`OpenClaw’s agent ${agentId}: the wats tools, and what its allow list adds`, [
      `what OpenClaw’s agent ${agentId} may use besides is set in OpenClaw`,
    ]),
    inherit: of(`OpenClaw’s agent ${agentId}, with everything that it has there`, [
      'posts of strangers reach an agent with your own tools and accounts',
    ]),
  };
}
