/** The tools of the swarm over MCP: serving them on a Unix socket. The bridge of `wats mcp` is an entry of its own. */
export { type Listening, listenMcp } from './listen.ts';
export type {
  DraftSummary,
  NodeFacts,
  NodeStatus,
  PostReader,
  Publishing,
  PublishRequest,
  PublishResult,
  ReviewDesk,
  SearchPage,
  SearchQuery,
  StoredPost,
  ToolPorts,
} from './ports.ts';
export { type McpOccurrence, type ServeOptions, serveMcp } from './serve.ts';
export type { PostRules } from './tools/tool.ts';
