import { existsSync, realpathSync } from 'node:fs';
import { WatsError } from '../errors/index.ts';
import {
  askerOf,
  carryOut,
  directoryOf,
  HOSTS,
  type Host,
  installedServices,
  joinPlans,
  openclaw,
  type Plan,
  planUnregister,
} from '../setup/index.ts';
import { visible } from '../text/index.ts';
import type { Command, Context, Input } from './support/command.ts';
import { removeFrom } from './support/openclaw-removal.ts';
import { asked, isAttended, refuseInsideRun } from './support/person.ts';
import { dirOf } from './support/place.ts';
import { print, printJson } from './support/print.ts';
import { machineOf } from './support/registration.ts';
import { placesFor } from './support/start.ts';

export const command: Command = {
  usage: ['wats uninstall [--yes]'],
  about:
    'Takes wats out of the programs that it was registered in, those entries that lead to this data directory. Services ' +
    'that start wats are named, with the commands that end them; the data directory is named, never deleted.\n\n' +
    'It shows what it will do and asks. Without a terminal it needs --yes; else it prints what it would do and exits 2.',
  flags: {
    yes: { type: 'boolean', short: 'y', help: 'do not ask' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    if (input.words.length > 0) throw new WatsError('usage', `there is a word too many: ${input.words[0]}`);
    await refuseInsideRun('uninstall wats', context);
    const dir = dirOf(input, context);
    const json = input.on('json');
    const say = (text: string): void => {
      if (!json) print(context.stdout, visible(text, 'line'));
    };
    const found = HOSTS.map((host) => ({ host, ...planOf(host, dir, context) }));
    const steps = found.flatMap(({ plan }) => plan.steps);
    for (const { will } of steps) say(`- ${will}`);
    for (const { left } of found)
      for (const line of left) print(context.stderr, `! ${visible(line, 'line')}`);
    const did: string[] = [];
    const failed: string[] = [];
    if (steps.length > 0) {
      if (!input.on('yes') && !isAttended(context))
        throw new WatsError('usage', 'nothing was changed: without a terminal this needs --yes', {
          fix: 'wats uninstall --yes',
        });
      if (!input.on('yes') && !(await asked('do it?', 'no', context))) {
        say('nothing was changed');
        return 1;
      }
      for (const { host, plan } of found) await undo(plan, host, context, { did, failed, say });
    } else say('wats is registered nowhere');
    if (await takeOutOfOpenclaw(input, context, json)) failed.push('OpenClaw');
    const services = installedServices(machineOf(context), context.uid);
    for (const { path, undo } of services)
      say(`${path} still starts wats; to end that: ${undo.join(' && ')}`);
    say(`Your data is where it was: ${dir}`);
    say(
      'It holds your keys, your posts and your settings; delete it yourself when you want none of them back.',
    );
    if (json) {
      const left = found.flatMap((each) => each.left);
      printJson(context, { did, failed, left, services, dataDirectory: dir });
    }
    return failed.length === 0 ? 0 : 1;
  },
};

/**
 * Takes wats out of OpenClaw where this data directory was set up in it; its own command line says what it does.
 * @returns whether something of it failed
 */
async function takeOutOfOpenclaw(input: Input, context: Context, json: boolean): Promise<boolean> {
  const places = placesFor(input, context);
  if (!existsSync(openclaw.tokenFiles(places.openclaw).record)) return false;
  // What it tells is for a person; in JSON mode it goes beside the JSON.
  const telling = json ? { ...context, stdout: context.stderr } : context;
  try {
    const cli = openclaw.openclawCli(context.env, context.cwd);
    const ours = openclaw.tokenIn(openclaw.tokenFiles(places.openclaw).hooks);
    const facts = await openclaw.lookAtOpenclaw(cli, context.env, ours, () => {});
    const halves = { mcp: true, agent: true };
    return (await removeFrom({ input, context: telling, places, halves, cli, facts })) !== 0;
  } catch (error) {
    print(
      context.stderr,
      `! OpenClaw: ${visible(error instanceof Error ? error.message : String(error), 'line')}`,
    );
    return true;
  }
}

/** What of a program is this data directory's to remove, and what stays. */
function planOf(host: Host, dir: string, context: Context): { plan: Plan; left: readonly string[] } {
  const machine = machineOf(context);
  const plans: Plan[] = [];
  const left: string[] = [];
  for (const scope of host.scopes) {
    try {
      const registered = host.read(scope, machine);
      if (registered === null) continue;
      const leadsTo = registered.entry === null ? null : directoryOf(registered.entry, machine);
      if (leadsTo !== null && real(leadsTo) === real(dir))
        plans.push(planUnregister(host, scope, registered));
      else
        left.push(
          `${host.title} (${scope} scope) keeps its wats: ${leadsTo === null ? 'it is not this program' : `it leads to ${leadsTo}`}`,
        );
    } catch (error) {
      left.push(`${host.title}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { plan: joinPlans(plans), left };
}

/** A program that fails does not keep the others from being undone. */
async function undo(
  plan: Plan,
  host: Host,
  context: Context,
  told: { readonly did: string[]; readonly failed: string[]; readonly say: (text: string) => void },
): Promise<void> {
  try {
    await carryOut(plan, host, {
      ask: askerOf(host.name, machineOf(context)),
      save: () => {}, // nothing of it is a setting
      onDid({ did }) {
        told.did.push(did);
        told.say(`✓ ${did}`);
      },
    });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    told.failed.push(text);
    print(context.stderr, `! ${visible(text, 'line')}`);
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there: compared as it is written
  }
}
