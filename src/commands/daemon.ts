import { describeSource, flagValues, type Loaded, loosened } from '../config/index.ts';
import type { Daemon } from '../daemon/index.ts';
import { plainLine } from '../daemon/index.ts';
import { isWatsError } from '../errors/index.ts';
import { visible } from '../text/index.ts';
import type { Command, Context, Input } from './support/command.ts';
import { detach } from './support/detach.ts';
import { BELL, isPlain } from './support/plain.ts';
import { print } from './support/print.ts';
import { createQuitting, onSignals, type Quitting } from './support/quit.ts';
import { loadFor, SETTING_FLAGS, startDaemon } from './support/start.ts';

export const command: Command = {
  usage: ['wats [--agent claude|codex|command] [options]'],
  about:
    'Runs the node, its sockets, and the agent when agent.runtime is set; with the live screen on a terminal.',
  flags: {
    'no-tui': { type: 'boolean', help: 'plain lines instead of the live screen' },
    plain: { type: 'boolean', help: 'labelled lines and numbered choices, for screen readers' },
    ...SETTING_FLAGS,
  },
  async run(input, context) {
    for (;;) {
      const next = await runOnce(input, context);
      if (next === 'detach') {
        const pid = await detach(input, context);
        print(
          context.stdout,
          `wats goes on in the background (process ${pid}); "wats agent attach" shows it`,
        );
      }
      if (next !== 'restart') return 0;
    }
  },
};

/** One life of the daemon, with what it was started with. @returns what the person wants next */
async function runOnce(input: Input, context: Context): Promise<'detach' | 'restart' | null> {
  const quitting = createQuitting();
  const plain = isPlain(input, context);
  let screenUp = false;
  const { daemon, loaded, places } = await startDaemon(input, context, {
    background: false,
    terminal: (bytes) => {
      if (screenUp) context.stdout.write(plain ? BELL : bytes);
    },
    onQuit: quitting.ask,
  });
  const stopListening = onSignals(quitting);
  let next: 'detach' | 'restart' | null = null;
  try {
    await registerFor(loaded, places.dir, context);
    for (const warning of loaded.warnings) print(context.stderr, `wats: ${warning}`);
    if (wantsScreen(plain, context) && !input.on('no-tui')) {
      const { showScreen } = await import('./support/screen.ts');
      screenUp = true;
      next = await showScreen(daemon.controls, context, quitting, {
        mode: 'daemon',
        dir: places.dir,
        looks: loaded.settings,
        plain,
        notAgain: () => problemOf(() => loadFor(places, flagValues(input), context)),
      });
      screenUp = false;
    } else {
      banner(
        daemon,
        context,
        loosened(loaded).map(({ key, source }) => `${key} (${describeSource(source)})`),
      );
      daemon.log.onEntry((entry) => print(context.stdout, plainLine(entry)));
    }
    await end(daemon, quitting);
    return next;
  } catch (error) {
    // A daemon that nobody sees must not go on by accident: keys that cannot be bound, a screen that does not load.
    await daemon.close('now');
    throw error;
  } finally {
    stopListening();
  }
}

/** What is wrong with the settings as they are now, in one line; `null` when they can be started with. */
function problemOf(load: () => Loaded): string | null {
  try {
    load();
    return null;
  } catch (error) {
    if (!isWatsError(error)) throw error;
    return `not started again: ${error.message}${error.fix === undefined ? '' : ` → ${error.fix}`}`;
  }
}

/**
 * `--agent claude` also gives the person's own sessions of that program the tools of this node. Silent when they have
 * them; a failure is a line, since the agent runs without it.
 */
async function registerFor(loaded: Loaded, dir: string, context: Context): Promise<void> {
  const runtime = loaded.settings['agent.runtime'];
  if (loaded.sources['agent.runtime'].kind !== 'flag' || runtime === null) return;
  try {
    const { ensureRegistered } = await import('../setup/index.ts');
    const { machineOf, wantedFor } = await import('./support/registration.ts');
    const wanted = wantedFor(dir, loaded.settings.profile, context);
    for (const sentence of await ensureRegistered(runtime, wanted, machineOf(context)))
      print(context.stderr, `wats: ${visible(sentence, 'line')}`);
  } catch (error) {
    if (!isWatsError(error)) throw error;
    print(
      context.stderr,
      `wats: not registered in ${runtime}: ${visible(error.message, 'line')} ("wats setup ${runtime}" shows more)`,
    );
  }
}

/** Waits until somebody asks to quit, then lets the run in progress end by itself, unless they ask twice. */
export async function end(daemon: Daemon, quitting: Quitting): Promise<void> {
  const how = await quitting.asked;
  if (how === 'now') {
    await daemon.close('now');
    return;
  }
  void quitting.hurried.then(() => daemon.agent?.runner.close('now'));
  await daemon.close('drain');
}

/** A dumb terminal has no screen; lines and choices need nothing that it lacks, and are there when asked for. */
function wantsScreen(plain: boolean, context: Context): boolean {
  return Boolean(context.stdout.isTTY && context.stdin.isTTY) && (plain || context.env['TERM'] !== 'dumb');
}

function banner(daemon: Daemon, context: Context, flags: readonly string[]): void {
  const view = daemon.controls.view();
  const lines = [`wats ${view.version} · node ${view.node.id} · ${view.node.dir}`];
  if (view.agent === null) lines.push('no agent: agent.runtime is not set; watching only');
  else {
    const { access, opens, runtime, runtimeVersion, profile, review } = view.agent;
    lines.push(
      `agent ${profile} · ${runtime}${runtimeVersion === null ? '' : ` ${runtimeVersion}`} · review ${review ? 'on' : 'OFF'}`,
    );
    lines.push(`${access.toUpperCase()}  ${opens.join('; ')}`);
  }
  for (const alert of view.alerts)
    lines.push(`! ${alert.text}${alert.fix === null ? '' : ` (${alert.fix})`}`);
  if (flags.length > 0) lines.push(`for this run only: ${flags.join(', ')}`);
  print(context.stderr, lines.join('\n'));
}
