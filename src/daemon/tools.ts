import type { McpOccurrence, NodeStatus, ServeOptions } from '../mcp/index.ts';
import { SWARM_SENTENCE } from '../prompt/index.ts';
import type { Publisher } from '../publish/index.ts';
import type { ReaderThread, Store } from '../store/index.ts';
import { LIMITS, SYSTEM_KINDS, WRITABLE_KINDS } from '../swarm/index.ts';
import { stackOf } from './fault.ts';
import type { Log } from './log.ts';
import { toolPorts } from './mcp-ports.ts';
import { newMarker } from './stage.ts';
import type { SwarmLink } from './swarm.ts';
import type { AgentSources } from './view.ts';

export interface ToolHouse {
  readonly version: string;
  readonly store: Store;
  readonly search: ReaderThread['search'];
  readonly publisher: Publisher;
  readonly link: SwarmLink;
  readonly log: Log;
  readonly now: () => number;
  readonly sessionsDecide: boolean;
  readonly agent: () => AgentSources | null;
  readonly unacknowledged: () => readonly { readonly key: string }[];
  readonly halted: () => boolean;
}

/** What the `status` tool and `wats status` say of this node. */
export function statusOf(house: ToolHouse): NodeStatus {
  const { store, link } = house;
  const agent = house.agent();
  const peers = link.status()?.peers ?? [];
  return {
    version: house.version,
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
    unacknowledged: house.unacknowledged().map(({ key }) => key),
    halted: house.halted(),
  };
}

/** What every MCP connection is served with; the principal comes from its socket. */
export function toolServing(house: ToolHouse): Omit<ServeOptions, 'principal'> {
  const { store, search, publisher, now, sessionsDecide, log } = house;
  return {
    ports: toolPorts({ store, search, publisher, now, sessionsDecide, status: () => statusOf(house) }),
    openingSentence: SWARM_SENTENCE,
    version: house.version,
    rules: { limits: LIMITS, writableKinds: WRITABLE_KINDS, systemKinds: SYSTEM_KINDS },
    log: (occurrence) => logMcp(log, occurrence),
    newMarker,
  };
}

function logMcp(log: Log, occurrence: McpOccurrence): void {
  const { event, connection } = occurrence;
  if (event !== 'called') {
    log.write('debug', `mcp_${event}`, { connection });
    return;
  }
  const { tool, outcome, cause } = occurrence;
  if (outcome === 'defect') log.write('error', 'mcp_defect', { connection, tool, stack: stackOf(cause) });
  else log.write('debug', 'mcp_called', { connection, tool, outcome });
}
