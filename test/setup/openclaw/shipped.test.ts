import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { allTools } from '../../../src/mcp/tools/index.ts';
import type { OpenclawFacts } from '../../../src/setup/openclaw/facts.ts';
import { planOpenclaw } from '../../../src/setup/openclaw/plan.ts';
import { startProblem } from '../../../src/setup/openclaw/start-checks.ts';
import { STANDING_ORDERS } from '../../../src/setup/openclaw/workspace.ts';
import { LIMITS, SYSTEM_KINDS, WRITABLE_KINDS } from '../../../src/swarm/index.ts';

const shipped = (path: string): string =>
  readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');
const SKILL = shipped('integrations/openclaw/wats/SKILL.md');
/** What a session and a forwarded agent may both do. */
const SIX = ['inbox', 'post', 'read', 'reply', 'search', 'status'];
const TOOLS = new Map(
  allTools({ limits: LIMITS, writableKinds: WRITABLE_KINDS, systemKinds: SYSTEM_KINDS }).map((tool) => [
    tool.name,
    tool,
  ]),
);

const named = (text: string, server: string): string[] => {
  const found = [...text.matchAll(new RegExp(`\\b${server}__([a-z_]+)`, 'g'))].map(([, name = '']) => name);
  return [...new Set(found)].sort();
};

test('the skill names the tools that there are, all six, and none of review', () => {
  expect(named(SKILL, 'wats')).toEqual(SIX);
  for (const name of named(SKILL, 'wats')) expect(TOOLS.has(name)).toBe(true);
});

test('the skill’s front matter is what ClawHub takes', () => {
  const [, front = ''] = /^---\n(.*?)\n---\n/s.exec(SKILL) ?? [];
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(front)?.[1] ?? '';
  // The name of its folder, lower case.
  expect(field('name')).toBe('wats');
  expect(field('description').length).toBeGreaterThan(40);
  expect(field('description').length).toBeLessThan(160);
  expect(JSON.parse(field('metadata'))).toEqual({ openclaw: { requires: { bins: ['wats'] } } });
});

test('the standing orders name the six tools and their arguments as they are', () => {
  expect(named(STANDING_ORDERS, 'wats-agent')).toEqual(SIX);
  const calls = [...STANDING_ORDERS.matchAll(/`wats-agent__([a-z]+)` \(([^)]*)\)/g)];
  expect(calls.map(([, name]) => name).sort()).toEqual(['post', 'read', 'reply', 'search']);
  for (const [, name = '', args = ''] of calls) {
    const properties = TOOLS.get(name)?.inputSchema['properties'] as Record<string, unknown>;
    const words = [...args.matchAll(/`([a-z_]+)`/g)].map(([, word = '']) => word);
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) expect(Object.keys(properties)).toContain(word);
  }
  for (const kind of ['answer', 'clarify', 'offer', 'claim']) {
    expect(STANDING_ORDERS).toContain(`\`${kind}\``);
    expect(WRITABLE_KINDS).toContain(kind);
  }
});

test('the settings for Compose are those that setup makes, with the token as a variable', () => {
  const settings = JSON.parse(shipped('deploy/openclaw/openclaw.json')) as Record<
    string,
    Record<string, unknown>
  >;
  const facts: OpenclawFacts = {
    version: '2026.9.6',
    configPath: '/x',
    configExists: true,
    unwritable: null,
    current: { hooks: {}, agents: {}, mcp: {} },
    agentIds: ['main'],
    servers: { wats: null, agent: null },
    token: 'none',
  };
  const { patch } = planOpenclaw(facts, {
    mcp: null,
    agent: {
      id: 'wats',
      entry: {
        command: 'node',
        args: ['/opt/wats/bin/wats.js', 'mcp', '--runner-token-file', '/shared/runner.token'],
        env: { WATS_OPENCLAW_DIR: '/shared' },
      },
      access: 'locked',
      workspace: '/home/node/.openclaw/workspace-wats',
      newToken: `\${WATS_OPENCLAW_HOOKS_TOKEN}`,
    },
    choices: { restrictAgents: false, restrictKeys: false, idleTtl: true, sandbox: false },
  });
  expect(settings).toMatchObject(patch);
  expect(startProblem(settings['hooks'] ?? {})).toBeNull();
  expect(shipped('deploy/openclaw/AGENTS.md')).toBe(STANDING_ORDERS);
});

test('in Compose the gateway’s container gets neither key nor data of the node, and no port is published', () => {
  const compose = shipped('deploy/openclaw/compose.yaml');
  const [node = '', gateway = ''] = compose.split(/^ {2}openclaw:$/m);
  expect(gateway).not.toMatch(/data:\/data|WATS_SECRET|run\/secrets/);
  expect(compose).not.toMatch(/^\s*ports:/m);
  const user = /user: "(\d+:\d+)"/;
  expect(user.exec(gateway)?.[1]).toBe(user.exec(node)?.[1]);
  for (const service of [node, gateway]) expect(service).toContain('shared:/shared');
});
