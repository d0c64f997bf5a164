import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type ModelServer, type ModelTurn, startModelServer } from '../support/model-server.ts';
import { dataDirectory, eventually, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';
import { codexShim } from './support/codex-shim.ts';
import { installCli } from './support/install-cli.ts';

interface Listed {
  readonly thread: {
    readonly posts: readonly {
      id: string;
      kind: string;
      author: string;
      parent: string | null;
      text: string;
    }[];
  };
}

const claude = await installCli('claude');
const codex = await installCli('codex');
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function node(config: string, env: Record<string, string> = {}): Promise<RunningNode> {
  const place = dataDirectory(config);
  closers.push(place.remove);
  const running = await startNode(place.dir, { env });
  closers.push(async () => {
    running.kill('SIGTERM');
    await running.ended;
  });
  return running;
}

/** A program of a person, the model behind it, and how it says the same thing. */
interface Program {
  readonly name: 'claude' | 'codex';
  readonly wire: 'anthropic' | 'openai';
  readonly settings: string;
  readonly reportsCost: boolean;
  /** What its node's environment needs besides. */
  environment(model: ModelServer, dir: string): Record<string, string>;
  call(name: string, input: object): ModelTurn;
}

const WATS_TOOLS = ['inbox', 'post', 'read', 'reply', 'search', 'status'];

const CLAUDE: Program = {
  name: 'claude',
  wire: 'anthropic',
  settings: '',
  reportsCost: true,
  environment: (model) => ({
    PATH: `${claude.ok ? claude.dir : ''}:${process.env['PATH']}`,
    ANTHROPIC_API_KEY: 'sk-fake',
    ANTHROPIC_BASE_URL: model.url,
  }),
  call: (name, input) => ({
    text: `I ${name} now.`,
    tools: [{ name: `mcp__wats__${name}`, input }],
    usage: { input: 2000, output: 300 },
  }),
};

const CODEX: Program = {
  name: 'codex',
  wire: 'openai',
  // A model that Codex has no catalogue entry for is given its tools one by one.
  settings: 'model = "wats-test-model"\n',
  reportsCost: false,
  environment: (model, dir) => ({
    PATH: `${codexShim(dir, codex.ok ? codex.bin : '', model.url, 'CODEX_API_KEY')}:${process.env['PATH']}`,
    HOME: dir,
    CODEX_API_KEY: 'sk-fake',
  }),
  call: (name, input) => ({
    text: `I ${name} now.`,
    tools: [{ namespace: 'mcp__wats', name, input }],
    usage: { input: 2000, output: 300 },
  }),
};

/** Names of the tools that the first model request offers. */
function offered(model: ModelServer): string[] {
  const names = (tool: unknown): string[] => {
    const { name = '', tools } = tool as { name?: string; tools?: unknown[] };
    return tools === undefined ? [name] : tools.flatMap(names).map((inner) => `${name}__${inner}`);
  };
  return ((model.requests[0]?.body['tools'] ?? []) as unknown[]).flatMap(names).sort();
}

async function wholePath(program: Program): Promise<ModelServer> {
  const turns: [ModelTurn, ...ModelTurn[]] = [{ text: 'nothing yet' }];
  const model = await startModelServer(program.wire, turns);
  closers.push(() => model.close());
  const home = mkdtempSync(join(tmpdir(), 'wats-home-'));
  closers.push(() => rmSync(home, { recursive: true, force: true }));
  const asking = await node('profile = "asker"\n');
  const answering = await node(
    `profile = "person"\n[agent]\nruntime = "${program.name}"\nprofile = "person-agent"\nevery = "0s"\n${program.settings}`,
    program.environment(model, home),
  );
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: asking.dir });
  await watsJson(['peer', 'join', invite], { dir: answering.dir });
  await eventually(async () => {
    const peers = await watsJson<{ state: string }[]>(['peer', 'list'], { dir: asking.dir });
    return peers.some(({ state }) => state === 'connected');
  });

  // A model that reads the ask, answers it, and is done; it knows the ask's id before the agent may start.
  await wats(['agent', 'pause'], { dir: answering.dir });
  const { id: ask } = await watsJson<{ id: string }>(['ask', 'Which journal mode should I use?'], {
    dir: asking.dir,
  });
  turns.splice(
    0,
    1,
    program.call('read', { id: ask }),
    program.call('reply', { parent: ask, kind: 'answer', text: 'Use WAL.' }),
    { text: 'Done.' },
  );
  await wats(['agent', 'resume'], { dir: answering.dir });
  const ended = await answering.saw(({ type }) => type === 'run_ended');
  expect(ended['outcome']).toBe('ok');

  const [draft] = await watsJson<{ id: string; text: string; parent: { id: string } }[]>(
    ['agent', 'pending'],
    { dir: answering.dir },
  );
  expect(draft).toMatchObject({ text: 'Use WAL.', parent: { id: ask } });
  const before = await watsJson<Listed>(['read', ask], { dir: asking.dir });
  expect(before.thread.posts).toHaveLength(1);

  const approved = await wats(['agent', 'approve', draft?.id ?? '', '--yes'], { dir: answering.dir });
  expect(approved.code).toBe(0);
  const answer = await eventually(async () => {
    const { thread } = await watsJson<Listed>(['read', ask], { dir: asking.dir });
    return thread.posts.find(({ parent }) => parent === ask);
  });
  const profiles = await watsJson<{ author: string; profile: string }[]>(['profile', 'list'], {
    dir: answering.dir,
  });
  expect(answer).toMatchObject({
    kind: 'answer',
    text: 'Use WAL.',
    author: profiles.find(({ profile }) => profile === 'person-agent')?.author,
  });

  const { runs, spend } = await watsJson<{
    runs: { outcome: string; costMicroUsd: number | null }[];
    spend: { day: { spentMicroUsd: number }; unpricedToday: number };
  }>(['agent', 'runs'], { dir: answering.dir });
  expect(runs).toHaveLength(1);
  if (program.reportsCost) {
    expect(runs[0]?.costMicroUsd).toBeGreaterThan(0);
    expect(spend.day.spentMicroUsd).toBe(runs[0]?.costMicroUsd);
  } else {
    expect(runs[0]?.costMicroUsd).toBeNull();
    expect(spend.unpricedToday).toBe(1);
  }
  const logs = await wats(['agent', 'logs'], { dir: answering.dir });
  expect(logs.stdout).toContain('I read now.');
  return model;
}

const why = (installed: Awaited<ReturnType<typeof installCli>>): string =>
  installed.ok ? '' : ` (${installed.why})`;

test.skipIf(!claude.ok)(
  `the real claude is woken by an ask of another node, and its approved answer is read there${why(claude)}`,
  async () => {
    const model = await wholePath(CLAUDE);
    expect(offered(model)).toEqual(WATS_TOOLS.map((name) => `mcp__wats__${name}`));
  },
);

test.skipIf(!codex.ok)(
  `the real codex is woken by an ask of another node, and its approved answer is read there${why(codex)}`,
  async () => {
    const model = await wholePath(CODEX);
    // What Codex always offers beside them is said in the banner; none of it reads, writes or runs.
    expect(offered(model)).toEqual(expect.arrayContaining(WATS_TOOLS.map((name) => `mcp__wats__${name}`)));
  },
);
