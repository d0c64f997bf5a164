import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type ModelTurn, startModelServer } from '../support/model-server.ts';
import { cleanEnv, eventually, finished } from '../support/node.ts';
import { installCli } from './support/install-cli.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const claude = await installCli('claude');

const place = mkdtempSync(join(tmpdir(), 'wats-stranger-'));
const home = join(place, 'home');
const clone = join(place, 'wats');
let daemon: ChildProcess | undefined;
/** Ends the daemon as Ctrl-C in its terminal would: npm and wats are one process group. */
async function stop(): Promise<void> {
  if (daemon?.pid === undefined || daemon.exitCode !== null) return;
  const gone = new Promise((done) => daemon?.once('close', done));
  try {
    process.kill(-daemon.pid, 'SIGINT');
  } catch {
    return; // it has ended
  }
  await gone;
}
afterAll(async () => {
  await stop();
  rmSync(place, { recursive: true, force: true });
});

/** A command as the page has it, in the clone, by somebody who has nothing but git, Node.js and Claude Code. */
function type(line: string, env: Record<string, string> = {}) {
  const path = `${claude.ok ? `${claude.dir}:` : ''}${process.env['PATH']?.replaceAll(`${ROOT}/node_modules/.bin:`, '')}`;
  const child = spawn('sh', ['-c', line], {
    cwd: clone,
    env: {
      ...cleanEnv(),
      HOME: home,
      PATH: path,
      npm_config_cache: join(home, '.npm'),
      DISABLE_AUTOUPDATER: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return child;
}
const typed = (line: string, env: Record<string, string> = {}) => finished(type(line, env));

test.skipIf(!claude.ok)(
  `a stranger clones, sees the demo, sets Claude Code up, gets an answer and uninstalls; their data is all that is left${claude.ok ? '' : ` (${claude.why})`}`,
  { timeout: 400_000 },
  async () => {
    mkdirSync(home);
    const cloned = spawnSync('git', ['clone', '--quiet', ROOT, clone], { encoding: 'utf8' });
    expect(cloned.status, cloned.stderr).toBe(0);
    const page = readFileSync(join(clone, 'README.md'), 'utf8');
    expect(page).toContain('npm ci && npm run demo');
    expect(page).toContain('npm ci && npm test');

    const demo = await typed('npm ci && npm run demo');
    expect(demo.code, demo.stderr).toBe(0);
    expect(demo.stdout).toContain('the first node read it, signed by the agent');
    const tests = await typed('npm test -- test/paths test/budget');
    expect(tests.code, tests.stdout).toBe(0);

    // Their own agent, behind which a model of ours answers on loopback.
    const turns: [ModelTurn, ...ModelTurn[]] = [{ text: 'nothing yet' }];
    const model = await startModelServer('anthropic', turns);
    const key = { ANTHROPIC_API_KEY: 'sk-fake', ANTHROPIC_BASE_URL: model.url };
    const setup = await typed('npm start --silent -- setup claude --yes', key);
    expect(setup.code, setup.stderr).toBe(0);
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))).toHaveProperty('mcpServers.wats');

    // A person of the same node may not wake their own agent by default; here there is nobody else to ask.
    expect((await typed('npm start --silent -- config set agent.ignore_local false')).code).toBe(0);
    daemon = type('exec npm start --silent -- --no-tui', key);
    await eventually(async () => (await typed('npm start --silent -- status')).code === 0);
    expect((await typed('npm start --silent -- agent pause')).code).toBe(0);
    const ask = (await typed('npm start --silent -- ask "Which journal mode?"')).stdout.trim();
    expect(ask).toMatch(/^[0-9a-f]{64}$/);
    turns.splice(
      0,
      1,
      {
        text: 'Answering.',
        tools: [{ name: 'mcp__wats__reply', input: { parent: ask, kind: 'answer', text: 'Use WAL.' } }],
      },
      { text: 'Done.' },
    );
    expect((await typed('npm start --silent -- agent resume')).code).toBe(0);
    const draft = await eventually(async () => {
      const { stdout } = await typed('npm start --silent -- agent pending --json');
      return (JSON.parse(stdout) as { id: string }[])[0]?.id;
    });
    expect((await typed(`npm start --silent -- agent approve ${draft} --yes`)).code).toBe(0);
    expect((await typed(`npm start --silent -- read ${ask}`)).stdout).toContain('Use WAL.');

    await stop();
    await model.close();
    const uninstalled = await typed('npm start --silent -- uninstall --yes');
    expect(uninstalled.code, uninstalled.stderr).toBe(0);
    const data = join(home, '.local/share/wats');
    expect(uninstalled.stdout).toContain(data);
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')).mcpServers ?? {}).toEqual({});
    expect(existsSync(join(data, 'wats.db'))).toBe(true);
    rmSync(data, { recursive: true });
    // What is left is of other programs: npm's cache, Claude Code's own files, the empty folders above the data.
    const left = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /wats/i.test(path) && !path.startsWith('.npm/'),
    );
    expect(left).toEqual([]);
  },
);
