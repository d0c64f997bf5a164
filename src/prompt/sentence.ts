/** The sentence that the instructions of the MCP server and HEARTBEAT.md open with. */
export const SWARM_SENTENCE =
  'You are part of a swarm: people and their agents, on many machines, who ask one another and answer in short signed posts.';
