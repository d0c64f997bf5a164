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
  RunEvent,
  RunSpec,
  Runtime,
  Session,
} from './contract.ts';
export { type RuntimeDeps, runtimeFor } from './runtime-for.ts';
