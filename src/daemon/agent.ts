import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Settings } from '../config/index.ts';
import type { Keys } from '../keys/index.ts';
import type { ServeOptions } from '../mcp/index.ts';
import type { Places, SocketPlace } from '../paths/index.ts';
import { endLeftovers } from '../processes/index.ts';
import { createRunner, type Occurrence, type RunnerPorts } from '../runner/index.ts';
import { runtimeFor } from '../runtimes/index.ts';
import type { Store } from '../store/index.ts';
import { decisionLog } from './decision-log.ts';
import { codeOf } from './fault.ts';
import type { Log } from './log.ts';
import { openclawOf } from './openclaw.ts';
import { runEnvironment } from './run-env.ts';
import { indexEnded } from './run-index.ts';
import { AGENT, runnerSettings } from './settings.ts';
import { runDirOf, runPlace, stageFor } from './stage.ts';
import { standStill } from './standstill.ts';
import type { AgentSources } from './view.ts';

/** How long a probe of the agent's program may take. */
const PROBE_MS = 20_000;
/** When to look at a missing program or login again. */
const LOOK_AGAIN_MS = 10 * 60_000;
const GATEWAY_AGAIN_MS = 15_000;

export interface AgentOptions {
  readonly settings: Settings;
  readonly places: Places;
  readonly place: SocketPlace;
  readonly store: Store;
  readonly keys: Keys;
  readonly user: string;
  readonly env: NodeJS.ProcessEnv;
  readonly self: { readonly node: string; readonly script: string };
  /** Text of the HEARTBEAT.md that the package ships. */
  readonly shippedHeartbeat: string;
  readonly serve: Omit<ServeOptions, 'principal'>;
  readonly log: Log;
  readonly now: () => number;
  readonly halt: () => string | null;
  readonly localAuthors: () => readonly string[];
  readonly tell: (occurrence: Occurrence) => void;
  readonly onTranscript: (run: string) => void;
}

/** Sets the agent up: its runtime probed, its runner ready for the first look. */
export async function openAgent(options: AgentOptions): Promise<AgentSources> {
  const { settings, store, places, log, now } = options;
  const name = settings['agent.runtime'];
  if (name === null) throw new Error('there is no runtime to open');
  const programs =
    name === 'openclaw'
      ? null
      : runtimeFor(name, { env: options.env, command: settings['agent.command'] ?? [] });
  const runtime = programs ?? openclawOf(options);
  const probe = await runtime.probe(AbortSignal.timeout(PROBE_MS));
  const runner = runnerSettings(settings, {
    author: options.keys.authorOf(settings['agent.profile']),
    user: options.user,
    denyPaths: [
      places.dir,
      ...(places.secretMoved ? [places.secret] : []),
      ...(places.mcpSocketMoved ? [places.mcpSocket] : []),
    ],
  });
  store.people.addAgent(AGENT, runner.author);
  if (store.rebuilt) standStill(store, 'rebuilt', options.now());
  const where = {
    places,
    place: options.place,
    self: options.self,
    env: runEnvironment(options.env),
    workdir: settings['agent.access'] === 'locked' ? null : settings['agent.workdir'],
  };
  const decisions = decisionLog(log);
  const ports: RunnerPorts = {
    store,
    runtime,
    stage: stageFor({
      ...where,
      agent: { name: AGENT, profile: runner.profile, runtime: name },
      serve: options.serve,
      onTranscript: options.onTranscript,
    }),
    processes: {
      endLeftovers: ({ id, process }) => endLeftovers({ leader: process, runDir: runDirOf(places, id) }),
    },
    now,
    random: (bytes) => randomBytes(bytes),
    halt: options.halt,
    localAuthors: options.localAuthors,
    template: () =>
      existsSync(places.heartbeat) ? readFileSync(places.heartbeat, 'utf8') : options.shippedHeartbeat,
    onFault: (error) => {
      log.write('error', 'runner_fault', {
        error: error instanceof Error ? error.name : 'unknown',
        code: codeOf(error),
      });
    },
    tell: (occurrence) => {
      if (occurrence.type === 'run_ended') indexEnded(occurrence.run, options);
      if (occurrence.type === 'verdict') decisions.saw(agent.verdict());
      options.tell(occurrence);
    },
    ignored: (post, rule) => log.write('debug', 'ignored', { post, rule }),
  };
  const agent = createRunner(runner, probe, ports);
  if (probe.problem !== null) {
    store.people.setBlocked(AGENT, {
      code: probe.found && probe.loggedIn === false ? 'auth' : 'config',
      text: `${probe.problem.message.replace(/\.$/, '')}. ${probe.problem.fix}`,
      // A gateway that is only starting is there in a moment; a program or a login is mended by a person.
      until: now() + (name === 'openclaw' && !probe.found ? GATEWAY_AGAIN_MS : LOOK_AGAIN_MS),
      count: 1,
    });
    log.write('warn', 'runtime_problem', { runtime: name, found: probe.found });
  } else if (store.people.agent(AGENT)?.blocked !== null) {
    // Whatever an earlier daemon met, this one found the program there.
    store.people.setBlocked(AGENT, null);
  }
  const { opens, unguarded } = probe.enforces[runner.access];
  return {
    settings: runner,
    runner: agent,
    ports,
    placeOf: (run) => runPlace(where, run),
    prepare: programs === null ? null : programs.prepare,
    priced: probe.reportsCost,
    runtimeVersion: probe.version,
    opens,
    unguarded,
    review: settings['agent.review'],
  };
}
