import type { Principal } from '../access/index.ts';
import { type Controls, serveControl } from '../control/index.ts';
import { listenMcp, type ServeOptions, serveMcp } from '../mcp/index.ts';
import { type CallHouse, personCalls } from './calls.ts';
import type { Closers } from './closers.ts';
import type { DaemonOptions } from './contract.ts';
import { type ControlHouse, controlsFor } from './controls.ts';
import { YIELD_CALL } from './hold.ts';
import { listenForwarded } from './openclaw.ts';

export interface SocketHouse {
  readonly options: DaemonOptions;
  readonly serve: Omit<ServeOptions, 'principal'>;
  /** Runs go on in the gateway of OpenClaw, whose agent comes to a socket of its own. */
  readonly forwards: boolean;
  readonly calls: CallHouse;
  readonly controls: ControlHouse;
  readonly onDefect: (error: unknown) => void;
}

/**
 * Opens the sockets, each of which fixes who speaks on it: the gateway's agent, agent sessions, then people.
 *
 * @returns the controls of the daemon's own screen, and how many agent sessions are attached
 */
export async function openSockets(
  house: SocketHouse,
  closers: Closers,
): Promise<{ readonly screen: Controls; readonly sessions: () => number }> {
  const { options, serve, onDefect } = house;
  const { places, version } = options;
  const { settings } = options.loaded;
  if (house.forwards) {
    const forwarded = await listenForwarded({ places, settings }, serve);
    closers.add(() => forwarded.close());
  }

  const session: Principal = { kind: 'session', profile: settings.profile, shared: places.mcpSocketMoved };
  const mode = places.mcpSocketMoved ? 0o660 : 0o600;
  const mcp = await listenMcp(places.mcpSocket, { mode }, serveMcp({ ...serve, principal: session }));
  closers.add(() => mcp.close());

  const calls = personCalls(house.calls);
  const yielding = { [YIELD_CALL]: () => void setImmediate(() => options.onQuit('drain')) };
  const terminals = serveControl({
    version,
    controls: controlsFor({ kind: 'person', through: 'control' }, house.controls),
    calls: options.background ? { ...calls, ...yielding } : calls,
    onDefect,
  });
  const control = await listenMcp(places.controlSocket, { mode: 0o600 }, terminals);
  closers.add(() => control.close());
  return {
    screen: controlsFor({ kind: 'person', through: 'screen' }, house.controls),
    sessions: mcp.count,
  };
}
