import { describe, expect, test } from 'vitest';
import { describeSource, loadSettings, loosened } from '../../src/config/index.ts';
import { around, flags, load, refusal } from './support.ts';

const KEY = 'ab'.repeat(32);

describe('defaults', () => {
  test('are those of the design', () => {
    expect(load(undefined).settings).toEqual({
      profile: 'ada',
      infra: 'none',
      swarm: 'open',
      listen: null,
      seeds: [],
      'relay.serve': false,
      'peers.allow': null,
      'store.max_bytes': 4 * 1024 ** 3,
      'halt.accept': true,
      'halt.guardians': [],
      'mcp.decide': true,
      'log.level': 'info',
      'ui.theme': 'auto',
      'ui.mouse': false,
      'ui.keys': {},
      'agent.runtime': null,
      'agent.profile': 'ada-agent',
      'agent.model': null,
      'agent.command': null,
      'agent.every': 30_000,
      'agent.heartbeat': 0,
      'agent.wake_max_age': 172_800_000,
      'agent.wakes_per_run': 8,
      'agent.allow': null,
      'agent.ignore_local': true,
      'agent.wakes_per_author_per_hour': 0,
      'agent.loop_max_exchanges': 30,
      'agent.max_runs_per_hour': 6,
      'agent.max_runs_per_day': 48,
      'agent.max_turns': 10,
      'agent.timeout': 600_000,
      'agent.stall_timeout': 180_000,
      'agent.max_usd_per_run': 500_000,
      'agent.max_usd_per_day': 2_000_000,
      'agent.max_usd_per_month': 20_000_000,
      'agent.max_tokens_per_run': 200_000,
      'agent.access': 'locked',
      'agent.workdir': null,
      'agent.tools': ['Read', 'Grep', 'Glob'],
      'agent.review': true,
      'agent.review_ttl': 86_400_000,
      'agent.notify': true,
      'agent.about': '',
      'agent.caps': [],
      'agent.openclaw_url': 'http://127.0.0.1:18789',
      'agent.openclaw_insecure_ok': false,
      'agent.openclaw_agent': 'wats',
      'agent.openclaw_budget': 'read',
    });
  });

  test('the model is sonnet for claude and unset for another runtime', () => {
    expect(load('agent.runtime = "claude"').settings['agent.model']).toBe('sonnet');
    expect(load('agent.runtime = "codex"').settings['agent.model']).toBeNull();
    expect(load('[agent]\nruntime = "claude"\nmodel = "opus"').settings['agent.model']).toBe('opus');
    expect(load('', {}, flags(['agent', 'claude'])).settings['agent.model']).toBe('sonnet');
  });
});

describe('precedence', () => {
  const text = '[agent]\nmax_turns = 3\nevery = "1m"\n';

  test('a flag goes before a variable, a variable before the file, the file before the default', () => {
    const env = { WATS_AGENT_MAX_TURNS: '4' };
    expect(load(text).settings['agent.max_turns']).toBe(3);
    expect(load(text, env).settings['agent.max_turns']).toBe(4);
    expect(load(text, env, flags(['agent-max-turns', '5'])).settings['agent.max_turns']).toBe(5);
  });

  test('every value knows where it comes from', () => {
    const loaded = load(text, { WATS_LOG_LEVEL: 'debug' }, flags(['run-timeout', '1h']));
    expect(loaded.sources['agent.every']).toEqual({ kind: 'file', path: '/data/config.toml', line: 3 });
    expect(describeSource(loaded.sources['agent.every'])).toBe('config.toml:3');
    expect(describeSource(loaded.sources['log.level'])).toBe('WATS_LOG_LEVEL');
    expect(describeSource(loaded.sources['agent.timeout'])).toBe('--run-timeout');
    expect(describeSource(loaded.sources.profile)).toBe('default');
    expect(loaded.settings['agent.timeout']).toBe(3_600_000);
  });

  test('an empty variable is not set', () => {
    expect(load(undefined, { WATS_AGENT_MAX_TURNS: '' }).settings['agent.max_turns']).toBe(10);
  });

  test('underneath is what the file and the defaults say', () => {
    const loaded = load(text, { WATS_AGENT_MAX_TURNS: '9' }, flags(['no-agent-review']));
    expect(loaded.underneath['agent.max_turns']).toBe(3);
    expect(loaded.underneath['agent.review']).toBe(true);
    expect(loaded.settings['agent.review']).toBe(false);
  });

  test('safety keys that flags or variables change are named, others are not', () => {
    const given = flags(['no-agent-review'], ['every', '5s'], ['agent-timeout', '10m']);
    const loaded = load(text, { WATS_AGENT_MAX_TURNS: '9' }, given);
    expect(loosened(loaded)).toEqual([
      { key: 'agent.max_turns', source: { kind: 'variable', name: 'WATS_AGENT_MAX_TURNS' } },
      { key: 'agent.review', source: { kind: 'flag', name: '--no-agent-review' } },
    ]);
  });
});

describe('what is refused', () => {
  test('an unknown key, with its place and the nearest known one', () => {
    expect(refusal(() => load('profile = "x"\n\n[agnet]\n  max_turn = 3\n'))).toEqual({
      code: 'setting',
      message: '/data/config.toml:4:3: there is no setting agnet.max_turn',
      fix: 'Did you mean agent.max_turns?',
    });
  });

  test('a key without its group', () => {
    expect(refusal(() => load('max_turns = 3')).fix).toBe('Did you mean agent.max_turns?');
  });

  test.each([
    '"agent.max_turns" = 3',
    '[agent]\n"max_turns.x" = 3',
    'agent = 3',
    '[agent.max_turns]',
    '[nonsense]',
    '[[agent]]',
    'agent.max_turns.x = 1',
  ])('%j', (text) => {
    expect(refusal(() => load(text)).code).toBe('setting');
  });

  test('every problem at once, in the order of the file, each with its fix', () => {
    const text = 'frob = 1\n[agent]\nevery = 30\nmax_runs_per_hour = 0\nreview = "yes"\n';
    const { message } = refusal(() => load(text, { WATS_INFRA: 'some' }, flags(['max-turns', 'many'])));
    expect(message.split('\n')).toEqual([
      '/data/config.toml:1:1: there is no setting frob (See "wats config list" for all of them.)',
      '/data/config.toml:3:1: agent.every = 30: a bare number is no duration (Write "30s", "30m" or "30h".)',
      '/data/config.toml:4:1: agent.max_runs_per_hour = 0: 0 does not mean "no limit" here (Write a whole number, 1 to 1000.)',
      '/data/config.toml:5:1: agent.review = "yes": it must be true or false (Write true or false.)',
      'WATS_INFRA: "some": it must be one of none, default (Choose one of none, default.)',
      '--max-turns: "many": it must be a whole number, 1 to 1000 (Write a whole number, 1 to 1000.)',
    ]);
  });

  test('a file that is no TOML, with its place', () => {
    const { code, message } = refusal(() => load('[agent]\nevery = = 3'));
    expect(code).toBe('setting');
    expect(message).toMatch(/^\/data\/config\.toml:2:\d+: it is no TOML: /);
  });

  test('a value is quoted without what it hides', () => {
    const { message } = refusal(() => load('infra = "no\u202Ene\\u001b[2J"'));
    expect(message).not.toMatch(/[\u202E\u001b]/);
    expect(message).toContain('\\u{202e}');
  });

  test('places are found in inline tables, dotted and quoted keys', () => {
    const placeOf = (text: string) => refusal(() => load(text)).message.split(': ')[0];
    expect(placeOf('agent = { review = true, every = 5 }')).toBe('/data/config.toml:1:26');
    expect(placeOf('# é\nagent . "every" = 5')).toBe('/data/config.toml:2:1');
    expect(
      placeOf('seeds = [\n  "/a", # ]\n  "/b",\n]\n[agent]\nabout = """\n[agent]\nevery = 5\n"""\nevery = 5'),
    ).toBe('/data/config.toml:10:1');
  });
});

describe('rules between settings', () => {
  const broken = (text: string, facts = {}) =>
    refusal(() =>
      loadSettings({ flags: new Map(), env: {}, file: { path: 'c', text } }, { ...around, ...facts }),
    );

  test('workspace needs a workdir', () => {
    expect(broken('agent.access = "workspace"').message).toContain('agent.workdir');
    expect(load('agent.access = "workspace"\nagent.workdir = "/srv/work"').settings['agent.workdir']).toBe(
      '/srv/work',
    );
  });

  test('inherit needs allow and review', () => {
    expect(broken('agent.access = "inherit"').message).toContain('agent.allow');
    expect(
      broken(`agent.access = "inherit"\nagent.allow = ["${KEY}"]\nagent.review = false`).message,
    ).toContain('agent.review');
    expect(broken('agent.access = "inherit"\nagent.review = false').message).toMatch(
      /agent\.allow.*agent\.review/,
    );
    expect(load(`agent.access = "inherit"\nagent.allow = ["${KEY}"]`).settings['agent.access']).toBe(
      'inherit',
    );
  });

  test('the runtime command needs a command', () => {
    expect(broken('agent.runtime = "command"').message).toContain('agent.command');
    expect(load('agent.runtime = "command"\nagent.command = ["x", "y z"]').settings['agent.command']).toEqual(
      ['x', 'y z'],
    );
  });

  test('infra default needs seeds', () => {
    expect(broken('infra = "default"').message).toContain('seeds');
    expect(load('infra = "default"\nseeds = ["/ip4/192.0.2.1/tcp/1"]').settings.infra).toBe('default');
  });

  test('the first seed needs none, but has to be told that it is one, and to listen', () => {
    expect(load('infra = "default"\nrelay.serve = true').settings['relay.serve']).toBe(true);
    // Like seeds it may be set before infra is: one at a time is how "wats config set" goes.
    expect(load('relay.serve = true').settings.infra).toBe('none');
    expect(broken('infra = "default"\nrelay.serve = true\nlisten = []').message).toContain('listen');
  });

  test.each([
    '/home/ada/.local/share/wats',
    '/home/ada/.local/share/wats/',
    '/home/ada/.local',
    '/home/ada',
    '/',
    '~',
    '/home/ada/x/../.local',
  ])('the workdir may not be or contain the data directory: %s', (workdir) => {
    expect(broken(`agent.workdir = "${workdir}"`).message).toContain('data directory');
  });

  test.each(['/home/ada/.local/share/watson', '/home/ada/work', '/home/ada/.local/share/wats/agent/x'])(
    'another workdir is fine: %s',
    (workdir) => {
      expect(load(`agent.workdir = "${workdir}"`).settings['agent.workdir']).toBe(workdir);
    },
  );

  test('a workdir that is a link to the data directory is refused', () => {
    const realPath = (path: string) => (path === '/srv/link' ? around.dataDir : path);
    expect(broken('agent.workdir = "/srv/link"', { realPath }).message).toContain('data directory');
  });
});

describe('warnings', () => {
  test('a retired key is ignored with one warning', () => {
    const loaded = load('[agent]\nthread_backoff = 5\nthread_backoff_max = "1h"\n');
    expect(loaded.warnings).toEqual([
      'agent.thread_backoff is no longer used (loop detector, ADR 0011); remove it',
      'agent.thread_backoff_max is no longer used (loop detector, ADR 0011); remove it',
    ]);
  });

  test('a variable that nothing reads is told of, with the nearest known one; others are not', () => {
    const env = {
      WATS_DIR: '/x',
      WATS_SECRET_FILE: '/run/secret',
      WATS_MCP_SOCKET: '/s',
      WATS_OPENCLAW_DIR: '/o',
      WATS_SCREEN_READER: '1',
      WATS_RUN_ID: 'r-1',
      WATS_AGENT_MAX_TURN: '3',
      WATS_AGENT_THREAD_BACKOFF: '1m',
      WATS_ZZZZZZ: '1',
      PATH: '/bin',
    };
    expect(load(undefined, env).warnings).toEqual([
      'nothing reads WATS_AGENT_MAX_TURN; did you mean WATS_AGENT_MAX_TURNS?',
      'WATS_AGENT_THREAD_BACKOFF: agent.thread_backoff is no longer used (loop detector, ADR 0011); remove it',
      'nothing reads WATS_ZZZZZZ',
    ]);
  });
});
