import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { dataDirectory, startNode, wats, watsJson } from '../support/node.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function node(config: string): Promise<string> {
  const { dir, remove } = dataDirectory(config);
  closers.push(remove);
  const running = await startNode(dir, { env: { ANTHROPIC_API_KEY: 'sk-secret-value' } });
  closers.push(async () => {
    running.kill('SIGTERM');
    await running.ended;
  });
  return dir;
}

interface Preview {
  readonly starts: boolean;
  readonly because: string | null;
  readonly prompt: string;
  readonly argv: string[];
  readonly environment: string[];
  readonly files: { path: string; text: string }[];
}

test('a preview shows what a run would get, starts nothing, and never the value of a variable', async () => {
  const dir = await node(
    'profile = "me"\n[agent]\nruntime = "command"\ncommand = ["/bin/echo", "two words"]\nabout = "Knows SQLite."\n',
  );
  writeFileSync(
    join(dir, 'HEARTBEAT.md'),
    'Prompt of {user} for {agent_profile}: {agent.about} {reasons}\n{events}',
  );
  const { code, stdout } = await wats(['agent', 'preview', '--json'], { dir });
  expect(code).toBe(0);
  expect(stdout).not.toContain('sk-secret-value');
  const preview = JSON.parse(stdout) as Preview;
  expect(preview).toMatchObject({
    starts: false,
    because: 'nothing waits for the agent',
    argv: ['/bin/echo', 'two words'],
  });
  expect(preview.environment).toContain('ANTHROPIC_API_KEY');
  expect(preview.prompt).toContain('Prompt of me for');
  expect(preview.prompt).toContain('Knows SQLite.');
  const [config] = preview.files;
  expect(JSON.parse(config?.text ?? '')).toHaveProperty('mcpServers.wats.command', process.execPath);
  expect(existsSync(config?.path ?? ''), 'looking writes nothing').toBe(false);
  expect((await watsJson<{ total: number }>(['agent', 'runs'], { dir })).total).toBe(0);
});

test('an unknown variable in HEARTBEAT.md is told with its line, and a node without an agent says so', async () => {
  const dir = await node('[agent]\nruntime = "command"\ncommand = ["/bin/true"]\n');
  writeFileSync(join(dir, 'HEARTBEAT.md'), 'first\n{evnts}');
  const bad = await wats(['agent', 'preview'], { dir });
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain('evnts');
  expect(bad.stderr).toContain('2');
  const none = await wats(['agent', 'preview'], { dir: await node('') });
  expect(none.code).toBe(75);
  expect(none.stderr).toContain('this node has no agent');
});
