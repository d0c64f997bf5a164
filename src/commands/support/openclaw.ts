import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { gatewayAddress, isReach, type Settings } from '../../config/index.ts';
import { WatsError } from '../../errors/index.ts';
import type { Places } from '../../paths/index.ts';
import { type Gateway, probeGateway } from '../../runtimes/index.ts';
import { openclaw } from '../../setup/index.ts';
import type { Context } from './command.ts';
import { wantedFor } from './registration.ts';

const LOOK_MS = 10_000;
const DOCKER_MS = 5_000;

/** The gateway at an address, when the rules for addresses admit it. @throws WatsError `setting` */
export function gatewayAt(url: string, insecureOk: boolean): Gateway {
  const verdict = gatewayAddress(url, insecureOk);
  if (!verdict.ok) throw new WatsError('setting', `${url}: ${verdict.why}`, { fix: verdict.fix });
  const { address } = verdict;
  return { ...address, reaches: (ip) => address.clear !== 'encrypted' && isReach(ip, address.clear) };
}

/** Asks the gateway about a token, without running anything. */
export function lookAt(gateway: Gateway): openclaw.GatewayLook {
  return (token) => probeGateway(gateway, token, LOOK_MS, AbortSignal.timeout(2 * LOOK_MS));
}

/** How OpenClaw starts the MCP server of its forwarded agent: the token by its file, never by its text. */
export function agentEntry(places: Places, context: Context) {
  const { command, args } = wantedFor(places.dir, '', context);
  const [script = ''] = args;
  // What follows `mcp --profile NAME`: where the data directory is, unless it is the usual one.
  const where = args.slice(4);
  const { runner } = openclaw.tokenFiles(places.openclaw);
  return {
    command,
    args: [script, 'mcp', '--runner-token-file', runner, ...where],
    env: context.env['WATS_OPENCLAW_DIR'] ? { WATS_OPENCLAW_DIR: places.openclaw } : {},
  };
}

export function settingsFor(
  url: string,
  about: string | undefined,
  now: Pick<Settings, 'agent.runtime' | 'agent.openclaw_url' | 'agent.about'>,
): { readonly key: string; readonly text: string }[] {
  const wanted = [
    ['agent.runtime', 'openclaw', now['agent.runtime']],
    ['agent.openclaw_url', url, now['agent.openclaw_url']],
    ['agent.about', about ?? now['agent.about'] ?? '', now['agent.about'] ?? ''],
  ] as const;
  return wanted.flatMap(([key, text, stands]) => (text === stands ? [] : [{ key, text }]));
}

/** Whether a Docker engine answers here. */
export function dockerAnswers(context: Context): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('docker', ['info'], { env: context.env, timeout: DOCKER_MS }, (error) =>
      resolve(error === null),
    );
  });
}

/** Whether a daemon listens for the agent of the gateway. */
export function runnerIsThere(places: Places): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(places.runnerSocket);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** A line of a person's own, with what stands when they only press Enter. */
export async function line(question: string, preset: string, context: Context): Promise<string> {
  const prompt = createInterface({ input: context.stdin, output: context.stdout });
  try {
    return (await prompt.question(`${question}${preset === '' ? '' : ` [${preset}]`} `)).trim() || preset;
  } finally {
    prompt.close();
  }
}
