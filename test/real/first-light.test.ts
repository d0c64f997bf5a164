import { afterEach, expect, test } from 'vitest';
import { type ModelTurn, startModelServer } from '../support/model-server.ts';
import { dataDirectory, eventually, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';
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

test.skipIf(!claude.ok)(
  `the real claude is woken by an ask of another node, and its approved answer is read there${claude.ok ? '' : ` (${claude.why})`}`,
  async () => {
    if (!claude.ok) return;
    const turns: [ModelTurn, ...ModelTurn[]] = [{ text: 'nothing yet' }];
    const model = await startModelServer('anthropic', turns);
    closers.push(() => model.close());
    const asking = await node('profile = "asker"\n');
    const answering = await node(
      'profile = "person"\n[agent]\nruntime = "claude"\nprofile = "person-agent"\nevery = "0s"\n',
      {
        PATH: `${claude.dir}:${process.env['PATH']}`,
        ANTHROPIC_API_KEY: 'sk-fake',
        ANTHROPIC_BASE_URL: model.url,
      },
    );
    const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: asking.dir });
    await watsJson(['peer', 'join', invite], { dir: answering.dir });
    await eventually(async () => {
      const peers = await watsJson<{ state: string }[]>(['peer', 'list'], { dir: asking.dir });
      return peers.some(({ state }) => state === 'connected');
    });

    // A model that reads the ask, answers it, and is done.
    const { id: ask } = await watsJson<{ id: string }>(['ask', 'Which journal mode should I use?'], {
      dir: asking.dir,
    });
    turns.splice(
      0,
      1,
      { text: 'I read it first.', tools: [{ name: 'mcp__wats__read', input: { id: ask } }] },
      {
        text: 'Now I answer.',
        tools: [{ name: 'mcp__wats__reply', input: { parent: ask, kind: 'answer', text: 'Use WAL.' } }],
        usage: { input: 2000, output: 300 },
      },
      { text: 'Done.' },
    );
    const ended = await answering.saw(({ type }) => type === 'run_ended');
    expect(ended['outcome']).toBe('ok');

    const offered = ((model.requests[0]?.body['tools'] as { name: string }[] | undefined) ?? [])
      .map(({ name }) => name)
      .sort();
    expect(offered).toEqual(
      ['inbox', 'post', 'read', 'reply', 'search', 'status'].map((name) => `mcp__wats__${name}`),
    );

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
      runs: { outcome: string; costMicroUsd: number; turns: number }[];
      spend: { day: { spentMicroUsd: number } };
    }>(['agent', 'runs'], { dir: answering.dir });
    expect(runs).toHaveLength(1);
    expect(runs[0]?.costMicroUsd).toBeGreaterThan(0);
    expect(spend.day.spentMicroUsd).toBe(runs[0]?.costMicroUsd);

    const logs = await wats(['agent', 'logs'], { dir: answering.dir });
    expect(logs.stdout).toContain('I read it first.');
  },
);
