import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diffSafety, readSafety, recordSafety, safetyKeys } from '../../src/config/index.ts';
import { flags, folder, load } from './support.ts';

/** The keys that page 2 of the design marks with S. */
const MARKED = [
  'halt.accept',
  'halt.guardians',
  'mcp.decide',
  'agent.profile',
  'agent.model',
  'agent.command',
  'agent.allow',
  'agent.ignore_local',
  'agent.wakes_per_author_per_hour',
  'agent.loop_max_exchanges',
  'agent.max_runs_per_hour',
  'agent.max_runs_per_day',
  'agent.max_turns',
  'agent.timeout',
  'agent.stall_timeout',
  'agent.max_usd_per_run',
  'agent.max_usd_per_day',
  'agent.max_usd_per_month',
  'agent.max_tokens_per_run',
  'agent.access',
  'agent.workdir',
  'agent.tools',
  'agent.review',
  'agent.openclaw_url',
  'agent.openclaw_insecure_ok',
  'agent.openclaw_agent',
  'agent.openclaw_budget',
];

test('the safety keys are those of the design', () => {
  expect([...safetyKeys].toSorted()).toEqual(MARKED.toSorted());
});

function recorded(text: string): string {
  const path = join(folder(), 'safety.json');
  recordSafety(path, load(text).underneath);
  return path;
}

describe('safety.json', () => {
  test('holds values, for its owner alone', () => {
    const path = recorded('agent.max_usd_per_day = 1.5\nagent.timeout = "48m"\n');
    const { values } = JSON.parse(readFileSync(path, 'utf8'));
    expect(values).toMatchObject({
      'agent.max_usd_per_day': 1.5,
      'agent.timeout': '48m',
      'agent.review': true,
      'agent.allow': null,
    });
    expect(Object.keys(values).toSorted()).toEqual(MARKED.toSorted());
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('what was recorded is no difference', () => {
    const text = 'agent.allow = []\nagent.tools = ["Read"]\nagent.max_usd_per_run = 0.07\n';
    expect(diffSafety(load(text), readSafety(recorded(text)), true)).toEqual([]);
  });

  test('a difference says what was acknowledged and what is now', () => {
    const path = recorded('agent.max_turns = 3\n');
    const now = load(`agent.review = false\nagent.workdir = "/srv"\nagent.timeout = "600s"\n`);
    expect(diffSafety(now, readSafety(path), true)).toEqual([
      { key: 'agent.max_turns', acknowledged: '3', now: '10' },
      { key: 'agent.workdir', acknowledged: 'unset', now: '"/srv"' },
      { key: 'agent.review', acknowledged: 'true', now: 'false' },
    ]);
  });

  test('flags and variables are no difference: they are named in the banner instead', () => {
    const now = load('', { WATS_AGENT_MAX_TURNS: '99' }, flags(['no-agent-review']));
    expect(diffSafety(now, readSafety(recorded('')), true)).toEqual([]);
  });

  test('choosing a runtime is no difference, choosing a model is', () => {
    const path = recorded('');
    expect(diffSafety(load('agent.runtime = "claude"'), readSafety(path), true)).toEqual([]);
    expect(
      diffSafety(load('agent.runtime = "claude"\nagent.model = "opus"'), readSafety(path), true),
    ).toEqual([{ key: 'agent.model', acknowledged: 'unset', now: '"opus"' }]);
  });

  test('missing is a first run, unless there was one: then every key counts', () => {
    const missing = readSafety(join(folder(), 'safety.json'));
    expect(missing).toEqual({ state: 'missing' });
    expect(diffSafety(load(''), missing, false)).toEqual([]);
    const all = diffSafety(load(''), missing, true);
    expect(all.map(({ key }) => key).toSorted()).toEqual(MARKED.toSorted());
    expect(all.every(({ acknowledged }) => acknowledged === null)).toBe(true);
  });

  test.each([
    '',
    'no json',
    '[]',
    'null',
    '{"version":1}',
    '{"version":2,"values":{}}',
    '{"version":1,"values":[]}',
  ])('%j acknowledges nothing', (text) => {
    const path = join(folder(), 'safety.json');
    writeFileSync(path, text);
    expect(diffSafety(load(''), readSafety(path), false)).toHaveLength(MARKED.length);
  });

  test('a key that it does not know counts when it is not at its default', () => {
    const path = join(folder(), 'safety.json');
    const { version, values } = JSON.parse(readFileSync(recorded(''), 'utf8'));
    delete values['agent.review'];
    delete values['agent.max_turns'];
    writeFileSync(path, JSON.stringify({ version, values }));
    expect(diffSafety(load('agent.review = false'), readSafety(path), true)).toEqual([
      { key: 'agent.review', acknowledged: null, now: 'false' },
    ]);
  });
});
