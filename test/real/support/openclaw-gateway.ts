import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A home with OpenClaw's settings in it, and no way out of this machine. */
export interface OpenclawHome {
  readonly root: string;
  readonly configPath: string;
  readonly port: number;
  /** For OpenClaw, and for whatever calls it. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts the gateway and waits until it is ready. */
  start(): Promise<Gateway>;
  remove(): void;
}

export interface Gateway {
  readonly url: string;
  log(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export async function openclawHome(bin: string, modelUrl: string): Promise<OpenclawHome> {
  const root = mkdtempSync(join(tmpdir(), 'wats-openclaw-'));
  const configPath = join(root, '.openclaw', 'openclaw.json');
  mkdirSync(dirname(configPath), { mode: 0o700 });
  const port = await freePort();
  writeFileSync(configPath, JSON.stringify(settings(root, port, modelUrl), null, 2), { mode: 0o600 });
  const env = {
    HOME: root,
    // Our own Node 24 first: OpenClaw refuses an older one.
    PATH: `${dirname(process.execPath)}:${bin}:${process.env['PATH']}`,
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
    OPENCLAW_OFFLINE: '1',
    OPENCLAW_DISABLE_BONJOUR: '1',
    OPENCLAW_NO_AUTO_UPDATE: '1',
  };
  return {
    root,
    configPath,
    port,
    env,
    start: () => startGateway(env, root, port),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function startGateway(env: Record<string, string>, cwd: string, port: number): Promise<Gateway> {
  const child = spawn('openclaw', ['gateway', 'run'], {
    env,
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  const gone = new Promise<void>((done) => child.once('close', () => done()));
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    // A gateway that cannot start goes on for a minute, to find out why with a model.
    if (/Gateway failed to start/.test(log) || child.exitCode !== null) {
      end(child, 'SIGKILL');
      throw new Error(`the gateway did not start:\n${log}`);
    }
    const ready = await fetch(`${url}/ready`).then(
      (answer) => answer.json() as Promise<{ ready: boolean }>,
      () => null,
    );
    if (ready?.ready === true) break;
    await new Promise((done) => setTimeout(done, 100));
  }
  return {
    url,
    log: () => log,
    async kill(signal) {
      end(child, signal);
      await gone;
    },
  };
}

/** The whole group: the gateway starts MCP servers and workers. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid ?? 0), signal);
  } catch {
    // gone already
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** A person's settings before wats: one model, one agent, nothing that looks outside. */
function settings(root: string, port: number, modelUrl: string): unknown {
  return {
    gateway: {
      mode: 'local',
      bind: 'loopback',
      port,
      auth: { mode: 'token', token: 'operator-0123456789abcdef0123456789abcdef' },
      controlUi: { enabled: false },
    },
    update: { checkOnStart: false },
    telemetry: { enabled: false },
    discovery: { mdns: { mode: 'off' } },
    plugins: { entries: { 'memory-core': { config: { dreaming: { enabled: false } } } } },
    skills: { workshop: { autonomous: { mode: 'off' } } },
    models: {
      mode: 'replace',
      catalogRefresh: { enabled: false },
      providers: {
        stub: {
          baseUrl: modelUrl,
          apiKey: 'stub-key',
          api: 'openai-completions',
          models: [
            {
              id: 'stub-1',
              name: 'Stub 1',
              reasoning: false,
              input: ['text'],
              cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
              contextWindow: 128_000,
              maxTokens: 8_000,
            },
          ],
        },
      },
    },
    agents: {
      ownership: 'explicit',
      defaults: {
        model: { primary: 'stub/stub-1' },
        heartbeat: { every: '0m', agentId: 'main' },
        systemAgent: { agentId: 'main' },
      },
      entries: { main: { workspace: join(root, 'ws-main') } },
    },
    talk: { agentId: 'main' },
  };
}
