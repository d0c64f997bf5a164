import { randomBytes } from 'node:crypto';
import type { Principal } from '../access/index.ts';
import type { Loaded } from '../config/index.ts';
import { type ControlServer, type Controls, type PageRequest, serveControl } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Stored } from '../intake/index.ts';
import { openKeys } from '../keys/index.ts';
import { type Listening, listenMcp, type NodeStatus, type ServeOptions, serveMcp } from '../mcp/index.ts';
import type { SocketPlace } from '../paths/index.ts';
import { SWARM_SENTENCE } from '../prompt/index.ts';
import type { Occurrence } from '../runner/index.ts';
import { acquireLock, openStore } from '../store/index.ts';
import { LIMITS, SYSTEM_KINDS, WRITABLE_KINDS } from '../swarm/index.ts';
import { codeOf, openAgent } from './agent.ts';
import { alertsOf } from './alerts.ts';
import { personCalls } from './calls.ts';
import { type Places, prepareDirectory } from './directory.ts';
import { intentHandler } from './intents.ts';
import { type Log, openLog } from './log.ts';
import { toolPorts } from './mcp-ports.ts';
import { createViewPublisher } from './publish-view.ts';
import { openDoors } from './publisher.ts';
import { checkSafety } from './safety.ts';
import { AGENT } from './settings.ts';
import { newMarker } from './stage.ts';
import { createSwarmLink } from './swarm.ts';
import { createTranscriptBook } from './transcript-book.ts';
import { type AgentSources, buildView } from './view.ts';
import { draftPage } from './view-rows.ts';
import { explain, type Why } from './why.ts';

/** How often what only time changes is looked at: drafts that expire, windows that reset. */
const MINUTE_MS = 60_000;
/** Posts that one step of the search index takes: a few milliseconds. */
const FEED_STEP = 200;

export interface DaemonOptions {
  readonly places: Places;
  readonly place: SocketPlace;
  readonly loaded: Loaded;
  /** The operating-system user. */
  readonly user: string;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly self: { readonly node: string; readonly script: string };
  readonly shippedHeartbeat: string;
  /** A background node never runs agents. */
  readonly background: boolean;
  readonly now: () => number;
  /** A person asked the daemon to quit. */
  readonly onQuit: (how: 'drain' | 'now') => void;
}

export interface Daemon {
  readonly controls: Controls;
  readonly log: Log;
  readonly agent: AgentSources | null;
  /** What happened, as ids and numbers. */
  onOccurrence(
    listener: (occurrence: Occurrence | { readonly type: 'post' | 'draft'; readonly id: string }) => void,
  ): void;
  /** Calls back once nobody has been attached for that long. @returns the end of it */
  whenIdle(afterMs: number, idle: () => void): () => void;
  /** Ends everything in reverse; with `drain` the run in progress ends by itself first. */
  close(how: 'drain' | 'now'): Promise<void>;
}

/**
 * Opens everything of a data directory, in order, and closes it in reverse.
 * @throws WatsError `directory`, `already_running`, `storage`, `setting`
 */
export async function openDaemon(options: DaemonOptions): Promise<Daemon> {
  const { places, place, loaded, now, version } = options;
  const { settings } = loaded;
  prepareDirectory(places, place.uid);
  const closers: (() => void | Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const lock = acquireLock(places.lock);
    closers.push(lock.release);
    const log = openLog(places.log, settings['log.level'], now);
    const keys = openKeys(
      {
        secret: { path: places.secret, moved: places.secretMoved },
        nodeKey: { path: places.nodeKey, moved: false },
      },
      () => log.write('warn', 'secret_readable_by_others'),
    );
    const store = openStore(places.database);
    closers.push(() => store.close());

    const unacknowledged = checkSafety(places.safety, loaded, store, log);

    const profiles = new Map<string, string>();
    const addProfile = (profile: string): void => {
      const author = keys.authorOf(profile);
      profiles.set(author, profile);
      store.people.addProfile(author, profile, now());
    };
    for (const { author, profile } of store.people.profiles()) profiles.set(author, profile);
    addProfile(settings.profile);
    addProfile(settings['agent.profile']);

    const listeners: Parameters<Daemon['onOccurrence']>[0][] = [];
    const occur = (occurrence: Parameters<(typeof listeners)[number]>[0]): void => {
      for (const listener of listeners) listener(occurrence);
    };
    let agent: AgentSources | null = null;
    const halt = (): string | null => null;

    const link = createSwarmLink({
      store,
      nodeSeed: keys.nodeSeed,
      swarmKeyPath: places.swarmKey,
      database: places.database,
      listen: settings.listen,
      allow: settings['peers.allow'],
      log,
      now,
      received: (batch) => doors.intake.received(batch),
      onChange: () => views.touch(),
    });
    const onStored = (stored: readonly Stored[]): void => {
      for (const { post, source } of stored) {
        if (source === 'own') link.publish(post);
        occur({ type: 'post', id: post.id });
      }
      agent?.runner.poke();
      feedSearch();
      views.touch();
    };
    const doors = openDoors({
      store,
      keys,
      space: link.space,
      maxBytes: settings['store.max_bytes'],
      personProfile: settings.profile,
      agent: { name: AGENT, profile: settings['agent.profile'] },
      review: settings['agent.review'],
      reviewTtlMs: settings['agent.review_ttl'],
      sessionsDecide: settings['mcp.decide'],
      halted: () => halt() !== null,
      now,
      onStored,
      onDraft: () => {
        const held = store.drafts.held();
        log.write('info', 'drafts', { held: held.length });
        occur({ type: 'draft', id: held.at(-1)?.id ?? '' });
        views.touch();
      },
    });

    let feeding: NodeJS.Immediate | null = null;
    function feedSearch(): void {
      feeding ??= setImmediate(() => {
        feeding = null;
        try {
          if (store.feedSearch(FEED_STEP)) feedSearch();
        } catch (error) {
          log.write('error', 'search_index_failed', { code: codeOf(error) });
        }
      });
    }
    closers.push(() => {
      if (feeding !== null) clearImmediate(feeding);
    });

    const status = (): NodeStatus => {
      const peers = link.status()?.peers ?? [];
      return {
        version,
        nodeId: link.nodeId,
        space: link.space(),
        posts: store.posts.count(),
        peersConnected: peers.filter((peer) => peer.state === 'connected').length,
        peersKnown: peers.length,
        agent:
          agent === null
            ? null
            : {
                profile: agent.settings.profile,
                runtime: agent.ports.runtime.name,
                access: agent.settings.access,
                review: agent.review,
              },
        pendingDrafts: store.drafts.heldCount(),
        unacknowledged,
        halted: halt() !== null,
      };
    };
    const serve: Omit<ServeOptions, 'principal'> = {
      ports: toolPorts({
        store,
        publisher: doors.publisher,
        now,
        sessionsDecide: settings['mcp.decide'],
        status,
      }),
      openingSentence: SWARM_SENTENCE,
      version,
      rules: { limits: LIMITS, writableKinds: WRITABLE_KINDS, systemKinds: SYSTEM_KINDS },
      log: ({ event, connection, ...rest }) => {
        if (event === 'called' && 'outcome' in rest && rest.outcome === 'defect') {
          log.write('error', 'mcp_defect', {
            connection,
            tool: 'tool' in rest ? rest.tool : '',
            stack: stackOf('cause' in rest ? rest.cause : null),
          });
        } else {
          log.write('debug', `mcp_${event}`, {
            connection,
            ...('tool' in rest ? { tool: rest.tool, outcome: rest.outcome } : {}),
          });
        }
      },
      newMarker,
    };

    const book = createTranscriptBook(places.transcripts, () => views.touch());
    closers.push(() => book.close());
    const tell = (occurrence: Occurrence): void => {
      logOccurrence(log, occurrence);
      occur(occurrence);
      views.touch();
    };
    const epoch = randomBytes(6).toString('hex');
    const startedAt = now();
    const views = createViewPublisher((revision) =>
      buildView(
        {
          epoch,
          version,
          dir: places.dir,
          profile: settings.profile,
          space: link.space,
          startedAt,
          store,
          log,
          now,
          agent,
          sync: link.status,
          nodeId: link.nodeId,
          ownAuthors: () => new Set(profiles.keys()),
          alerts: () => alertsOf({ agent, store, loaded, unacknowledged, now }),
          transcript: (run) => book.window(run),
        },
        revision,
      ),
    );
    closers.push(() => views.close());

    if (settings['agent.runtime'] !== null && !options.background) {
      const opened = await openAgent({
        settings,
        places,
        place,
        store,
        keys,
        user: settings.profile,
        env: options.env,
        self: options.self,
        shippedHeartbeat: options.shippedHeartbeat,
        serve,
        log,
        now,
        halt,
        localAuthors: () =>
          [...profiles.keys()].filter((author) => author !== keys.authorOf(settings['agent.profile'])),
        tell,
        onTranscript: (run) => {
          book.grew(run);
          views.touch();
        },
      });
      agent = opened;
    }

    const session: Principal = { kind: 'session', profile: settings.profile, shared: places.mcpSocketMoved };
    const mcp: Listening = await listenMcp(
      places.mcpSocket,
      { mode: places.mcpSocketMoved ? 0o660 : 0o600 },
      serveMcp({ ...serve, principal: session }),
    );
    closers.push(() => mcp.close());

    const onDefect = (error: unknown): void => {
      log.write('error', 'control_defect', { stack: stackOf(error) });
    };
    const intents = intentHandler({
      store,
      publisher: doors.publisher,
      runner: agent?.runner ?? null,
      now,
      quit: options.onQuit,
      onDefect,
    });
    const controlsFor = (who: Principal): Controls => ({
      view: views.view,
      subscribe: views.subscribe,
      page: (async (request: PageRequest) => {
        if (request.page === 'transcript') return book.page(request.runId, request.from, request.count);
        const draft = store.drafts.byId(request.id);
        if (draft === null) throw new WatsError('not_found', 'there is no such draft (any more)');
        return draftPage(store, draft, profiles);
      }) as Controls['page'],
      send: async (id, intent) => {
        const result = intents(who, id, intent);
        views.touch();
        return result;
      },
    });
    const why = (stored: Parameters<typeof explain>[0]): Why => {
      if (agent === null)
        throw new WatsError('refused', 'this node has no agent', {
          fix: 'wats config set agent.runtime claude',
        });
      return explain(stored, agent.settings, { store, ports: agent.ports, now });
    };
    const control: ControlServer = await serveControl({
      path: places.controlSocket,
      version,
      controls: controlsFor({ kind: 'person', through: 'control' }),
      calls: personCalls({
        store,
        publisher: doors.publisher,
        link,
        agent,
        status,
        profiles: () => profiles,
        why,
        now,
        more: () => ({
          alerts: views.view().alerts,
          queue: views.view().queue,
          run: views.view().run,
          paused: views.view().paused,
        }),
      }),
      onDefect,
    });
    closers.push(() => control.close());

    await link.start();
    closers.push(() => link.stop());

    const minute = setInterval(() => {
      for (const id of store.drafts.expire(now())) log.write('info', 'draft_expired', { draft: id });
      views.touch();
    }, MINUTE_MS);
    closers.push(() => clearInterval(minute));

    log.write('info', 'started', { version, pid: process.pid, node: link.nodeId });
    feedSearch();
    (agent as AgentSources | null)?.runner.poke();

    return {
      controls: controlsFor({ kind: 'person', through: 'screen' }),
      log,
      agent,
      onOccurrence: (listener) => {
        listeners.push(listener);
      },
      whenIdle(afterMs, idle) {
        let since = now();
        const timer = setInterval(() => {
          if (mcp.count() > 0) since = now();
          else if (now() - since >= afterMs) idle();
        }, MINUTE_MS);
        return () => clearInterval(timer);
      },
      async close(how) {
        await agent?.runner.close(how);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.name).slice(0, 2_000) : 'unknown';
}

/** The log line of an occurrence: its fields are ids, fixed words and numbers already. */
function logOccurrence(log: Log, occurrence: Occurrence): void {
  const { type, ...fields } = occurrence;
  if (type === 'verdict' || type === 'run_progress') return;
  log.write(
    'info',
    type === 'loop' ? 'agent_wake_paused_loop' : type,
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join(' ') : (value as string | number | null),
      ]),
    ),
  );
}
