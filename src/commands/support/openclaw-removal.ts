import { loadSettings, readConfigFile, realPath, type Settings, saveSettings } from '../../config/index.ts';
import { WatsError } from '../../errors/index.ts';
import { type Places, prepareDirectory } from '../../paths/index.ts';
import { openclaw } from '../../setup/index.ts';
import { nearest, visible } from '../../text/index.ts';
import type { Context, Input } from './command.ts';
import { asked, isAttended } from './person.ts';
import { print } from './print.ts';

/** The settings that setup makes for OpenClaw. */
const OURS = ['agent.runtime', 'agent.openclaw_url'] as const;

/** What a setup of OpenClaw is about, once it was looked at. */
export interface House {
  readonly input: Input;
  readonly context: Context;
  readonly places: Places;
  readonly halves: { readonly mcp: boolean; readonly agent: boolean };
  readonly cli: openclaw.OpenclawCli;
  readonly facts: openclaw.OpenclawFacts;
}

/** Takes back what setup changed, after a person agreed. */
export async function removeFrom(house: House): Promise<number> {
  const { input, context, places, halves, facts } = house;
  if (facts.unwritable !== null)
    throw new WatsError('failed', facts.unwritable, {
      fix: 'take wats out where OpenClaw’s settings are kept',
    });
  const stands = standing(context, places);
  const forwarding = stands['agent.runtime'] === 'openclaw';
  const plan = openclaw.planRemoval(facts, {
    ...halves,
    dir: places.openclaw,
    settings: halves.agent
      ? OURS.filter((key) => (key === 'agent.runtime' ? forwarding : isSet(places, key)))
      : [],
  });
  const say = (text: string): void => print(context.stdout, visible(text, 'block'));
  const warn = (text: string): void => print(context.stderr, `! ${visible(text, 'line')}`);
  for (const fact of plan.already) say(`  ${fact}`);
  for (const name of plan.servers) say(`- remove the MCP server ${name} from OpenClaw`);
  if (Object.keys(plan.patch).length > 0)
    say(`- take back what setup changed in OpenClaw’s settings:\n${JSON.stringify(plan.patch, null, 2)}`);
  if (plan.agentId !== null)
    say(`- delete OpenClaw’s agent ${plan.agentId}, with its conversations and its workspace`);
  for (const { key } of plan.settings) say(`- unset ${key}`);
  for (const text of plan.warnings) warn(text);
  if (!input.on('yes')) {
    if (!isAttended(context))
      throw new WatsError('usage', 'nothing was changed: without a terminal this needs --yes', {
        fix: 'the same command with --yes',
      });
    if (!(await asked('do it?', 'yes', context))) {
      say('nothing was changed');
      return 1;
    }
  }
  await openclaw.removeOpenclaw(facts, plan, {
    cli: house.cli,
    save: saver(context, places),
    now: context.now,
    onDid: (text) => say(`✓ ${text}`),
    onWarning: warn,
  });
  return 0;
}

/** Changes config.toml, all or nothing. */
export function saver(context: Context, places: Places) {
  return (changes: readonly { readonly key: string; readonly text: string | null }[]): void => {
    prepareDirectory(places, context.uid);
    saveSettings(places.config, changes, around(context, places));
  };
}

/** What config.toml says: variables of this shell are not what a service will see. */
export function standing(context: Context, places: Places): Settings {
  return loadSettings(
    { flags: new Map(), env: {}, file: readConfigFile(places.config) },
    around(context, places),
  ).settings;
}

function isSet(places: Places, key: string): boolean {
  return readConfigFile(places.config)?.text.includes(key.split('.')[1] ?? key) ?? false;
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
