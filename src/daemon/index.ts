/** Lock, sockets, composition root: opens and closes everything. Nobody but commands imports it. */
export { type Daemon, type DaemonOptions, openDaemon } from './daemon.ts';
export { type Places, placesOf, prepareDirectory } from './directory.ts';
export { plainLine } from './log.ts';
export type { Why } from './why.ts';
