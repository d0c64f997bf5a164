import { randomBytes } from 'node:crypto';
import type { ProgramRow } from '../control/index.ts';
import type { Stored } from '../intake/index.ts';
import { prepareDirectory } from '../paths/index.ts';
import type { Occurrence } from '../runner/index.ts';
import { openAgent } from './agent.ts';
import { alertsOf } from './alerts.ts';
import { announceAgent } from './announce.ts';
import { createClockOffset } from './clock-offset.ts';
import { createClosers } from './closers.ts';
import type { Daemon, DaemonOptions } from './contract.ts';
import { createFeed } from './feed.ts';
import { openGround } from './ground.ts';
import { createHalts, tellHalts } from './halts.ts';
import { whenIdle } from './idle.ts';
import { intentHandler } from './intents.ts';
import { everyMinute } from './minute.ts';
import { createNotices } from './notices.ts';
import { createOccurrences, logOccurrence } from './occurrences.ts';
import { forwardedRun } from './openclaw.ts';
import { lookForPrograms } from './programs.ts';
import { createViewPublisher } from './publish-view.ts';
import { openDoors } from './publisher.ts';
import { recoverAgent } from './recover.ts';
import { settingRows } from './setting-rows.ts';
import { openSockets } from './sockets.ts';
import { isTwin, standStill } from './standstill.ts';
import { createSwarmLink } from './swarm.ts';
import { toolServing } from './tools.ts';
import { createTranscriptBook } from './transcript-book.ts';
import { type AgentSources, buildView } from './view.ts';
import { watchFiles } from './watch-files.ts';
import { explainer } from './why.ts';

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
    const ground = await openGround(options, closers);
    const {
      log,
      keys,
      store,
      reader,
      search,
      checkpoints,
      profiles,
      configChanged,
      unacknowledged,
      onDefect,
    } = ground;
    const happened = createOccurrences();
    const tell = (occurrence: Occurrence): void => {
      logOccurrence(log, occurrence);
      happened.tell(occurrence);
      views.touch();
    };

    // What everybody sees. Built when somebody looks, so what it is made of may come later.
    let agent: AgentSources | null = null;
    let programs: readonly ProgramRow[] = [];
    const book = createTranscriptBook(places.transcripts, () => views.touch());
    closers.add(() => book.close());
    const epoch = randomBytes(6).toString('hex');
    const startedAt = now();
    const clock = createClockOffset(now);
    const rowsOfSettings = settingRows(loaded, unacknowledged);
    const views = createViewPublisher((revision) => {
      const sources = {
        ...{ epoch, version, startedAt, store, log, now, agent, programs },
        ...{ dir: places.dir, profile: settings.profile, nodeId: link.nodeId },
        ...{ space: link.space, sync: link.status, transcript: book.window },
        ownAuthors: () => new Set(profiles.byAuthor.keys()),
        settings: rowsOfSettings,
        alerts: () => alertsOf({ agent, store, halts, loaded, unacknowledged, configChanged, clock, now }),
      };
      return buildView(sources, revision);
    }, onDefect);
    closers.add(() => views.close());

    // Halts of guardians: known before anything of the agent could run or be published.
    const halts = createHalts({
      ...{ store, onDefect, accept: settings['halt.accept'], configured: settings['halt.guardians'] },
      onChange(began, ended) {
        tellHalts(began, ended, log, happened);
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
    const link = createSwarmLink({
      ...{ store, places, settings, log, now, clock, nodeSeed: keys.nodeSeed },
      async received(batch) {
        await checkpoints.room();
        await search.room();
        return doors.intake.received(batch);
      },
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
      chains.feed();
      views.touch();
    };
    // What one post completed for thousands of replies that had waited for it.
    const chains = createFeed({
      step(size) {
        const { resolved, isMore } = store.completeChains(size);
        if (resolved.length > 0) {
          agent?.runner.poke();
          views.touch();
        }
        return isMore;
      },
      failed: onDefect,
    });
    closers.add(chains.close);
    const doors = openDoors({
      ...{ settings, store, now, onStored },
      keys: profiles.keys,
      space: link.space,
      halted: () => halt() !== null,
      forwardedRun: (thread) => forwardedRun(agent?.runner.going() ?? null, store.runs, thread),
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
      search: reader.search,
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

    const runner = (agent as AgentSources | null)?.runner ?? null;
    const why = explainer(agent, { store, now });
    const intents = intentHandler({ store, publisher, runner, now, quit: options.onQuit, onDefect });
    const agentAuthor = keys.authorOf(settings['agent.profile']);
    const guardians = { halts, accept: settings['halt.accept'], agentAuthor };
    const { screen, sessions } = await openSockets(
      {
        ...{ options, serve, forwards, onDefect },
        calls: { tools, agent, profiles, views, why, guardians },
        controls: { views, book, store, search: reader.search, profiles, intents, why, now },
      },
      closers,
    );

    await link.start();
    closers.add(() => link.stop());
    closers.add(watchFiles([places.config, places.safety], views.touch));
    closers.add(everyMinute({ store, checkpoints, log, now, onDefect, changed: views.touch }));

    log.write('info', 'started', { version, pid: process.pid, node: link.nodeId });
    search.feed();
    chains.feed();
    runner?.poke();
    if (runner === null && !options.background) {
      void lookForPrograms(env).then((found) => {
        programs = found;
        views.touch();
      });
    }
    return {
      controls: screen,
      log,
      agent,
      onOccurrence: happened.listen,
      whenIdle: (afterMs, idle) => whenIdle(sessions, afterMs, now, idle),
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
