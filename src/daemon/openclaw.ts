import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gatewayAddress, isReach, type Settings } from '../config/index.ts';
import { WatsError } from '../errors/index.ts';
import { type Listening, listenMcp, type ServeOptions, serveMcp } from '../mcp/index.ts';
import type { Places } from '../paths/index.ts';
import { openclawAsker, openclawRuntime, type Runtime } from '../runtimes/index.ts';
import type { Store } from '../store/index.ts';
import { codeOf } from './fault.ts';
import type { Log } from './log.ts';
import { AGENT } from './settings.ts';

export interface OpenclawHouse {
  readonly settings: Settings;
  readonly places: Places;
  readonly store: Store;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly now: () => number;
}

/** The runtime that forwards to OpenClaw's gateway. @throws WatsError `setting` for an address that gets no token */
export function openclawOf(house: OpenclawHouse): Runtime {
  const { settings, places, store, env, log, now } = house;
  const verdict = gatewayAddress(settings['agent.openclaw_url'], settings['agent.openclaw_insecure_ok']);
  if (!verdict.ok) throw new WatsError('setting', `agent.openclaw_url: ${verdict.why}`, { fix: verdict.fix });
  const { address } = verdict;
  const { clear } = address;
  if (clear === 'private') log.write('warn', 'hook_token_sent_in_clear', { host: address.host });
  const read = settings['agent.openclaw_budget'] === 'read';
  return openclawRuntime({
    gateway: { ...address, reaches: (ip) => clear !== 'encrypted' && isReach(ip, clear) },
    agentId: settings['agent.openclaw_agent'],
    token: () => env['WATS_OPENCLAW_HOOKS_TOKEN'] || textIn(join(places.openclaw, 'hooks.token')),
    requests: {
      keep: store.requests.keep,
      sent: store.requests.sent,
      alive(run, at) {
        try {
          store.requests.alive(run, at);
        } catch (error) {
          log.write('warn', 'forward_not_noted', { run, code: codeOf(error) });
        }
      },
      of: store.requests.of,
    },
    ask: openclawAsker(env),
    spend: read
      ? {
          by: 'wats',
          dayMicroUsd: settings['agent.max_usd_per_day'],
          monthMicroUsd: settings['agent.max_usd_per_month'],
        }
      : { by: 'openclaw' },
    now,
  });
}

/**
 * The socket that the gateway's MCP child attaches to. Whoever has the runner token posts as the agent, held by
 * review like any run; the token's file is made when setup did not (Compose).
 */
export async function listenForwarded(
  house: Pick<OpenclawHouse, 'settings' | 'places'>,
  serve: Omit<ServeOptions, 'principal'>,
): Promise<Listening> {
  const { places, settings } = house;
  const file = join(places.openclaw, 'runner.token');
  makeToken(file);
  const principal = { kind: 'forwarded', agent: AGENT, profile: settings['agent.profile'] } as const;
  return listenMcp(
    places.runnerSocket,
    { mode: 0o600 },
    serveMcp({ ...serve, principal, admits: (token) => isSame(token, textIn(file)) }),
  );
}

function makeToken(file: string): void {
  if (textIn(file) !== null) return;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  } catch (cause) {
    throw new WatsError('directory', `cannot make ${file}`, {
      fix: 'look at who owns it and its folder: it has to be the user that wats runs as',
      cause,
    });
  }
}

/** The run that a post of the gateway's agent belongs to: the one in flight, unless that is about another thread. */
export function forwardedRun(
  going: { readonly id: string } | null,
  runs: Pick<Store['runs'], 'byId'>,
  thread: string | null,
): string | null {
  if (going === null) return null;
  const session = runs.byId(going.id)?.session ?? '';
  const elsewhere = thread !== null && session.startsWith('thread:') && session !== `thread:${thread}`;
  return elsewhere ? null : going.id;
}

/** Compared as hashes: neither length nor first difference shows in the time it takes. */
function isSame(given: string | undefined, wanted: string | null): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const equal = timingSafeEqual(hash(given ?? ''), hash(wanted ?? ''));
  return equal && given !== undefined && given !== '' && wanted !== null;
}

/** One line of a file, without its newline; `null` when there is none. Read anew each time: setup may make another. */
function textIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null; // not there, or not ours to read: there is no token
  }
}
