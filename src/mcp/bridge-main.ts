// The entry of `wats mcp`, a bundle of its own: a host starts it for every session, and waits for it. It loads
// nothing but sockets; what starts a node is loaded when there is none.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type BridgeRequest, HELP, readArguments } from './bridge/arguments.ts';
import { runBridge } from './bridge/bridge.ts';
import type { BridgeOptions, NodeStarter } from './bridge/options.ts';
import { encodeHello } from './hello.ts';

const uid = process.getuid?.() ?? 0;
const warn = (line: string): void => void process.stderr.write(`wats mcp: ${line}\n`);

const request = readArguments({
  argv: process.argv.slice(3),
  env: process.env,
  home: homedir(),
  platform: process.platform,
  uid,
  resolve: (path) => resolve(path),
});

if (request.do === 'help') process.stdout.write(HELP);
else if (request.do === 'refuse') {
  warn(`${request.why}. See "wats mcp --help".`);
  process.exitCode = 2;
} else {
  if (process.stdin.isTTY) warn('an agent’s host starts this and speaks MCP on its input. Ctrl-C ends it.');
  leaveWithParent();
  const code = await runBridge({
    input: process.stdin,
    output: process.stdout,
    warn,
    ...(await connectionOf(request)),
  });
  // What was answered last still reaches a host that reads.
  process.stdout.write('', () => process.exit(code));
  setTimeout(() => process.exit(code), 1000);
}

async function connectionOf(
  asked: Exclude<BridgeRequest, { do: 'help' | 'refuse' }>,
): Promise<Pick<BridgeOptions, 'socket' | 'hello' | 'persistence'>> {
  const { socket } = asked;
  switch (asked.do) {
    case 'run':
      return { socket, hello: undefined, persistence: 'once' };
    case 'forwarded':
      return {
        socket,
        hello: encodeHello({ token: tokenIn(asked.tokenFile) }),
        persistence: { starter: null },
      };
    case 'session': {
      const hello = encodeHello(asked.profile === undefined ? {} : { profile: asked.profile });
      const starter = asked.startIn === null ? null : lazyStarter(asked.startIn, asked.runtimeDir);
      return { socket, hello, persistence: { starter } };
    }
    default:
      return asked satisfies never;
  }
}

function tokenIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    warn(`cannot read the token: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

/** Loads what starts processes when a node has to be started, which is rare. */
function lazyStarter(dir: string, runtimeDir: string): NodeStarter {
  let starter: NodeStarter | undefined;
  let problem: string | undefined;
  let wanted = false;
  let loading = false;
  return {
    tryStart() {
      wanted = true;
      if (starter !== undefined) return starter.tryStart();
      if (loading) return;
      loading = true;
      import('./bridge/background.ts').then(
        ({ backgroundNode }) => {
          starter = backgroundNode({
            launcher: process.argv[1] ?? '',
            dir,
            runtimeDir,
            uid,
            home: homedir(),
            env: process.env,
          });
          if (wanted) starter.tryStart();
        },
        (error) => {
          problem = `Cannot start a wats node: ${error instanceof Error ? error.message : String(error)}`;
        },
      );
    },
    failed: () => problem ?? starter?.failed(),
    done() {
      wanted = false;
      starter?.done();
    },
  };
}

/** A host that was killed can't close our input when another program inherited the other end of it. */
function leaveWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, 1000).unref();
}
