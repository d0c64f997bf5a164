import { WatsError } from '../../errors/index.ts';
import { type Entry, sameEntry } from '../entry.ts';
import { isObject, type Json } from './cli.ts';
import type { OpenclawFacts } from './facts.ts';
import { differing, type Patch, union } from './merge.ts';
import { hooksAfter, startProblem } from './start-checks.ts';

/** The MCP server of the forwarded agent; a person's own sessions have `wats`. */
export const AGENT_SERVER = 'wats-agent';
export const AGENT_TOOLS = `${AGENT_SERVER}__*`;
/** How the agent that setup makes is named: by that it is known again. */
export const AGENT_NAME = 'wats (swarm)';
const DENIED = ['exec', 'process', 'write', 'edit', 'apply_patch', 'browser', 'message'];
const PREFIX = 'wats:';
const IDLE_TTL_MS = 600_000;

/** What a person decides where both answers are right. */
export interface Choices {
  /** Add `hooks.allowedAgentIds` to hooks that may reach every agent today. */
  readonly restrictAgents: boolean;
  /** Add `hooks.allowedSessionKeyPrefixes` to hooks whose callers may name any conversation today. */
  readonly restrictKeys: boolean;
  /** Set `mcp.sessionIdleTtlMs`, which is for every agent. */
  readonly idleTtl: boolean;
  /** Run the agent's own tools in Docker. */
  readonly sandbox: boolean;
}

export interface Wishes {
  /** Register `wats` for the person's own agents. `null`: not asked for. */
  readonly mcp: Entry | null;
  /** Forward wakes to this agent. `null`: not asked for. */
  readonly agent: {
    readonly id: string;
    readonly entry: Entry;
    readonly access: 'locked' | 'workspace' | 'inherit';
    /** Absolute path of the agent's workspace. */
    readonly workspace: string;
    /** The token to write; `null`: the one that stands there is used. */
    readonly newToken: string | null;
  } | null;
  readonly choices: Choices;
}

export interface OpenclawPlan {
  /** For `openclaw config patch`; `{}`: nothing. */
  readonly patch: Patch;
  /** For `openclaw mcp set wats`; `null`: nothing. */
  readonly mcpSet: Entry | null;
  readonly already: readonly string[];
  /** What a person should know before they say yes. */
  readonly warnings: readonly string[];
}

/**
 * What OpenClaw's settings lack. Lists are extended, never replaced; nothing of the person's own is taken away.
 * @throws WatsError `failed` when OpenClaw would not start with the result, or has an agent of that name already
 */
export function planOpenclaw(facts: OpenclawFacts, wishes: Wishes): OpenclawPlan {
  const already: string[] = [];
  const warnings: string[] = [];
  let mcpSet: Entry | null = null;
  if (wishes.mcp !== null) {
    if (facts.servers.wats !== null && sameEntry(facts.servers.wats, wishes.mcp))
      already.push('wats is registered in OpenClaw for your own agents');
    else mcpSet = wishes.mcp;
  }
  if (wishes.agent === null) return { patch: {}, mcpSet, already, warnings };

  const { hooks, agents, mcp } = facts.current;
  const wanted = {
    hooks: hooksOf(facts, wishes, warnings),
    agents: agentsOf(facts, wishes, warnings),
    mcp: mcpOf(facts, wishes),
  };
  const shown = { ...mcp, servers: serversOf(mcp, facts.servers.agent) };
  const patch = differing({ hooks, agents, mcp: shown }, wanted);
  const problem = startProblem(hooksAfter(hooks, patch['hooks']));
  if (problem !== null)
    throw new WatsError('failed', `OpenClaw’s gateway would not start again: ${problem}`, {
      fix: 'mend that in OpenClaw first (openclaw config validate does not look at it)',
    });
  if (Object.keys(patch).length === 0)
    already.push('OpenClaw takes wakes for its agent, and holds it to the wats tools');
  return { patch, mcpSet, already, warnings };
}

function hooksOf({ current, token }: OpenclawFacts, { agent, choices }: Wishes, warnings: string[]): Patch {
  const { hooks } = current;
  const fresh = token === 'none';
  const ids = hooks['allowedAgentIds'];
  const listed = Array.isArray(ids) && !ids.includes('*');
  const out: Record<string, unknown> = { enabled: true, allowRequestSessionKey: true };
  if (fresh) out['token'] = agent?.newToken;
  if (listed || (ids === undefined && (fresh || choices.restrictAgents)))
    out['allowedAgentIds'] = union(ids, [agent?.id ?? '']);
  else if (ids === undefined)
    warnings.push(
      'OpenClaw’s hooks may reach every agent (hooks.allowedAgentIds is unset), and stay so: whoever has the hook token can wake your own',
    );
  const prefixes = hooks['allowedSessionKeyPrefixes'];
  const open = hooks['allowRequestSessionKey'] === true && !Array.isArray(prefixes);
  if (Array.isArray(prefixes) || fresh || !open || choices.restrictKeys)
    out['allowedSessionKeyPrefixes'] = prefixesOf(hooks, prefixes);
  else
    warnings.push(
      'OpenClaw’s hooks take any session key (no hooks.allowedSessionKeyPrefixes), and stay so: each wake is then a conversation of its own',
    );
  if (!fresh && hooks['enabled'] !== true)
    warnings.push('OpenClaw’s hooks are off and will be turned on, with what else is set for them');
  if (!fresh && hooks['allowRequestSessionKey'] !== true)
    warnings.push(
      'other senders of OpenClaw’s hooks may then name a session too (hooks.allowRequestSessionKey)',
    );
  return out;
}

/** Ours, and what the default key of a hook without one needs: its own prefix, which OpenClaw asks for at its start. */
function prefixesOf(hooks: Json, prefixes: unknown): readonly unknown[] {
  const key = hooks['defaultSessionKey'];
  if (typeof key !== 'string' || key === '') return union(prefixes, [PREFIX, 'hook:']);
  const now: readonly unknown[] = Array.isArray(prefixes) ? prefixes : [];
  const covered = [...now, PREFIX].some((one) => typeof one === 'string' && key.startsWith(one));
  return union(prefixes, covered ? [PREFIX] : [PREFIX, key]);
}

function agentsOf(facts: OpenclawFacts, { agent, choices }: Wishes, warnings: string[]): Patch {
  if (agent === null) return {};
  const { agents } = facts.current;
  const entries = isObject(agents['entries']) ? agents['entries'] : {};
  const out: Record<string, unknown> = {};
  for (const id of facts.agentIds) {
    if (id === agent.id) continue;
    const tools = toolsOf(entries[id]);
    // MCP servers are for every agent: only ours may post with the runner's token.
    out[id] = { tools: { deny: union(tools['deny'], [AGENT_TOOLS]) } };
  }
  const heartbeat: Record<string, unknown> = {};
  if (agent.access === 'inherit') {
    if (!facts.agentIds.includes(agent.id))
      throw new WatsError('failed', `OpenClaw has no agent named ${agent.id}`, {
        fix: 'at agent.access = "inherit", agent.openclaw_agent names one of your own: openclaw agents list',
      });
    warnings.push(
      `posts of strangers will reach your own agent ${agent.id}, with every tool and account that it has`,
    );
  } else {
    const own = entries[agent.id];
    if (isObject(own) && own['name'] !== AGENT_NAME)
      throw new WatsError(
        'failed',
        `OpenClaw has an agent named ${agent.id} already, which wats did not make`,
        {
          fix: 'wats config set agent.openclaw_agent OTHER-NAME',
        },
      );
    out[agent.id] = dedicated(own, agent, choices.sandbox);
    Object.assign(heartbeat, heartbeatOf(facts, agent.id, warnings));
  }
  return { ...(Object.keys(heartbeat).length === 0 ? {} : { defaults: { heartbeat } }), entries: out };
}

function dedicated(own: unknown, agent: NonNullable<Wishes['agent']>, sandbox: boolean): Patch {
  const tools = toolsOf(own);
  const allow = agent.access === 'workspace' ? union(tools['allow'], [AGENT_TOOLS]) : [AGENT_TOOLS];
  const denied = union(tools['deny'], DENIED);
  return {
    name: AGENT_NAME,
    workspace: isObject(own) && typeof own['workspace'] === 'string' ? own['workspace'] : agent.workspace,
    skills: [],
    tools: {
      allow,
      // At `workspace` a person takes back what they allow.
      deny: agent.access === 'workspace' && isObject(own) ? (tools['deny'] ?? denied) : denied,
      ...(sandbox ? { sandbox: { tools: { alsoAllow: [AGENT_TOOLS] } } } : {}),
    },
    ...(sandbox ? { sandbox: { mode: 'all', scope: 'agent' } } : {}),
  };
}

/** An agent that is added would beat like the others where the default names nobody: a paid turn every half hour. */
function heartbeatOf({ current, agentIds }: OpenclawFacts, id: string, warnings: string[]): Patch {
  const { agents } = current;
  const defaults = isObject(agents['defaults']) ? agents['defaults'] : {};
  const beat = defaults['heartbeat'];
  const entries = isObject(agents['entries']) ? Object.values(agents['entries']) : [];
  const own = entries.some((entry) => isObject(entry) && entry['heartbeat'] !== undefined);
  if (!isObject(beat) || beat['agentId'] !== undefined || own || /^0/.test(String(beat['every'] ?? '')))
    return {};
  const others = agentIds.filter((other) => other !== id);
  if (others.length === 1) return { agentId: others[0] };
  warnings.push(
    `OpenClaw’s heartbeat names no agent (agents.defaults.heartbeat.agentId), so that ${id} will beat too, at your cost`,
  );
  return {};
}

function mcpOf({ current, servers }: OpenclawFacts, { agent, choices }: Wishes): Patch {
  if (agent === null) return {};
  const { command, args, env } = agent.entry;
  const gone = Object.keys(servers.agent?.env ?? {}).filter((name) => env[name] === undefined);
  const variables = { ...env, ...Object.fromEntries(gone.map((name) => [name, null])) };
  const entry = { command, args, ...(Object.keys(variables).length === 0 ? {} : { env: variables }) };
  const idle = choices.idleTtl && current.mcp['sessionIdleTtlMs'] === undefined;
  return { servers: { [AGENT_SERVER]: entry }, ...(idle ? { sessionIdleTtlMs: IDLE_TTL_MS } : {}) };
}

/** Its environment is blacked out in the settings as a whole. */
function serversOf(mcp: Json, agent: Entry | null): Json {
  const servers = isObject(mcp['servers']) ? mcp['servers'] : {};
  if (agent === null) return servers;
  const { command, args, env } = agent;
  return { ...servers, [AGENT_SERVER]: { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) } };
}

function toolsOf(entry: unknown): Json {
  return isObject(entry) && isObject(entry['tools']) ? entry['tools'] : {};
}

/** What a person has to be asked, where their own setup decides. */
export interface Question {
  readonly choice: keyof Choices;
  readonly text: string;
}

export function questionsOf({ current, token }: OpenclawFacts, docker: boolean): readonly Question[] {
  const { hooks, mcp } = current;
  const asks: Question[] = [];
  if (token !== 'none' && hooks['allowedAgentIds'] === undefined)
    asks.push({
      choice: 'restrictAgents',
      text: 'Your hooks may reach every agent. Limit them to the wats agent? Other senders of your hooks would then be refused.',
    });
  if (
    token !== 'none' &&
    hooks['allowRequestSessionKey'] === true &&
    hooks['allowedSessionKeyPrefixes'] === undefined
  )
    asks.push({
      choice: 'restrictKeys',
      text: 'Your hooks take any session key. Limit them to "wats:" and "hook:"? Without it wats cannot continue a conversation.',
    });
  if (mcp['sessionIdleTtlMs'] === undefined)
    asks.push({
      choice: 'idleTtl',
      text: 'Each conversation keeps an MCP process for ever. End idle ones after 10 minutes (mcp.sessionIdleTtlMs, for all your agents)?',
    });
  if (docker)
    asks.push({
      choice: 'sandbox',
      text: 'Docker answers here. Put the agent’s own tools into a sandbox as well (they are denied to it in any case)?',
    });
  return asks;
}
