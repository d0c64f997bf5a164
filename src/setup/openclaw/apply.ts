import { setTimeout as pause } from 'node:timers/promises';
import { isWatsError, WatsError } from '../../errors/index.ts';
import { sameEntry, toEntry } from '../entry.ts';
import { type Backup, backUp } from './backup.ts';
import { isObject, jsonOf, type OpenclawCli, whyOf } from './cli.ts';
import type { OpenclawFacts } from './facts.ts';
import { inverse, type Patch } from './merge.ts';
import { AGENT_SERVER, type OpenclawPlan, type Wishes } from './plan.ts';
import { grown, readRecord, withoutToken } from './record.ts';
import { tokenFiles, writePrivate } from './tokens.ts';
import { type Workspace, writeWorkspace } from './workspace.ts';

/** What a look at the gateway says of a token, and of no other one: nothing runs, nothing is paid. */
export type GatewayLook = (
  token: string,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly is: string; readonly message: string }>;

export interface ApplyHands {
  readonly cli: OpenclawCli;
  readonly gateway: GatewayLook;
  /** Changes config.toml, all or nothing. @throws WatsError `setting`, `storage` */
  readonly save: (changes: readonly { readonly key: string; readonly text: string | null }[]) => void;
  readonly now: () => number;
  /** What was done, one sentence each. */
  readonly onDid: (text: string) => void;
  readonly onWarning: (text: string) => void;
  /** The socket of the forwarded agent answers: a daemon is there to try its MCP entry with. */
  readonly runnerIsThere: () => Promise<boolean>;
  /** How long a gateway may take to read its settings anew, ms. */
  readonly reloadMs?: number;
}

export interface ApplyOptions {
  readonly facts: OpenclawFacts;
  readonly plan: OpenclawPlan;
  readonly wishes: Wishes;
  /** Where tokens and the record of setup are kept, absolute. */
  readonly dir: string;
  /** The hook token in use after this: a new one, the one made before, or the person's own. */
  readonly hookToken: string | null;
  readonly runnerToken: string;
  readonly settings: readonly { readonly key: string; readonly text: string | null }[];
}

const RELOAD_MS = 30_000;
const LOOK_AGAIN_MS = 500;
/** What OpenClaw shows in place of a secret. */
export const REDACTED = '__OPENCLAW_REDACTED__';

/**
 * Carries a plan out: dry run, backup, patch, validation, a look at the gateway. Whatever fails from the first write on
 * puts OpenClaw's settings back as they were, and says so.
 *
 * @throws WatsError `runtime`, `failed`, `setting`, `storage`
 */
export async function applyOpenclaw(options: ApplyOptions, hands: ApplyHands): Promise<void> {
  const { facts, plan, wishes } = options;
  const undo: (() => void)[] = [];
  const patched = Object.keys(plan.patch).length > 0;
  let backup: Backup | null = null;
  try {
    if (wishes.agent !== null) undo.push(...writeFiles(options, hands));
    if (patched) await dryRun(plan, hands.cli);
    if (patched || plan.mcpSet !== null) {
      backup = backUp(facts.configPath, hands.now());
      if (backup.path !== null) hands.onDid(`copied OpenClaw’s settings to ${backup.path}`);
    }
    if (patched) {
      await must(hands.cli, ['config', 'patch', '--stdin'], JSON.stringify(plan.patch));
      hands.onDid('changed OpenClaw’s settings as shown');
    }
    if (plan.mcpSet !== null) await register(plan.mcpSet, hands);
    if (backup !== null) await must(hands.cli, ['config', 'validate', '--json']);
    await checkEntries(options, hands);
    if (wishes.agent !== null && options.hookToken !== null)
      await checkGateway(options.hookToken, patched, hands);
    // Last, and all or nothing: what fails before leaves config.toml as it was.
    if (options.settings.length > 0) hands.save(options.settings);
    for (const { key, text } of options.settings) hands.onDid(`${text === null ? 'unset' : 'set'} ${key}`);
  } catch (error) {
    for (const back of undo.reverse()) attempt(back);
    throw backup === null ? error : restored(error, backup);
  }
}

function writeFiles(options: ApplyOptions, { onDid, onWarning }: ApplyHands): (() => void)[] {
  const { facts, plan, wishes, dir } = options;
  const { agent } = wishes;
  if (agent === null) return [];
  const files = tokenFiles(dir);
  const undo: (() => void)[] = [];
  const old = readRecord(files.record);
  const applied = withoutToken(plan.patch, REDACTED);
  const { ownership } = facts.current.agents;
  if (options.hookToken !== null) undo.push(writePrivate(files.hooks, `${options.hookToken}\n`));
  undo.push(writePrivate(files.runner, `${options.runnerToken}\n`));
  if (Object.keys(applied).length > 0 || old === null) {
    const now = {
      configPath: facts.configPath,
      agentId: agent.id,
      workspace: agent.workspace,
      applied,
      back: inverse(present(facts), applied),
      ownership: typeof ownership === 'string' ? ownership : null,
    };
    undo.push(writePrivate(files.record, `${JSON.stringify(grown(old, now), null, 2)}\n`));
  }
  if (agent.access !== 'inherit') {
    const workspace: Workspace = writeWorkspace(agent.workspace);
    undo.push(workspace.undo);
    for (const path of workspace.kept)
      onWarning(`${path} is your own and was left alone; see docs/openclaw.md`);
    onDid(`wrote the agent’s standing orders to ${agent.workspace}`);
  }
  return undo;
}

/** What was there at all: an empty part and none are the same to OpenClaw, and go again as a whole. */
function present({ current }: OpenclawFacts): Patch {
  return Object.fromEntries(Object.entries(current).filter(([, part]) => Object.keys(part).length > 0));
}

async function dryRun(plan: OpenclawPlan, cli: OpenclawCli): Promise<void> {
  const args = ['config', 'patch', '--stdin', '--dry-run', '--json'];
  const answer = await cli.run(args, JSON.stringify(plan.patch));
  if (answer?.code === 0) return;
  throw new WatsError(
    'failed',
    `OpenClaw would not take the change: ${answer === null ? 'it is gone' : whyOf(answer)}`,
    { fix: 'nothing was changed; --print shows the change, to make it where OpenClaw’s settings are kept' },
  );
}

async function register(entry: NonNullable<OpenclawPlan['mcpSet']>, hands: ApplyHands): Promise<void> {
  const { command, args, env } = entry;
  const value = { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
  await must(hands.cli, ['mcp', 'set', 'wats', JSON.stringify(value)]);
  hands.onDid('registered wats in OpenClaw for your own agents');
}

/** That the entries stand there as they were written, and that their servers start. */
async function checkEntries({ plan, wishes }: ApplyOptions, hands: ApplyHands): Promise<void> {
  const { cli } = hands;
  if (wishes.mcp !== null && plan.mcpSet !== null) {
    const shown = toEntry(jsonOf(await must(cli, ['mcp', 'show', 'wats', '--json'])));
    if (shown === null || !sameEntry(shown, wishes.mcp))
      throw new WatsError('failed', 'OpenClaw does not show the entry that was registered');
    await tryServer('wats', cli);
  }
  if (wishes.agent === null) return;
  if (await hands.runnerIsThere()) await tryServer(AGENT_SERVER, cli);
  else
    hands.onWarning(
      `the agent’s MCP server could not be tried: no daemon forwards yet. Start wats, then: openclaw mcp probe ${AGENT_SERVER}`,
    );
}

async function tryServer(name: string, cli: OpenclawCli): Promise<void> {
  const answer = await must(cli, ['mcp', 'probe', name, '--json']);
  const value = jsonOf(answer);
  const tools = isObject(value) && Array.isArray(value['tools']) ? value['tools'] : [];
  if (tools.length === 0)
    throw new WatsError('failed', `OpenClaw starts the MCP server ${name} and finds no tools in it`, {
      fix: `openclaw mcp probe ${name}`,
    });
}

/** A gateway that runs reads its settings anew within seconds; one that does not run is looked at when wats starts. */
async function checkGateway(token: string, patched: boolean, hands: ApplyHands): Promise<void> {
  const until = hands.now() + (patched ? (hands.reloadMs ?? RELOAD_MS) : 0);
  for (;;) {
    const look = await hands.gateway(token);
    if (look.ok) return hands.onDid('the gateway takes wakes with this token, and with no other');
    if (look.is === 'away')
      return hands.onWarning(
        'the gateway does not run, so that it could not be asked. Start it, then run this again: it checks, and changes nothing twice',
      );
    // The literal of a template is no matter of time: it is known to everybody until somebody sets the variable.
    if (look.is === 'template_token' || hands.now() >= until)
      throw new WatsError('failed', look.message, {
        fix: 'openclaw logs says what the gateway made of its settings',
      });
    await pause(LOOK_AGAIN_MS);
  }
}

async function must(cli: OpenclawCli, args: readonly string[], input?: string) {
  const answer = await cli.run(args, input);
  if (answer?.code === 0) return answer;
  throw new WatsError(
    'runtime',
    `openclaw ${args.slice(0, 3).join(' ')} failed: ${answer === null ? 'it is gone' : whyOf(answer)}`,
  );
}

function restored(error: unknown, backup: Backup): WatsError {
  const what = isWatsError(error) ? error.message : error instanceof Error ? error.message : String(error);
  const code = isWatsError(error) ? error.code : 'failed';
  const fix = isWatsError(error) && error.fix !== undefined ? { fix: error.fix } : {};
  try {
    backup.restore();
  } catch (cause) {
    return new WatsError('failed', `${what}. OpenClaw’s settings could not be put back`, {
      fix: backup.path === null ? 'remove its settings file by hand' : `copy ${backup.path} back by hand`,
      cause,
    });
  }
  return new WatsError(code, `${what}. OpenClaw’s settings are as they were before`, {
    ...fix,
    cause: error,
  });
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // What is told is the failure that made this necessary; a file of ours too many is mended by the next setup.
  }
}
