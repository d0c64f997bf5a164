import { loadSettings, readConfigFile, realPath, saveSettings } from '../config/index.ts';
import { WatsError } from '../errors/index.ts';
import { type Places, prepareDirectory } from '../paths/index.ts';
import {
  askerOf,
  carryOut,
  type Host,
  hostNamed,
  joinPlans,
  type Plan,
  planAgent,
  planNoAgent,
  planRegister,
  planUnregister,
  type Scope,
  standingOf,
  survey,
  versionOf,
} from '../setup/index.ts';
import { nearest, visible } from '../text/index.ts';
import type { Command, Context, Input } from './support/command.ts';
import { asked, isAttended, refuseInsideRun } from './support/person.ts';
import { print, printJson } from './support/print.ts';
import { machineOf, printSurvey, wantedFor } from './support/registration.ts';
import { loadFor, placesFor } from './support/start.ts';

const PROGRAMS = ['claude', 'codex', 'openclaw'];

export const command: Command = {
  usage: [
    'wats setup',
    'wats setup claude|codex [--mcp] [--agent] [--scope user|project] [--about TEXT] [--yes]',
    'wats setup claude|codex --remove [--mcp] [--agent] [--scope user|project] [--yes]',
  ],
  about:
    'Lists the agent programs of this machine, or sets one of them up: registers wats in it, so that your sessions have ' +
    'its tools, and makes it the program that runs your agent. Both, unless you name one half. Nothing happens twice.\n\n' +
    'It shows what it will do and asks. Without a terminal it needs --yes; else it prints what it would do and exits 2.',
  flags: {
    mcp: { type: 'boolean', help: 'only register wats in the program' },
    agent: { type: 'boolean', help: 'only make the program run your agent (agent.runtime)' },
    scope: {
      type: 'string',
      value: 'SCOPE',
      help: 'where Claude Code keeps the registration: user (default), or project for .mcp.json here',
    },
    about: { type: 'string', value: 'TEXT', help: 'what your agent is and can do (agent.about)' },
    remove: { type: 'boolean', help: 'take it back' },
    yes: { type: 'boolean', short: 'y', help: 'do not ask' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const [program, extra] = input.words;
    if (extra !== undefined) throw new WatsError('usage', `there is a word too many: ${extra}`);
    const places = placesFor(input, context);
    if (program === undefined) return list(input, context, places);
    await refuseInsideRun('change what keeps it in check', context);
    const host = hostOf(program);
    const scope = scopeOf(input, host);
    const machine = machineOf(context);
    const ask = askerOf(host.name, machine);
    const halves = halvesOf(input);
    if (halves.mcp && (await versionOf(ask)) === null)
      throw new WatsError('runtime', `${host.title} (${host.name}) is not in PATH`, { fix: host.install });
    const plan = planFor(host, scope, halves, input, context, places);
    return act(plan, host, input, context, places);
  },
};

interface Halves {
  readonly mcp: boolean;
  readonly agent: boolean;
}

async function list(input: Input, context: Context, places: Places): Promise<number> {
  const loaded = loadFor(places, new Map(), context);
  const found = await survey(wantedFor(places.dir, loaded.settings.profile, context), machineOf(context));
  const rows = found.map((each) => ({ ...each, agent: loaded.settings['agent.runtime'] === each.name }));
  if (input.on('json')) printJson(context, rows);
  else printSurvey(rows, context);
  return 0;
}

function hostOf(program: string): Host {
  const host = hostNamed(program);
  if (host !== null) return host;
  const near = nearest(program, PROGRAMS);
  throw new WatsError('usage', `wats cannot set up "${program}"`, {
    fix: near === undefined || near === program ? 'claude or codex' : `did you mean "wats setup ${near}"?`,
  });
}

function scopeOf(input: Input, host: Host): Scope {
  const scope = input.text('scope') ?? 'user';
  if (scope !== 'user' && scope !== 'project')
    throw new WatsError('usage', `there is no scope "${scope}"`, { fix: '--scope user, or --scope project' });
  if (!host.scopes.includes(scope))
    throw new WatsError('usage', `${host.title} has no ${scope} scope`, { fix: 'leave --scope out' });
  return scope;
}

function halvesOf(input: Input): Halves {
  const named = input.on('mcp') || input.on('agent');
  const halves = { mcp: !named || input.on('mcp'), agent: !named || input.on('agent') };
  if (input.on('about') && !halves.agent)
    throw new WatsError('usage', '--about belongs to the agent', { fix: 'leave --mcp out, or add --agent' });
  if (input.on('about') && input.on('remove'))
    throw new WatsError('usage', '--remove takes no --about', { fix: 'wats config set agent.about TEXT' });
  return halves;
}

function planFor(
  host: Host,
  scope: Scope,
  halves: Halves,
  input: Input,
  context: Context,
  places: Places,
): Plan {
  const machine = machineOf(context);
  // What config.toml says: variables of this shell are not what a service will see.
  const stands = loadSettings(
    { flags: new Map(), env: {}, file: readConfigFile(places.config) },
    { ...around(context, places) },
  ).settings;
  const now = { runtime: stands['agent.runtime'], about: stands['agent.about'] ?? '' };
  const { settings } = loadFor(places, new Map(), context);
  const wanted = wantedFor(places.dir, settings.profile, context);
  const plans: Plan[] = [];
  if (halves.mcp)
    plans.push(
      input.on('remove')
        ? planUnregister(host, scope, host.read(scope, machine))
        : planRegister(host, scope, wanted, standingOf(host, scope, wanted, machine), machine),
    );
  if (halves.agent)
    plans.push(input.on('remove') ? planNoAgent(host, now) : planAgent(host, input.text('about'), now));
  return joinPlans(plans);
}

async function act(plan: Plan, host: Host, input: Input, context: Context, places: Places): Promise<number> {
  const json = input.on('json');
  const say = (text: string): void => {
    if (!json) print(context.stdout, visible(text, 'line'));
  };
  for (const fact of plan.already) say(`  ${fact} already`);
  for (const { will } of plan.steps) say(`- ${will}`);
  for (const warning of plan.warnings) print(context.stderr, `! ${visible(warning, 'line')}`);
  const did: string[] = [];
  if (plan.steps.length > 0) {
    if (!input.on('yes') && !(await agreed(context))) {
      say('nothing was changed');
      return 1;
    }
    await carryOut(plan, host, {
      ask: askerOf(host.name, machineOf(context)),
      save(changes) {
        prepareDirectory(places, context.uid);
        saveSettings(places.config, changes, around(context, places));
      },
      onDid(step) {
        did.push(step.did);
        say(`✓ ${step.did}`);
      },
    });
    if (plan.steps.some((step) => step.do === 'setting'))
      say('  a running daemon takes the settings up when it is restarted');
  } else say('nothing to do');
  for (const line of plan.advice) say(line);
  if (json) printJson(context, { did, already: plan.already, warnings: plan.warnings, advice: plan.advice });
  return 0;
}

/** @throws WatsError `usage` where nobody can be asked */
async function agreed(context: Context): Promise<boolean> {
  if (!isAttended(context))
    throw new WatsError('usage', 'nothing was changed: without a terminal this needs --yes', {
      fix: 'the same command with --yes',
    });
  return asked('do it?', 'yes', context);
}

function around(context: Context, places: Places) {
  return {
    user: context.user,
    home: context.home,
    cwd: context.cwd,
    suggest: nearest,
    dataDir: places.dir,
    realPath,
  };
}
