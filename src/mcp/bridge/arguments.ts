import { type DataDirEnv, dataDir, runtimeDirOf, socketPath } from '../../paths/index.ts';
import { profileProblem } from '../hello.ts';

/** What `wats mcp` was asked to do. */
export type BridgeRequest =
  | {
      readonly do: 'session';
      readonly socket: string;
      readonly profile: string | undefined;
      /** The data directory to start a node in when none listens; `null`: that socket is somebody else's to open. */
      readonly startIn: string | null;
      readonly runtimeDir: string;
    }
  | { readonly do: 'run'; readonly socket: string }
  | { readonly do: 'forwarded'; readonly socket: string; readonly tokenFile: string }
  | { readonly do: 'help' }
  | { readonly do: 'refuse'; readonly why: string };

export interface BridgeSurroundings {
  readonly argv: readonly string[];
  /** Only directory and profile are taken from it. */
  readonly env: DataDirEnv & {
    readonly WATS_PROFILE?: string | undefined;
    readonly WATS_MCP_SOCKET?: string | undefined;
    readonly WATS_OPENCLAW_DIR?: string | undefined;
    readonly XDG_RUNTIME_DIR?: string | undefined;
  };
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly uid: number;
  /** Makes a path absolute. */
  readonly resolve: (path: string) => string;
}

const OPTIONS = ['--profile', '--dir', '--run-socket', '--runner-token-file'] as const;
type Option = (typeof OPTIONS)[number];

export const HELP = `Usage: wats mcp [--profile NAME] [--dir DIR]

The MCP server of an agent session, on stdin and stdout: agents' hosts start it, people don't.
It attaches to the node in the data directory, and starts one in the background when there is none.

  --profile NAME   post as this profile (or WATS_PROFILE)
  --dir DIR        data directory (or WATS_DIR)
`;

/** Reads the arguments of `wats mcp`. Pure. */
export function readArguments(around: BridgeSurroundings): BridgeRequest {
  const given = new Map<Option, string>();
  for (let i = 0; i < around.argv.length; i++) {
    const word = around.argv[i] ?? '';
    if (word === '--help' || word === '-h') return { do: 'help' };
    const equals = word.indexOf('=');
    const option = OPTIONS.find((name) => name === (equals === -1 ? word : word.slice(0, equals)));
    if (option === undefined) return { do: 'refuse', why: `no such option: ${JSON.stringify(word)}` };
    const value = equals === -1 ? around.argv[++i] : word.slice(equals + 1);
    if (value === undefined || value === '') return { do: 'refuse', why: `${option} takes a value` };
    given.set(option, value);
  }
  return decide(given, around);
}

function decide(given: ReadonlyMap<Option, string>, around: BridgeSurroundings): BridgeRequest {
  const { env, home, platform, uid, resolve } = around;
  const runSocket = given.get('--run-socket');
  if (runSocket !== undefined) {
    if (given.size > 1) return { do: 'refuse', why: '--run-socket says it all: take the other options away' };
    return { do: 'run', socket: resolve(runSocket) };
  }
  const dir = resolve(dataDir(env, home, platform, given.get('--dir')));
  const runtimeDir = runtimeDirOf(env);
  const place = { platform, runtimeDir, uid };
  const tokenFile = given.get('--runner-token-file');
  if (tokenFile !== undefined) {
    const folder = env.WATS_OPENCLAW_DIR ? resolve(env.WATS_OPENCLAW_DIR) : `${dir}/openclaw`;
    return {
      do: 'forwarded',
      socket: socketPath(folder, 'runner.sock', place),
      tokenFile: resolve(tokenFile),
    };
  }
  const profile = given.get('--profile') ?? (env.WATS_PROFILE || undefined);
  const problem = profile === undefined ? undefined : profileProblem(profile);
  if (problem !== undefined) return { do: 'refuse', why: problem };
  const moved = env.WATS_MCP_SOCKET;
  // A socket that was moved is how a node is shared with a container: a node of the container's own is not wanted.
  if (moved) return { do: 'session', socket: resolve(moved), profile, startIn: null, runtimeDir };
  return { do: 'session', socket: socketPath(dir, 'mcp.sock', place), profile, startIn: dir, runtimeDir };
}
