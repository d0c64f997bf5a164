/** Lock, sockets, composition root: opens and closes everything. Nobody but commands imports it. */
export { type Asleep, openAsleep } from './asleep.ts';
export type { Daemon, DaemonOptions } from './contract.ts';
export { openDaemon } from './daemon.ts';
export type { GuardianState, HaltSeen } from './guardian-calls.ts';
export { plainLine } from './log.ts';
export type { Preview } from './preview.ts';
export type { Why } from './why.ts';
