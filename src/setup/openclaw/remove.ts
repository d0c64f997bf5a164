import { rmSync } from 'node:fs';
import { WatsError } from '../../errors/index.ts';
import { type Backup, backUp } from './backup.ts';
import { isObject, type Json, type OpenclawCli, whyOf } from './cli.ts';
import type { OpenclawFacts } from './facts.ts';
import { type Patch, takenBack } from './merge.ts';
import { AGENT_NAME, AGENT_SERVER, AGENT_TOOLS } from './plan.ts';
import { readRecord, type SetupRecord } from './record.ts';
import { tokenFiles } from './tokens.ts';
import { clearWorkspace } from './workspace.ts';

export interface RemovePlan {
  /** MCP servers to unset. */
  readonly servers: readonly string[];
  /** The agent to delete; `null`: there is none of ours. */
  readonly agentId: string | null;
  readonly patch: Patch;
  /** `agents.ownership` as it was before setup; `null`: there was none. */
  readonly ownership: string | null;
  readonly workspace: string | null;
  readonly files: readonly string[];
  readonly settings: readonly { readonly key: string; readonly text: null }[];
  readonly already: readonly string[];
  readonly warnings: readonly string[];
}

export interface RemoveWishes {
  readonly mcp: boolean;
  readonly agent: boolean;
  readonly dir: string;
  /** Settings of config.toml that are set for OpenClaw now. */
  readonly settings: readonly string[];
}

/** What of ours is in OpenClaw, as setup recorded it; without a record, what can be told by its name. */
export function planRemoval(facts: OpenclawFacts, wishes: RemoveWishes): RemovePlan {
  const files = tokenFiles(wishes.dir);
  const record = readRecord(files.record);
  const mine = record?.configPath === facts.configPath ? record : null;
  const warnings: string[] = [];
  const already: string[] = [];
  const servers = [
    ...(wishes.mcp && facts.servers.wats !== null ? ['wats'] : []),
    ...(wishes.agent && facts.servers.agent !== null ? [AGENT_SERVER] : []),
  ];
  if (wishes.mcp && facts.servers.wats === null) already.push('wats is not registered in OpenClaw');
  if (!wishes.agent)
    return {
      servers,
      agentId: null,
      patch: {},
      ownership: null,
      workspace: null,
      files: [],
      settings: [],
      already,
      warnings,
    };
  const { agents } = facts.current;
  const entries = isObject(agents['entries']) ? agents['entries'] : {};
  const agentId = Object.entries(entries).find(
    ([id, entry]) =>
      isObject(entry) && entry['name'] === AGENT_NAME && (mine === null || id === mine.agentId),
  )?.[0];
  const patch = mine === null ? byName(facts, warnings) : byRecord(facts, mine, warnings);
  if (agentId === undefined) already.push('OpenClaw has no agent of wats');
  return {
    servers,
    agentId: agentId ?? null,
    patch,
    ownership: mine?.ownership ?? null,
    workspace: mine?.workspace ?? null,
    files: [files.hooks, files.runner, files.record],
    settings: wishes.settings.map((key) => ({ key, text: null })),
    already,
    warnings,
  };
}

function byRecord(facts: OpenclawFacts, record: SetupRecord, warnings: string[]): Patch {
  const { applied, back } = record;
  const hooks = takenBack(facts.current, { hooks: applied['hooks'] ?? {} }, { hooks: back['hooks'] ?? null });
  const agents = agentsBack(facts, record);
  // The servers go by commands of their own.
  const ttl = 'sessionIdleTtlMs';
  const idle = takenBack(
    facts.current.mcp,
    only(inside(applied, 'mcp'), ttl),
    only(inside(back, 'mcp'), ttl),
  );
  return {
    ...keepShared(hooks, facts, record, warnings),
    ...(Object.keys(agents).length === 0 ? {} : { agents }),
    ...(Object.keys(idle).length === 0 ? {} : { mcp: idle }),
  };
}

/**
 * What setup changed for other agents. Never a whole entry: OpenClaw refuses to drop an agent by a patch, and adds to
 * its list by itself when the first one is written there.
 */
function agentsBack({ current }: OpenclawFacts, { applied, back, agentId }: SetupRecord): Patch {
  const now = { defaults: inside(current.agents, 'defaults'), entries: inside(current.agents, 'entries') };
  const ours = inside(applied, 'agents');
  const was = inside(back, 'agents');
  const defaults = takenBack(now.defaults, inside(ours, 'defaults'), inside(was, 'defaults'));
  const entries = Object.keys(inside(ours, 'entries')).flatMap((id) => {
    if (id === agentId) return [];
    const [entry, change, before] = [now.entries, inside(ours, 'entries'), inside(was, 'entries')].map(
      (all) => inside(all, id),
    ) as [Json, Json, Json];
    const patch = takenBack(entry, change, before);
    return Object.keys(patch).length === 0 ? [] : [[id, patch] as const];
  });
  return {
    ...(Object.keys(defaults).length === 0 ? {} : { defaults }),
    ...(entries.length === 0 ? {} : { entries: Object.fromEntries(entries) }),
  };
}

function inside(value: Json, key: string): Json {
  const inner = value[key];
  return isObject(inner) ? inner : {};
}

function only(value: Json, key: string): Json {
  return value[key] === undefined ? {} : { [key]: value[key] };
}

/** Hooks that a person has added to since belong to both: they go on working. */
function keepShared(patch: Patch, facts: OpenclawFacts, record: SetupRecord, warnings: string[]): Patch {
  const { hooks } = patch;
  if (!isObject(hooks) || record.back['hooks'] !== null) return patch;
  const { enabled: _enabled, token: _token, path: _path, allowRequestSessionKey: _keys, ...rest } = hooks;
  const left = Object.keys(facts.current.hooks).filter((key) => hooks[key] !== null);
  warnings.push(
    `OpenClaw’s hooks stay on, with their token: ${left.join(', ')} was added to them since. Turn them off in OpenClaw if nothing needs them`,
  );
  return { ...patch, hooks: rest };
}

/** OpenClaw drops `agents.ownership` with the last agent but one; where a person had set it, it comes back. */
async function giveBackOwnership(
  ownership: string | null,
  cli: OpenclawCli,
  must: (args: readonly string[], input?: string) => Promise<void>,
): Promise<void> {
  if (ownership === null) return;
  const answer = await cli.run(['config', 'get', 'agents.ownership', '--json']);
  if (answer?.code !== 0)
    await must(['config', 'patch', '--stdin'], JSON.stringify({ agents: { ownership } }));
}

/** Without a record: our items out of lists, and nothing that could have been the person's. */
function byName(facts: OpenclawFacts, warnings: string[]): Patch {
  const { agents, hooks } = facts.current;
  const entries = isObject(agents['entries']) ? agents['entries'] : {};
  const denying = Object.entries(entries).flatMap(([id, entry]) => {
    const tools = isObject(entry) && isObject(entry['tools']) ? entry['tools'] : {};
    const deny: readonly unknown[] = Array.isArray(tools['deny']) ? tools['deny'] : [];
    if (!deny.includes(AGENT_TOOLS)) return [];
    const rest = deny.filter((tool) => tool !== AGENT_TOOLS);
    return [[id, { tools: { deny: rest.length === 0 ? null : rest } }] as const];
  });
  if (Object.keys(hooks).length > 0)
    warnings.push('what setup changed in OpenClaw’s hooks is not on record here: they stay as they are');
  return denying.length === 0 ? {} : { agents: { entries: Object.fromEntries(denying) } };
}

export interface RemoveHands {
  readonly cli: OpenclawCli;
  readonly save: (changes: readonly { readonly key: string; readonly text: string | null }[]) => void;
  readonly now: () => number;
  readonly onDid: (text: string) => void;
  readonly onWarning: (text: string) => void;
}

/** Takes it back; whatever fails on the way puts OpenClaw's settings back as they were. @throws WatsError `runtime` */
export async function removeOpenclaw(
  facts: OpenclawFacts,
  plan: RemovePlan,
  hands: RemoveHands,
): Promise<void> {
  const { cli, onDid } = hands;
  const patched = Object.keys(plan.patch).length > 0;
  const changes = plan.servers.length > 0 || plan.agentId !== null || patched;
  let backup: Backup | null = null;
  const must = async (args: readonly string[], input?: string): Promise<void> => {
    const answer = await cli.run(args, input);
    if (answer?.code === 0) return;
    throw new WatsError(
      'runtime',
      `openclaw ${args.slice(0, 3).join(' ')} failed: ${answer === null ? 'it is gone' : whyOf(answer)}`,
    );
  };
  try {
    if (changes) {
      backup = backUp(facts.configPath, hands.now());
      if (backup.path !== null) onDid(`copied OpenClaw’s settings to ${backup.path}`);
    }
    for (const name of plan.servers) {
      await must(['mcp', 'unset', name]);
      onDid(`removed the MCP server ${name} from OpenClaw`);
    }
    if (patched) {
      await must(['config', 'patch', '--stdin'], JSON.stringify(plan.patch));
      onDid('took back what setup changed in OpenClaw’s settings');
    }
    if (plan.agentId !== null) {
      await must(['agents', 'delete', plan.agentId, '--force', '--json']);
      onDid(`deleted OpenClaw’s agent ${plan.agentId}`);
      await giveBackOwnership(plan.ownership, cli, must);
    }
    if (changes) await must(['config', 'validate', '--json']);
  } catch (error) {
    backup?.restore();
    const said = error instanceof Error ? error.message : String(error);
    throw new WatsError('runtime', `${said}. OpenClaw’s settings are as they were before`, { cause: error });
  }
  if (plan.settings.length > 0) {
    hands.save(plan.settings);
    for (const { key } of plan.settings) onDid(`unset ${key}`);
  }
  if (plan.workspace !== null && clearWorkspace(plan.workspace))
    hands.onWarning(`${plan.workspace} holds files that wats did not write, and stays`);
  for (const path of plan.files) rmSync(path, { force: true });
  if (plan.files.length > 0) onDid('removed the tokens');
}
