import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realPath, saveSettings } from '../config/index.ts';
import { connectControl } from '../control/index.ts';
import { type Daemon, openDaemon } from '../daemon/index.ts';
import { WatsError } from '../errors/index.ts';
import { placesOf } from '../paths/index.ts';
import { nearest, shortId, truncate, wrapText } from '../text/index.ts';
import type { Command, Context } from './support/command.ts';
import { type DemoStep, followLoop } from './support/demo-loop.ts';
import { print, widthOf } from './support/print.ts';
import { createQuitting, onSignals } from './support/quit.ts';
import { loadFor, placeOf, shipped, shippedPath } from './support/start.ts';

const QUESTION = 'How does wats keep an agent from spending all my money?';
/** The example agent is paced for a person's eyes by this much between its steps. */
const PACE_MS = '700';

export const command: Command = {
  usage: ['wats demo [--once]'],
  about:
    'Two nodes on this machine: one asks, the other wakes a small example agent, which drafts an answer; you approve it, ' +
    'and the first node reads it. No account, no network, nothing kept.',
  flags: {
    once: {
      type: 'boolean',
      help: 'unattended: approve by itself, exit 0 when the answer was read on the first node',
    },
    json: { type: 'boolean', help: 'with --once: one JSON line a step' },
  },
  async run(input, context) {
    const attended =
      !input.on('once') && !input.on('json') && Boolean(context.stdout.isTTY && context.stdin.isTTY);
    const root = mkdtempSync(join(tmpdir(), 'wats-demo-'));
    try {
      return await demo(root, context, { attended, json: input.on('json') });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

async function demo(
  root: string,
  context: Context,
  how: { readonly attended: boolean; readonly json: boolean },
): Promise<number> {
  const quitting = createQuitting();
  const stopListening = onSignals(quitting);
  const asking = await openNode(join(root, 'asking'), context, {}, quitting.ask);
  let answering: Daemon | null = null;
  try {
    answering = await openNode(
      join(root, 'answering'),
      { ...context, env: { ...context.env, ...(how.attended ? { WATS_EXAMPLE_DELAY_MS: PACE_MS } : {}) } },
      {
        profile: 'demo',
        'agent.profile': 'demo-agent',
        'agent.runtime': 'command',
        'agent.command': JSON.stringify([
          context.self.node,
          shippedPath('integrations/example-agent/agent.mjs', context),
        ]),
        'agent.every': '0s',
        'agent.about': 'answers questions in the demo',
        'agent.notify': 'false',
      },
      quitting.ask,
    );
    await introduce(root, context);
    const steps: DemoStep[] = [];
    const loop = followLoop({
      answering,
      socketOf: (name) => controlSocket(join(root, name), context),
      question: QUESTION,
      approve: !how.attended,
      onStep: (step) => {
        steps.push(step);
        if (!how.attended) tell(step, how.json, context);
      },
    });
    if (how.attended) return await attend(answering, loop, join(root, 'answering'), context, quitting, steps);
    const quit = quitting.asked.then(() => {
      throw new WatsError('failed', 'the demo was interrupted');
    });
    await Promise.race([loop, quit]);
    return 0;
  } finally {
    stopListening();
    await answering?.close('now');
    await asking.close('now');
  }
}

/** The live screen, with the person at the keys. */
async function attend(
  answering: Daemon,
  loop: Promise<void>,
  dir: string,
  context: Context,
  quitting: ReturnType<typeof createQuitting>,
  steps: readonly DemoStep[],
): Promise<number> {
  const { showScreen, PLAIN_LOOKS } = await import('./support/screen.ts');
  let failure: unknown = null;
  loop.catch((error: unknown) => {
    failure = error;
  });
  await showScreen(answering.controls, context, quitting, {
    mode: 'daemon',
    dir,
    once: true,
    looks: PLAIN_LOOKS,
    plain: false,
  });
  const answered = steps.find((step) => step.step === 'answered');
  if (answered !== undefined) {
    say(
      `The first node read the answer ${shortId(answered.id)}, signed by the agent's key. That is the whole loop.`,
      context,
    );
    say('Next: "wats --agent claude", with your own agent.', context);
  } else {
    say(
      'The answer was not published. "wats demo" starts over; a draft is approved with a, then P.',
      context,
    );
    if (failure !== null) throw failure;
  }
  return 0;
}

function say(text: string, context: Context): void {
  print(context.stdout, wrapText(text, widthOf(context)).join('\n'));
}

function tell(step: DemoStep, json: boolean, context: Context): void {
  if (json) print(context.stdout, JSON.stringify({ step: step.step, id: step.id, ms: step.ms }));
  else {
    const line = `${String(step.ms).padStart(6)} ms  ${step.step.padEnd(9)} ${step.says}`;
    print(context.stdout, truncate(line, widthOf(context)));
  }
}

async function openNode(
  dir: string,
  context: Context,
  settings: Readonly<Record<string, string>>,
  onQuit: (how: 'drain' | 'now') => void,
): Promise<Daemon> {
  mkdirSync(dir, { mode: 0o700 });
  const place = placeOf(context);
  const places = placesOf(dir, {}, place);
  // The person's own settings and variables have no part in a demo.
  const alone: Context = { ...context, env: withoutSettings(context.env) };
  saveSettings(
    places.config,
    Object.entries(settings).map(([key, text]) => ({ key, text })),
    {
      user: context.user,
      home: context.home,
      cwd: context.cwd,
      suggest: nearest,
      dataDir: dir,
      realPath,
    },
  );
  return openDaemon({
    places,
    place,
    loaded: loadFor(places, new Map(), alone),
    user: context.user,
    env: alone.env,
    version: context.version,
    self: { node: context.self.node, script: realPath(context.self.script) },
    shippedHeartbeat: shipped('HEARTBEAT.md', context),
    background: false,
    terminal: () => {},
    now: context.now,
    onQuit,
  });
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('WATS_') || name.startsWith('WATS_EXAMPLE_')),
  );
}

function controlSocket(dir: string, context: Context): string {
  return placesOf(dir, {}, placeOf(context)).controlSocket;
}

/** The asking node invites, the answering one joins: as two people would. */
async function introduce(root: string, context: Context): Promise<void> {
  const asking = await connectControl(controlSocket(join(root, 'asking'), context));
  const answering = await connectControl(controlSocket(join(root, 'answering'), context));
  try {
    const { invite } = (await asking.call('peer.invite', {})) as { invite: string };
    await answering.call('peer.join', { invite });
  } finally {
    asking.close();
    answering.close();
  }
}
