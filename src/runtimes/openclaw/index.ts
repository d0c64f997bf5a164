import type { Rejoined, Runtime } from '../contract.ts';
import type { OpenclawDeps } from './ports.ts';

export { openclawAsker } from './ask.ts';
export { bodyOf, storedKeyOf } from './payload.ts';
export type {
  AskOpenclaw,
  Gateway,
  KeptRequest,
  OpenclawDeps,
  RequestBook,
  SpendRule,
  Waits,
} from './ports.ts';
export { type GatewayProbe, probeGateway } from './probe.ts';
export { TEMPLATE_TOKEN, usableToken } from './token.ts';

import { probeOpenclaw } from './probe.ts';
import { ForwardSession } from './session.ts';

/**
 * OpenClaw as the node's agent: a wake is forwarded to its gateway instead of spawning a program (design page 5). The
 * gateway has the model and the credentials; its MCP child attaches to `openclaw/runner.sock`.
 */
export function openclawRuntime(deps: OpenclawDeps): Runtime {
  const desk = { ...deps, deferred: { inRow: 0 } };
  return {
    name: 'openclaw',
    oneThreadPerRun: true,
    sees: { output: false, tokens: false, turns: false },
    probe: (signal) => probeOpenclaw(deps, signal),
    open: async (spec, signal) => new ForwardSession(spec, desk, signal),
    rejoin(run, signal): Rejoined | null {
      const kept = deps.requests.of(run.runId);
      if (kept === null || kept.sentAt === null) return null;
      // Its transcript ended with the daemon that wrote it.
      const spec = { ...run, model: null, timeoutMs: kept.timeoutMs, onLine: () => {} };
      const session = new ForwardSession(spec, desk, signal);
      return {
        ended: session.rejoin(kept),
        interrupt: (outcome) => session.interrupt(outcome),
      };
    },
  };
}
