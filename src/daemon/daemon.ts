import { randomBytes } from 'node:crypto';
import type { Principal } from '../access/index.ts';
import { type ProgramRow, serveControl } from '../control/index.ts';
import type { Stored } from '../intake/index.ts';
import { openKeys } from '../keys/index.ts';
import { listenMcp, serveMcp } from '../mcp/index.ts';
import type { Occurrence } from '../runner/index.ts';
import { openStore } from '../store/index.ts';
import { openAgent } from './agent.ts';
import { alertsOf } from './alerts.ts';
import { announceAgent } from './announce.ts';
import { personCalls } from './calls.ts';
import { createClosers } from './closers.ts';
import { configChange } from './config-file.ts';
import type { Daemon, DaemonOptions } from './contract.ts';
import { controlsFor } from './controls.ts';
import { prepareDirectory } from './directory.ts';
import { codeOf, stackOf } from './fault.ts';
import { createHalts } from './halts.ts';
import { holdDirectory, YIELD_CALL } from './hold.ts';
import { intentHandler } from './intents.ts';
import { openLog } from './log.ts';
import { createNotices } from './notices.ts';
import { createOccurrences, logOccurrence } from './occurrences.ts';
import { forwardedRun, listenForwarded } from './openclaw.ts';
import { openProfiles } from './profiles.ts';
import { lookForPrograms } from './programs.ts';
import { createViewPublisher } from './publish-view.ts';
import { openDoors } from './publisher.ts';
import { recoverAgent } from './recover.ts';
import { checkSafety } from './safety.ts';
import { createSearchFeed } from './search-feed.ts';
import { AGENT } from './settings.ts';
import { isTwin, rebuild, standStill } from './standstill.ts';
import { createSwarmLink } from './swarm.ts';
import { toolServing } from './tools.ts';
import { createTranscriptBook } from './transcript-book.ts';
import { type AgentSources, buildView } from './view.ts';
import { explainer } from './why.ts';

/** How often what only time changes is looked at: drafts that expire, windows that reset. */
const MINUTE_MS = 60_000;

/**
 * Opens everything of a data directory, in order, and closes it in reverse.
 * @throws WatsError `directory`, `already_running`, `storage`, `setting`
 */
export async function openDaemon(options: DaemonOptions): Promise<Daemon> {
  const { places, place, loaded, now, version, env } = options;
  const { settings } = loaded;
  prepareDirectory(places, place.uid);
  const closers = createClosers();
  try {
    // The directory is ours; what a dead daemon left in it is ended before anything new begins.
    const lock = await holdDirectory(places.lock, places.controlSocket, options.background);
    closers.add(lock.release);
    const log = openLog(places.log, settings['log.level'], now);
    const keys = openKeys(
      {
        secret: { path: places.secret, moved: places.secretMoved },
        nodeKey: { path: places.nodeKey, moved: false },
      },
      () => log.write('warn', 'secret_readable_by_others'),
    );
    const store = openStore(places.database);
    closers.add(() => store.close());
    rebuild(store, places.runIndex, log);
    const configChanged = configChange(places.config);
    const unacknowledged = checkSafety(places.safety, loaded, store, log);
    const profiles = openProfiles([settings.profile, settings['agent.profile']], { keys, store, now });
    const happened = createOccurrences();
    const tell = (occurrence: Occurrence): void => {
      logOccurrence(log, occurrence);
      happened.tell(occurrence);
      views.touch();
    };
    const onDefect = (error: unknown): void =>
      log.write('error', 'defect', { code: codeOf(error), stack: stackOf(error) });

    // What everybody sees. Built when somebody looks, so what it is made of may come later.
    let agent: AgentSources | null = null;
    let programs: readonly ProgramRow[] = [];
    const book = createTranscriptBook(places.transcripts, () => views.touch());
    closers.add(() => book.close());
    const epoch = randomBytes(6).toString('hex');
    const startedAt = now();
    const views = createViewPublisher((revision) => {
      const house = { epoch, version, startedAt, store, log, now, agent, nodeId: link.nodeId };
      return buildView(
        {
          ...house,
          dir: places.dir,
          profile: settings.profile,
          space: link.space,
          sync: link.status,
          ownAuthors: () => new Set(profiles.byAuthor.keys()),
          programs,
          alerts: () => alertsOf({ agent, store, halts, loaded, unacknowledged, configChanged, now }),
          transcript: (run) => book.window(run),
        },
        revision,
      );
    }, onDefect);
    closers.add(() => views.close());

    // Halts of guardians: known before anything of the agent could run or be published.
    const halts = createHalts({
      ...{ store, onDefect, accept: settings['halt.accept'], configured: settings['halt.guardians'] },
      onChange: (began, ended) => {
        for (const { id, author } of began) log.write('warn', 'halted', { halt: id, guardian: author });
        for (const { id } of ended) log.write('info', 'halt_lifted', { halt: id });
        for (const { id } of began) happened.tell({ type: 'halt', id });
        for (const { id } of ended) happened.tell({ type: 'halt_lifted', id });
        if (began.length > 0) agent?.runner.going()?.interrupt('stopped');
        agent?.runner.poke();
        views.touch();
      },
    });
    const halt = halts.inForce;
    if (settings['agent.notify'] && !options.background) {
      const { platform } = place;
      const notices = createNotices({
        ...{ env, platform, store, terminal: options.terminal },
        agent: () => agent,
        halts: () => halts.all().length,
      });
      happened.also(notices.hear);
      closers.add(() => notices.close());
    }

    // The doors by which posts enter, and the link over which they come and go.
    const search = createSearchFeed(store, log);
    closers.add(search.close);
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
      halts.stored(stored);
      if (isTwin(stored, profiles.byAuthor)) {
        log.write('error', 'another_node_signs_as_this_one');
        standStill(store, 'twin', now());
      }
      for (const { post, source } of stored) {
        if (source === 'own') link.publish(post);
        happened.tell({ type: 'post', id: post.id });
      }
      agent?.runner.poke();
      search.feed();
      views.touch();
    };
    const doors = openDoors({
      store,
      keys: profiles.keys,
      space: link.space,
      maxBytes: settings['store.max_bytes'],
      personProfile: settings.profile,
      agent: { name: AGENT, profile: settings['agent.profile'] },
      review: settings['agent.review'],
      reviewTtlMs: settings['agent.review_ttl'],
      sessionsDecide: settings['mcp.decide'],
      halted: () => halt() !== null,
      forwardedRun: (thread) => forwardedRun(agent?.runner.going() ?? null, store.runs, thread),
      now,
      onStored,
      onDraft: () => {
        const held = store.drafts.held();
        log.write('info', 'drafts', { held: held.length });
        happened.tell({ type: 'draft', id: held.at(-1)?.id ?? '' });
        views.touch();
      },
    });
    const { publisher } = doors;
    const tools = {
      ...{ version, store, publisher, link, log, now, unacknowledged },
      sessionsDecide: settings['mcp.decide'],
      agent: () => agent,
      halted: () => halt() !== null,
    };
    const serve = toolServing(tools);

    // The agent.
    const forwards = settings['agent.runtime'] === 'openclaw' && !options.background;
    await recoverAgent({ places, place, store, log, now, tell, forwards });
    if (settings['agent.runtime'] !== null && !options.background) {
      const opened = await openAgent({
        ...{ settings, places, place, store, keys, env, serve, log, now, halt, tell },
        user: settings.profile,
        self: options.self,
        shippedHeartbeat: options.shippedHeartbeat,
        localAuthors: () => profiles.othersThan(keys.authorOf(settings['agent.profile'])),
        onTranscript: (run) => {
          book.grew(run);
          views.touch();
        },
      });
      agent = opened;
      announceAgent(settings, { store, publisher, log });
      closers.add(() => opened.runner.close('now'));
    }

    // The sockets: the gateway's agent, agent sessions, then people.
    if (forwards) {
      const forwarded = await listenForwarded({ places, settings }, serve);
      closers.add(() => forwarded.close());
    }
    const session: Principal = { kind: 'session', profile: settings.profile, shared: places.mcpSocketMoved };
    const mode = places.mcpSocketMoved ? 0o660 : 0o600;
    const mcp = await listenMcp(places.mcpSocket, { mode }, serveMcp({ ...serve, principal: session }));
    closers.add(() => mcp.close());
    const runner = (agent as AgentSources | null)?.runner ?? null;
    const intents = intentHandler({ store, publisher, runner, now, quit: options.onQuit, onDefect });
    const why = explainer(agent, { store, now });
    const house = { views, book, store, profiles, intents, why, now };
    const agentAuthor = keys.authorOf(settings['agent.profile']);
    const guardians = { halts, accept: settings['halt.accept'], agentAuthor };
    const calls = personCalls({ tools, agent, profiles, views, why, guardians });
    const yielding = { [YIELD_CALL]: () => void setImmediate(() => options.onQuit('drain')) };
    const terminals = serveControl({
      version,
      controls: controlsFor({ kind: 'person', through: 'control' }, house),
      calls: options.background ? { ...calls, ...yielding } : calls,
      onDefect,
    });
    const control = await listenMcp(places.controlSocket, { mode: 0o600 }, terminals);
    closers.add(() => control.close());

    await link.start();
    closers.add(() => link.stop());
    const minute = setInterval(() => {
      for (const id of store.drafts.expire(now())) log.write('info', 'draft_expired', { draft: id });
      views.touch();
    }, MINUTE_MS);
    closers.add(() => clearInterval(minute));

    log.write('info', 'started', { version, pid: process.pid, node: link.nodeId });
    search.feed();
    runner?.poke();
    if (runner === null && !options.background) {
      void lookForPrograms(env).then((found) => {
        programs = found;
        views.touch();
      });
    }
    return {
      controls: controlsFor({ kind: 'person', through: 'screen' }, house),
      log,
      agent,
      onOccurrence: happened.listen,
      whenIdle(afterMs, idle) {
        let since = now();
        const timer = setInterval(() => {
          if (mcp.count() > 0) since = now();
          else if (now() - since >= afterMs) idle();
        }, MINUTE_MS);
        return () => clearInterval(timer);
      },
      async close(how) {
        await runner?.close(how);
        await closers.closeAll(onDefect);
      },
    };
  } catch (error) {
    await closers.closeAll(() => {}); // why it could not be opened says more than why it could not be closed
    throw error;
  }
}
