import type { NodeStatus, ToolPorts } from '../mcp/index.ts';
import type { Publisher } from '../publish/index.ts';
import type { ReaderThread, Store } from '../store/index.ts';

/** Fills the ports of the MCP tools with the house. */
export function toolPorts(house: {
  readonly store: Store;
  readonly search: ReaderThread['search'];
  readonly publisher: Publisher;
  readonly now: () => number;
  readonly sessionsDecide: boolean;
  readonly status: () => NodeStatus;
}): ToolPorts {
  const { store, publisher, now } = house;
  return {
    posts: {
      find: store.posts.find,
      thread: store.posts.thread,
      search: house.search,
      inbox: store.posts.inbox,
      newestSeq: store.posts.newestSeq,
    },
    publishing: { publish: publisher.publish, authorOf: publisher.authorOf },
    review: {
      pending: () => store.drafts.held().map((draft) => ({ ...draft, runId: draft.run })),
      approve: (who, draft, sha256) => publisher.approve(who, draft, sha256, null),
      reject: publisher.reject,
    },
    node: { status: house.status, now, sessionsDecide: () => house.sessionsDecide },
  };
}
