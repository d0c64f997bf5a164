import { lstat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { WatsError } from '../errors/index.ts';
import { MAX_CONNECTIONS } from './limits.ts';

export interface Listening {
  /** Connections now. */
  count(): number;
  /**
   * Stops listening, removes the socket and ends every connection: by its own `end`, which may wait for what is in
   * flight, and after `graceMs` in any case.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Listens on a Unix socket. A socket that a killed daemon left behind is replaced; one that somebody answers on, or
 * anything else at that path, is an error. The folder exists already.
 *
 * @param options.mode of the socket, like 0o600: who may connect
 * @throws WatsError `already_running` or `directory`
 */
export async function listenMcp(
  path: string,
  options: { readonly mode: number },
  onConnection: (socket: Socket) => { end(): void },
): Promise<Listening> {
  await makeRoom(path);
  const open = new Map<Socket, { end(): void }>();
  // Half-open, so that a client which says all and then only listens still gets its answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.set(socket, onConnection(socket));
    socket.once('close', () => open.delete(socket));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await bind(server, path, options.mode);
  return {
    count: () => open.size,
    async close(graceMs = 1000) {
      const listening = new Promise<void>((resolve) => server.close(() => resolve()));
      const connections = [...open.keys()].map(
        (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
      );
      for (const connection of open.values()) connection.end();
      const late = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy();
      }, graceMs);
      await Promise.all([listening, ...connections]);
      clearTimeout(late);
    },
  };
}

async function makeRoom(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined); // absent, or bind says why not
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new WatsError('directory', `${path} is not a socket`, {
      fix: 'Move it away, or name another path.',
    });
  }
  if (await answers(path)) {
    throw new WatsError('already_running', `something listens on ${path} already`, {
      fix: 'Stop that daemon, or give this one another WATS_MCP_SOCKET.',
    });
  }
  await unlink(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

async function bind(server: Server, path: string, mode: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new WatsError('directory', `cannot listen on ${path}: ${cause.code ?? cause.message}`, {
          cause,
          fix: 'Check that the folder exists and belongs to you, and that the path is short enough.',
        }),
      );
    });
    // The socket is made inside listen(), so nobody can connect before its mode is right.
    const before = process.umask(0o777 & ~mode);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(before);
    }
  });
  server.on('error', () => {
    // Accepting one connection failed (descriptors); the listener goes on.
  });
}
