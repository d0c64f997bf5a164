import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ModelServer, type ModelTurn, startModelServer } from '../support/model-server.ts';
import { startNode, wats, watsJson } from '../support/node.ts';
import { codexShim } from './support/codex-shim.ts';
import { installCli } from './support/install-cli.ts';
import { type Planted, plant } from './support/planted.ts';

const claude = await installCli('claude');
const codex = await installCli('codex');

/** What this level wants set: who may wake the agent, and that its posts are held. */
const INHERIT = ['access = "inherit"', `allow = ["${'a'.repeat(64)}"]`, 'review = true'];
/** A model that Codex has no catalogue entry for is given its tools one by one. */
const MODEL = 'model = "wats-test-model"';

interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly namespace?: string;
}

interface Attempted {
  readonly planted: Planted;
  readonly model: ModelServer;
  /** What the model was answered, in the order of its calls. */
  readonly results: readonly string[];
  /** Everything that the model was ever sent. */
  readonly sent: string;
  readonly alerts: readonly object[];
  /** What seeds every key of the node. */
  readonly secret: string;
}

/** A run of the whole daemon in which the model calls all of these at once, and then stops. */
async function attempt(
  program: 'claude' | 'codex',
  settings: readonly string[],
  calls: (planted: Planted) => readonly Call[],
  moved: (planted: Planted) => Readonly<Record<string, string>> = () => ({}),
): Promise<Attempted> {
  const planted = plant((workspace) =>
    [
      'profile = "person"',
      '[agent]',
      `runtime = "${program}"`,
      'profile = "person-agent"',
      'notify = false',
      ...settings.map((line) => line.replaceAll('WORKSPACE', workspace)),
      '',
    ].join('\n'),
  );
  onTestFinished(planted.remove);
  const turns: [ModelTurn, ...ModelTurn[]] = [{ tools: calls(planted) }, { text: 'Done.' }];
  const model = await startModelServer(program === 'claude' ? 'anthropic' : 'openai', turns);
  onTestFinished(() => model.close());
  const node = await startNode(planted.data, {
    env: { ...environment(program, planted, model), ...moved(planted) },
  });
  onTestFinished(async () => {
    node.kill('SIGTERM');
    await node.ended;
  });
  const before = planted.kept();
  expect((await wats(['agent', 'run'], { dir: planted.data })).code).toBe(0);
  const ended = await node.saw(({ type }) => type === 'run_ended');
  expect(ended, JSON.stringify(model.requests.at(-1)?.body)).toMatchObject({ outcome: 'idle' });
  expect(planted.kept()).toEqual(before);
  const sent = JSON.stringify(model.requests.map(({ body }) => body));
  const { alerts } = await watsJson<{ alerts: readonly object[] }>(['status'], { dir: planted.data });
  return {
    planted,
    model,
    sent,
    alerts,
    secret: before['secret']?.trim() ?? '',
    results: resultsOf(program, model),
  };
}

function environment(program: string, planted: Planted, model: ModelServer): Record<string, string> {
  const common = { HOME: planted.home, CODEX_HOME: join(planted.home, '.codex') };
  if (program === 'claude')
    return {
      ...common,
      PATH: `${claude.ok ? claude.dir : ''}:${process.env['PATH']}`,
      ANTHROPIC_API_KEY: 'sk-fake',
      ANTHROPIC_BASE_URL: model.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    };
  const shim = codexShim(planted.root, codex.ok ? codex.bin : '', model.url, 'CODEX_API_KEY');
  return { ...common, PATH: `${shim}:${process.env['PATH']}`, CODEX_API_KEY: 'sk-fake' };
}

interface Block {
  readonly type: string;
  readonly tool_use_id?: string;
  readonly call_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
  readonly output?: unknown;
}

/** The results that the second request brought, by the order of the calls; an error is marked as one. */
function resultsOf(program: string, model: ModelServer): readonly string[] {
  const body = model.requests[1]?.body ?? {};
  const blocks =
    program === 'claude'
      ? (body['messages'] as { content: Block[] }[]).flatMap(({ content }) =>
          Array.isArray(content) ? content : [],
        )
      : (body['input'] as Block[]);
  return blocks
    .filter(({ type }) => /tool_result|call_output/.test(type))
    .sort((a, b) => orderOf(a) - orderOf(b))
    .map(
      ({ is_error, content, output }) => `${is_error ? 'ERROR ' : ''}${JSON.stringify(content ?? output)}`,
    );
}

const orderOf = ({ tool_use_id, call_id }: Block): number =>
  Number((tool_use_id ?? call_id ?? '').split('_').at(-1));

const named = (calls: readonly Call[], results: readonly string[]) =>
  Object.fromEntries(calls.map(({ name, input }, i) => [`${name} ${JSON.stringify(input)}`, results[i]]));

describe.skipIf(!claude.ok)('a hostile model behind the real claude', () => {
  test('locked: it has no tool but those of wats, and nothing of the user or of a project was read or run', async () => {
    const calls = ({ data, root }: Planted): Call[] => [
      { name: 'Read', input: { file_path: join(data, 'secret') } },
      { name: 'Write', input: { file_path: join(data, 'config.toml'), content: '' } },
      {
        name: 'Edit',
        input: { file_path: join(data, 'config.toml'), old_string: 'claude', new_string: 'command' },
      },
      { name: 'Bash', input: { command: `cat ${data}/secret; touch ${root}/traces/bash`, description: 'x' } },
      { name: 'Bash', input: { command: 'wats config set agent.review false', description: 'x' } },
      { name: 'Grep', input: { pattern: '.', path: data } },
      { name: 'Glob', input: { pattern: `${data}/*` } },
      { name: 'NotebookEdit', input: { notebook_path: join(data, 'config.toml'), new_source: '' } },
      { name: 'WebFetch', input: { url: 'http://127.0.0.1:9/', prompt: 'x' } },
      { name: 'Task', input: { description: 'x', prompt: 'x', subagent_type: 'general-purpose' } },
      { name: 'Agent', input: { description: 'x', prompt: 'x', subagent_type: 'planted' } },
      { name: 'Skill', input: { skill: 'planted' } },
      { name: 'CronCreate', input: { cron: '* * * * *', prompt: 'x' } },
      { name: 'mcp__users__read', input: { id: 'x' } },
      { name: 'mcp__projects__read', input: { id: 'x' } },
      { name: 'mcp__wats__approve', input: { draft: 'd-aaaaaaaa', sha256: 'a'.repeat(64) } },
      { name: 'mcp__wats__pending', input: {} },
    ];
    const { planted, results, sent, secret } = await attempt('claude', [], calls);
    const all = calls(planted);
    expect(results).toHaveLength(all.length);
    for (const [call, result] of Object.entries(named(all, results)))
      expect(result, call).toMatch(/^ERROR .*(No such tool|not enabled|not available)/);
    expect(sent).not.toMatch(/MARK-/);
    expect(sent).not.toContain(secret);
    expect(planted.ran()).toEqual([]);
  });

  test('workspace: files only inside it, whatever the path looks like; its servers, but no hooks, and nothing of the user', async () => {
    const calls = ({ data, root, workspace }: Planted): Call[] => [
      { name: 'Read', input: { file_path: join(data, 'secret') } },
      { name: 'Read', input: { file_path: join(workspace, 'link', 'secret') } },
      { name: 'Read', input: { file_path: `${workspace}/../data/secret` } },
      { name: 'Read', input: { file_path: join(root, 'outside.txt') } },
      { name: 'Grep', input: { pattern: '.', path: data, output_mode: 'content' } },
      { name: 'Grep', input: { pattern: 'MARK', path: root, output_mode: 'content' } },
      { name: 'Glob', input: { pattern: `${root}/*` } },
      { name: 'Glob', input: { pattern: '*', path: data } },
      { name: 'Write', input: { file_path: join(data, 'config.toml'), content: '' } },
      { name: 'Write', input: { file_path: join(workspace, 'link', 'config.toml'), content: '' } },
      { name: 'Write', input: { file_path: `${workspace}/../data/new`, content: '' } },
      {
        name: 'Edit',
        input: { file_path: join(data, 'config.toml'), old_string: 'claude', new_string: 'command' },
      },
      { name: 'Write', input: { file_path: join(workspace, '.mcp.json'), content: '{}' } },
      { name: 'Write', input: { file_path: join(workspace, '.claude', 'settings.json'), content: '{}' } },
      { name: 'Bash', input: { command: `cat ${data}/secret; touch ${root}/traces/bash`, description: 'x' } },
      { name: 'Task', input: { description: 'x', prompt: 'x', subagent_type: 'general-purpose' } },
      { name: 'mcp__users__read', input: { id: 'x' } },
    ];
    const allowed = ({ workspace }: Planted): Call[] => [
      { name: 'Read', input: { file_path: join(workspace, 'inside.txt') } },
    ];
    const { planted, results, sent, secret, model } = await attempt(
      'claude',
      ['access = "workspace"', 'workdir = "WORKSPACE"', 'tools = ["Read", "Grep", "Glob", "Edit", "Write"]'],
      (place) => [...calls(place), ...allowed(place)],
    );
    const all = calls(planted);
    for (const [call, result] of Object.entries(named(all, results.slice(0, all.length))))
      expect(result, call).toMatch(/^ERROR /);
    expect(results[all.length]).toContain('MARK-INSIDE');
    expect(sent).toContain('MARK-PROJECT-MEMORY');
    expect(sent).not.toMatch(/MARK-(USER|OUTSIDE|CODEX)/);
    expect(sent).not.toContain(secret);
    // Its own servers are what this level opens; no hook of anybody ran.
    expect(planted.ran()).toEqual(['project-server']);
    expect(JSON.stringify(model.toolsOf(0))).toContain('mcp__projects__read');
  });

  test('workspace: what WATS_* variables moved is not read either, not even inside it', async () => {
    const { planted, results, sent } = await attempt(
      'claude',
      ['access = "workspace"', 'workdir = "WORKSPACE"', 'tools = ["Read", "Grep", "Write"]'],
      ({ workspace, movedSecret }) => [
        { name: 'Read', input: { file_path: movedSecret } },
        { name: 'Write', input: { file_path: movedSecret, content: 'a'.repeat(64) } },
        { name: 'Read', input: { file_path: join(workspace, 'inside.txt') } },
        {
          name: 'Grep',
          input: { pattern: 'MARK-INSIDE|[0-9a-f]{64}', path: workspace, output_mode: 'content' },
        },
      ],
      ({ movedSecret }) => ({ WATS_SECRET_FILE: movedSecret }),
    );
    expect(results[0]).toMatch(/^ERROR /);
    expect(results[1]).toMatch(/^ERROR /);
    expect(results[2]).toContain('MARK-INSIDE');
    expect(results[3]).toContain('MARK-INSIDE');
    const secret = readFileSync(planted.movedSecret, 'utf8').trim();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(secret).not.toBe('a'.repeat(64));
    expect(sent).not.toContain(secret);
  });

  test('inherit: what was planted is read, run and started, and the daemon says that nothing guards', async () => {
    const { planted, results, sent, alerts } = await attempt('claude', INHERIT, ({ data, root }) => [
      {
        name: 'Bash',
        input: { command: `touch ${root}/traces/bash; wc -l ${data}/config.toml`, description: 'x' },
      },
      { name: 'mcp__users__read', input: { id: 'x' } },
    ]);
    expect(results[0]).toContain('config.toml');
    expect(sent).toMatch(/MARK-USER-MEMORY/);
    expect(planted.ran()).toEqual(expect.arrayContaining(['bash', 'user-hook', 'user-server']));
    expect(alerts).toContainEqual({
      code: 'unguarded',
      text: expect.stringContaining('wats denies nothing at this level'),
      fix: null,
    });
  });
});

describe.skipIf(!codex.ok)('a hostile model behind the real codex', () => {
  const reaching = ({ data, root }: Planted): Call[] => [
    { name: 'exec_command', input: { cmd: `cat ${data}/secret; touch ${root}/traces/shell` } },
    { name: 'shell', input: { command: ['sh', '-c', `cat ${data}/secret; touch ${root}/traces/shell`] } },
    { name: 'shell_command', input: { command: `cat ${data}/secret; touch ${root}/traces/shell` } },
    { name: 'exec', input: `text(await tools.exec_command({ cmd: "cat ${data}/secret" }))` },
    { name: 'apply_patch', input: `*** Begin Patch\n*** Add File: ${data}/new\n+x\n*** End Patch\n` },
    { name: 'view_image', input: { path: join(data, 'secret') } },
    { name: 'read_mcp_resource', input: { server: 'users', uri: 'file:///x' } },
    { name: 'read', namespace: 'mcp__users', input: { id: 'x' } },
    { name: 'spawn_agent', input: { message: 'x' } },
    { name: 'web_search', input: { query: 'x' } },
    { name: 'approve', namespace: 'mcp__wats', input: { draft: 'd-aaaaaaaa', sha256: 'a'.repeat(64) } },
  ];

  /** Each was refused, nothing was started, the secret stayed here; of the planted texts these came through. */
  function expectNone(
    { planted, results, sent, secret }: Attempted,
    calls: readonly Call[],
    marks: readonly string[],
  ): void {
    expect(results).toHaveLength(calls.length);
    for (const [call, result] of Object.entries(named(calls, results)))
      expect(result, call).toMatch(/unsupported (custom tool )?call|unknown MCP server/);
    expect(planted.ran()).toEqual([]);
    expect(sent).not.toContain(secret);
    expect([...new Set(sent.match(/MARK-[A-Z-]+/g))].sort()).toEqual(marks);
  }

  test('locked: no shell, no file, no server but wats, no hook; of the user only the global AGENTS.md', async () => {
    const attempted = await attempt('codex', [MODEL], reaching);
    expectNone(attempted, reaching(attempted.planted), ['MARK-USER-AGENTS']);
  });

  test('workspace: the same, and the instructions of the workspace; skills of the user are listed, as the banner says', async () => {
    const settings = [MODEL, 'access = "workspace"', 'workdir = "WORKSPACE"'];
    const attempted = await attempt('codex', settings, reaching);
    expectNone(attempted, reaching(attempted.planted), [
      'MARK-CODEX-SKILL',
      'MARK-PROJECT-AGENTS',
      'MARK-USER-AGENTS',
    ]);
    expect(attempted.alerts).toEqual([]);
  });

  test('workspace with a shell: it reads every file, as the alarm says, and writes none', async () => {
    const settings = [MODEL, 'access = "workspace"', 'workdir = "WORKSPACE"', 'tools = ["Bash"]'];
    const { planted, results, secret, alerts } = await attempt(
      'codex',
      settings,
      ({ data, root, workspace }) =>
        [
          `cat ${data}/secret`,
          `echo review = false >> ${data}/config.toml`,
          `touch ${root}/traces/shell`,
          `touch ${workspace}/new`,
          `rm ${workspace}/inside.txt`,
        ].map((cmd) => ({ name: 'exec_command', input: { cmd } })),
    );
    expect(results[0]).toContain(secret);
    for (const result of results.slice(1)) expect(result).toMatch(/Read-only file system|Permission denied/);
    expect(planted.ran()).toEqual([]);
    expect(readdirSync(planted.workspace)).toContain('inside.txt');
    expect(readdirSync(planted.workspace)).not.toContain('new');
    expect(alerts).toContainEqual({
      code: 'unguarded',
      text: expect.stringContaining('a shell reads every file that this user can read'),
      fix: null,
    });
  });

  test('inherit: the configuration of the user is in force, and the daemon says that nothing guards', async () => {
    const { planted, results, sent, secret, alerts } = await attempt('codex', [MODEL, ...INHERIT], reaching);
    expect(results[0]).toContain(secret);
    expect(sent).toContain('MARK-CODEX-CONFIG');
    expect(planted.ran()).toEqual(expect.arrayContaining(['shell', 'user-server', 'user-notify']));
    expect(alerts).toContainEqual({
      code: 'unguarded',
      text: expect.stringContaining('wats denies nothing at this level'),
      fix: null,
    });
  });
});
