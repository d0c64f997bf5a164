import { existsSync } from 'node:fs';
import { diffSafety, type Loaded, readSafety } from '../config/index.ts';
import { openKeys } from '../keys/index.ts';
import type { Places } from '../paths/index.ts';
import { openStoreToRead } from '../store/index.ts';
import { nodeIdOf } from '../sync/index.ts';
import { haltAlerts, keptAlerts, safetyAlerts } from './alerts.ts';
import { createHalts } from './halts.ts';
import { AGENT, runnerSettings } from './settings.ts';
import { readSwarmKey, spaceOf } from './swarm-key-file.ts';
import { unlinkedPeers } from './unlinked.ts';
import { spendView } from './view.ts';
import { pausedView } from './view-queue.ts';
import { draftPage, runPage } from './view-rows.ts';

/** What a directory can tell while no daemon runs on it, by the names that a daemon answers to. */
export interface Asleep {
  readonly status: () => unknown;
  readonly pending: () => unknown;
  /** @param args `limit`, from 1 on */
  readonly runs: (args: { readonly limit: number }) => unknown;
  close(): void;
}

/**
 * Reads a data directory without a daemon, and writes nothing. Spend is against the budgets that are set now; a run
 * that a dead daemon left counts as booked.
 *
 * @throws WatsError `directory` when there is no database, or none that this wats can read
 */
export function openAsleep(
  places: Places,
  loaded: Loaded,
  about: { readonly version: string; readonly user: string; readonly now: () => number },
): Asleep {
  const store = openStoreToRead(places.database);
  const { settings } = loaded;
  const now = about.now();
  const author = store.people.agent(AGENT)?.author ?? '';
  const agent = { settings: runnerSettings(settings, { author, user: about.user, denyPaths: [] }) };
  // A daemon lets them expire once a minute; nobody did since.
  const held = () => store.drafts.held().filter(({ expiresAt }) => expiresAt > now);

  function status() {
    const runtime = settings['agent.runtime'];
    const halts = createHalts({
      ...{ store, accept: settings['halt.accept'], configured: settings['halt.guardians'] },
      ...{ onChange: () => {}, onDefect: () => {} },
    });
    const peers = unlinkedPeers(store);
    const unacknowledged = diffSafety(loaded, readSafety(places.safety), true).map(({ key }) => key);
    const queued = store.wakes.queuedCount(AGENT);
    return {
      version: about.version,
      nodeId: nodeIdAt(places),
      space: spaceOf(readSwarmKey(places.swarmKey)),
      profile: settings.profile,
      posts: store.posts.count(),
      peersConnected: 0,
      peersKnown: new Set(peers.map(({ id }) => id)).size,
      agent:
        runtime === null
          ? null
          : {
              profile: settings['agent.profile'],
              runtime,
              access: settings['agent.access'],
              review: settings['agent.review'],
            },
      pendingDrafts: held().length,
      unacknowledged,
      halted: halts.inForce() !== null,
      alerts: [
        ...haltAlerts(halts, now),
        ...safetyAlerts(unacknowledged),
        ...(runtime === null ? [] : keptAlerts(store)),
      ],
      queue: { total: queued, rows: [], verdict: 'no daemon runs', until: null },
      run: null,
      paused: runtime === null ? { total: 0, rows: [] } : pausedView(agent, store),
      spend: runtime === null ? null : spendView(agent, store, now),
      peers,
      listening: [],
      relays: [],
      serving: null,
    };
  }

  return {
    status,
    pending() {
      const profiles = new Map(store.people.profiles().map((known) => [known.author, known.profile]));
      return held().map((draft) => draftPage(store, draft, profiles));
    },
    runs: ({ limit }) => ({
      total: store.runs.count(AGENT),
      runs: store.runs.newest(AGENT, limit).map(runPage),
      spend: spendView(agent, store, now),
    }),
    close: store.close,
  };
}

/** Asking must not make the keys of a node: without them it has no id yet. */
function nodeIdAt(places: Places): string {
  if (!existsSync(places.nodeKey) || !existsSync(places.secret)) return '';
  const files = {
    secret: { path: places.secret, moved: places.secretMoved },
    nodeKey: { path: places.nodeKey, moved: false },
  };
  return nodeIdOf(openKeys(files, () => {}).nodeSeed);
}
