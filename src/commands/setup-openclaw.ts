import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Settings } from '../config/index.ts';
import { WatsError } from '../errors/index.ts';
import { prepareDirectory } from '../paths/index.ts';
import { usableToken } from '../runtimes/index.ts';
import { openclaw } from '../setup/index.ts';
import { visible } from '../text/index.ts';
import type { Command, Context, Input } from './support/command.ts';
import {
  agentEntry,
  dockerAnswers,
  gatewayAt,
  line,
  lookAt,
  runnerIsThere,
  settingsFor,
} from './support/openclaw.ts';
import { type House, removeFrom, saver, standing } from './support/openclaw-removal.ts';
import { asked, isAttended, refuseInsideRun } from './support/person.ts';
import { print } from './support/print.ts';
import { wantedFor } from './support/registration.ts';
import { loadFor, placesFor } from './support/start.ts';

export const command: Command = {
  usage: [
    'wats setup openclaw [--mcp] [--agent] [--apply|--print] [--url URL] [--token-file FILE] [--about TEXT] [--yes]',
    'wats setup openclaw --remove [--mcp] [--agent] [--yes]',
  ],
  about:
    'Sets up OpenClaw through its own command line: --mcp gives your own agents there the swarm tools, --agent makes an agent ' +
    'there that wats forwards wakes to. Both, unless you name one. Nothing happens twice.\n\n' +
    'It shows the change and asks whether to apply it or to print it for you to paste. Without a terminal it prints, unless ' +
    '--apply is there. Before the first change OpenClaw’s settings are copied; whatever fails puts them back.',
  flags: {
    mcp: { type: 'boolean', help: 'only register wats for your own agents' },
    agent: { type: 'boolean', help: 'only make the agent that wakes are forwarded to' },
    apply: { type: 'boolean', help: 'make the change' },
    print: { type: 'boolean', help: 'print it, to be made by hand' },
    url: { type: 'string', value: 'URL', help: 'the gateway (default: agent.openclaw_url)' },
    'token-file': {
      type: 'string',
      value: 'FILE',
      help: 'the hook token that OpenClaw has already, when its hooks are in use',
    },
    about: { type: 'string', value: 'TEXT', help: 'what your agent is and can do (agent.about)' },
    sandbox: { type: 'boolean', help: 'put the agent’s own tools into Docker as well' },
    'idle-ttl': { type: 'boolean', help: 'end idle MCP processes after 10 minutes, of all your agents' },
    remove: { type: 'boolean', help: 'take back what setup changed' },
    yes: { type: 'boolean', short: 'y', help: 'do not ask' },
  },
  async run(input, context) {
    const extra = input.words[0];
    if (extra !== undefined) throw new WatsError('usage', `there is a word too many: ${extra}`);
    if (input.on('apply') && input.on('print'))
      throw new WatsError('usage', '--apply and --print exclude one another');
    await refuseInsideRun('change what keeps it in check', context);
    const places = placesFor(input, context);
    const named = input.on('mcp') || input.on('agent');
    const halves = { mcp: !named || input.on('mcp'), agent: !named || input.on('agent') };
    const cli = openclaw.openclawCli(context.env, context.cwd);
    const ours = openclaw.tokenIn(openclaw.tokenFiles(places.openclaw).hooks);
    const facts = await openclaw.lookAtOpenclaw(cli, context.env, ours, (what) => {
      if (context.stderr.isTTY) print(context.stderr, `looking at OpenClaw’s ${what} …`);
    });
    if (input.on('remove')) return removeFrom({ input, context, places, halves, cli, facts });
    return setUp({ input, context, places, halves, cli, facts, ours });
  },
};

async function setUp(house: House & { readonly ours: string | null }): Promise<number> {
  const { input, context, places, halves, facts, ours } = house;
  const { settings } = loadFor(places, new Map(), context);
  const attended = isAttended(context) && !input.on('yes');
  const url = halves.agent ? await urlOf(house, settings, attended) : settings['agent.openclaw_url'];
  const gateway = gatewayAt(url, settings['agent.openclaw_insecure_ok']);
  const look = lookAt(gateway);
  const given = halves.agent && facts.token === 'foreign' ? await givenToken(house, look) : null;
  const fresh = halves.agent && facts.token === 'none' ? (ours ?? openclaw.newToken()) : null;
  const files = openclaw.tokenFiles(places.openclaw);
  const id = settings['agent.openclaw_agent'];
  const wishes: openclaw.Wishes = {
    mcp: halves.mcp ? wantedFor(places.dir, settings.profile, context) : null,
    agent: halves.agent
      ? {
          id,
          entry: agentEntry(places, context),
          access: settings['agent.access'],
          workspace: join(dirname(facts.configPath), `workspace-${id}`),
          newToken: fresh,
        }
      : null,
    choices: await choicesOf(house, attended),
  };
  const plan = openclaw.planOpenclaw(facts, wishes);
  const stands = standing(context, places);
  const changes = halves.agent ? settingsFor(url, input.text('about'), stands) : [];
  const say = (text: string): void => print(context.stdout, visible(text, 'block'));
  const warn = (text: string): void => print(context.stderr, `! ${visible(text, 'line')}`);

  for (const fact of plan.already) say(`  ${fact} already`);
  const patched = Object.keys(plan.patch).length > 0;
  if (patched) say(`- change OpenClaw’s settings (${facts.configPath}):\n${openclaw.shownPatch(plan)}`);
  if (plan.mcpSet !== null) say('- register wats in OpenClaw for your own agents');
  for (const { key, text } of changes) say(`- set ${key} to ${JSON.stringify(text)}`);
  for (const text of [...plan.warnings, ...spoken(house, wishes, settings)]) warn(text);
  if (facts.unwritable !== null && (patched || plan.mcpSet !== null))
    warn(`${facts.unwritable}: the change is printed`);

  const mode = facts.unwritable !== null ? 'print' : await modeOf(input, attended, context);
  if (mode === 'print') {
    const tokenFile = files.hooks;
    say(
      `\n${openclaw.manualSteps(plan, { configPath: facts.configPath, tokenFile, newToken: fresh !== null, settings: changes })}`,
    );
    if (halves.agent) keepTokens(house, fresh ?? given ?? ours);
    return 0;
  }
  if (halves.agent && settings['agent.openclaw_budget'] === 'managed') await agreeManaged(input, context);
  prepareDirectory(places, context.uid);
  await openclaw.applyOpenclaw(
    {
      facts,
      plan,
      wishes,
      dir: places.openclaw,
      hookToken: fresh ?? given ?? ours,
      runnerToken: openclaw.tokenIn(files.runner) ?? openclaw.newToken(),
      settings: changes,
    },
    {
      cli: house.cli,
      gateway: look,
      save: (list) => saver(context, places)(list),
      now: context.now,
      onDid: (text) => say(`✓ ${text}`),
      onWarning: warn,
      runnerIsThere: () => runnerIsThere(places),
    },
  );
  if (changes.length > 0) say('  a running daemon takes the settings up when it is restarted');
  return 0;
}

async function urlOf({ input, context }: House, settings: Settings, attended: boolean): Promise<string> {
  const given = input.text('url');
  if (given !== undefined) return given;
  const preset = settings['agent.openclaw_url'];
  return attended && !input.on('print') ? line('OpenClaw’s gateway is at', preset, context) : preset;
}

/** The token of hooks that are in use: asked for, tried, never replaced: other senders have it too. */
async function givenToken({ input, context, facts }: House, look: openclaw.GatewayLook): Promise<string> {
  const file = input.text('token-file');
  let text: string | null = null;
  if (file !== undefined) {
    try {
      text = readFileSync(resolve(context.cwd, file), 'utf8');
    } catch (cause) {
      throw new WatsError('usage', `cannot read ${file}`, { fix: '--token-file FILE', cause });
    }
  } else if (isAttended(context))
    text = await line('OpenClaw’s hooks are in use. Their token (hooks.token):', '', context);
  if (text === null)
    throw new WatsError(
      'usage',
      `OpenClaw’s hooks are in use, and their token stays (${facts.configPath}, hooks.token)`,
      {
        fix: 'put that token into a file of mode 0600 and add --token-file FILE',
      },
    );
  const usable = usableToken(text);
  if (!usable.ok) throw new WatsError('usage', usable.message, { fix: usable.fix });
  const found = await look(usable.token);
  if (found.ok || found.is === 'no_hooks') return usable.token;
  throw new WatsError('failed', found.message, {
    fix:
      found.is === 'away'
        ? 'start the gateway first, so that the token can be tried: openclaw gateway run'
        : 'nothing was changed',
  });
}

async function choicesOf(house: House, attended: boolean): Promise<openclaw.Choices> {
  const { input, context, facts, halves } = house;
  const choices = {
    restrictAgents: false,
    restrictKeys: false,
    idleTtl: input.on('idle-ttl'),
    sandbox: input.on('sandbox'),
  };
  if (!halves.agent) return choices;
  if (choices.sandbox && !(await dockerAnswers(context)))
    throw new WatsError('failed', 'no Docker engine answers here, and OpenClaw’s sandbox needs one', {
      fix: 'leave --sandbox out: the agent’s allow list holds it to the wats tools',
    });
  if (!attended || input.on('print')) return choices;
  const docker = !choices.sandbox && (await dockerAnswers(context));
  for (const { choice, text } of openclaw.questionsOf(facts, docker))
    if (!choices[choice]) choices[choice] = await asked(text, choice === 'idleTtl' ? 'yes' : 'no', context);
  return choices;
}

/** What a person should know besides. */
function spoken({ halves }: House, { agent, choices }: openclaw.Wishes, settings: Settings): string[] {
  if (!halves.agent || agent === null) return [];
  const lines = [
    settings['agent.openclaw_budget'] === 'read'
      ? 'OpenClaw reports no cost of a run. wats reads what its agent spent before each forward (openclaw gateway usage-cost), so your day and month budgets hold as a lower bound; a limit at the provider holds better'
      : 'OpenClaw reports no cost of a run, and wats does not read it: only the number of runs is limited. Set a spend limit in OpenClaw or at the provider',
  ];
  if (!choices.sandbox && agent.access !== 'inherit')
    lines.push(
      'the agent has no sandbox: its allow list alone holds it to the wats tools, and what it denies stays denied',
    );
  return lines;
}

async function modeOf(input: Input, attended: boolean, context: Context): Promise<'apply' | 'print'> {
  if (input.on('apply')) return 'apply';
  if (input.on('print') || !attended) return 'print';
  const answer = await line('[A] apply it (recommended), or [M] print it for you to paste?', 'A', context);
  return /^m/i.test(answer) ? 'print' : 'apply';
}

async function agreeManaged(input: Input, context: Context): Promise<void> {
  if (input.on('yes')) return;
  if (
    isAttended(context) &&
    (await asked(
      'OpenClaw alone holds your budget (agent.openclaw_budget = "managed"). Is that so?',
      'no',
      context,
    ))
  )
    return;
  throw new WatsError(
    'usage',
    'agent.openclaw_budget = "managed" leaves the dollars to OpenClaw, which has to be confirmed',
    {
      fix: 'add --yes, or: wats config set agent.openclaw_budget read',
    },
  );
}

/** What is printed names these files; a person puts the first one's text where the gateway finds it. */
function keepTokens({ context, places }: House, hooks: string | null): void {
  prepareDirectory(places, context.uid);
  openclaw.keepTokens(places.openclaw, hooks);
}
