/** What executes a run: one folder a program, behind the interface of contract.ts. */
export { givesShell } from './claude/switches.ts';
export type {
  AccessLevel,
  AccessStatement,
  Ending,
  Outcome,
  Probe,
  ProcessIdentity,
  Ready,
  Rejoined,
  RunEvent,
  RunSpec,
  Runtime,
  Session,
  Sight,
} from './contract.ts';
export type { Prepared, ProgramRuntime } from './engine/prepared.ts';
export {
  type AskOpenclaw,
  bodyOf,
  type Gateway,
  type GatewayProbe,
  type KeptRequest,
  type OpenclawDeps,
  openclawAsker,
  openclawRuntime,
  probeGateway,
  type RequestBook,
  type SpendRule,
  TEMPLATE_TOKEN,
  usableToken,
} from './openclaw/index.ts';
export { type RuntimeDeps, runtimeFor } from './runtime-for.ts';
