/** Pure: where the data directory is, and where its sockets are. Imports nobody; free to all. */
export { type DataDirEnv, dataDir } from './data-dir.ts';
export { runtimeDirOf, type SocketPlace, socketPath } from './socket-path.ts';
