/** Pure: where the data directory is, where its sockets are, and where a thread's script is. Imports nobody; free to all. */
export { type DataDirEnv, dataDir } from './data-dir.ts';
export { networkFileSystem } from './network.ts';
export { type Moved, type Places, placesOf } from './places.ts';
export { prepareDirectory } from './prepare.ts';
export { runtimeDirOf, type SocketPlace, socketPath } from './socket-path.ts';
export { workerScript } from './worker-script.ts';
