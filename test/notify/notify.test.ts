import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createNotifier, type NoticeKind, type NotifierOptions, notice } from '../../src/notify/index.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A desktop whose notification program writes down its arguments, its input and its environment. */
function desktop(program: 'notify-send' | 'osascript', exitCode = 0) {
  const dir = mkdtempSync(join(tmpdir(), 'wats-notify-'));
  dirs.push(dir);
  const script = [
    '#!/bin/sh',
    `{ echo "args $#"; for a in "$@"; do echo "[$a]"; done; cat; env | sort; } >>'${dir}/calls'`,
    `exit ${exitCode}`,
  ];
  writeFileSync(join(dir, program), script.join('\n'));
  chmodSync(join(dir, program), 0o755);
  return {
    dir,
    path: `${dir}:/usr/bin:/bin`,
    calls: () => (existsSync(join(dir, 'calls')) ? readFileSync(join(dir, 'calls'), 'utf8') : ''),
  };
}

/** A notifier with a clock that a test moves, and what it wrote to the terminal. */
function notifier(options: Partial<NotifierOptions> = {}) {
  let now = 1_000_000;
  const written: string[] = [];
  const due: { at: number; call: () => void }[] = [];
  const made = createNotifier({
    platform: 'linux',
    env: { PATH: '/nowhere' },
    now: () => now,
    terminal: (bytes) => written.push(bytes),
    later: (ms, call) => {
      const entry = { at: now + ms, call };
      due.push(entry);
      return () => due.splice(due.indexOf(entry), 1);
    },
    ...options,
  });
  /** Lets time pass, then waits for what it set off. */
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const entry of due.filter(({ at }) => at <= now)) {
      due.splice(due.indexOf(entry), 1);
      entry.call();
    }
  };
  return { ...made, pass, written, due };
}

describe('notice', () => {
  it('says what happened in fixed words and a count', () => {
    expect(notice('draft', 1)).toBe('A draft waits for your review');
    expect(notice('draft', 3)).toBe('3 drafts wait for your review');
    expect(notice('budget', 1)).toBe('A budget is used up and the agent waits');
    expect(notice('halt', 1)).toBe('A guardian halted the agent');
  });

  it('is letters, digits and spaces, whatever the count', () => {
    const kinds = fc.constantFrom<NoticeKind[]>('draft', 'budget', 'halt');
    fc.assert(
      fc.property(kinds, fc.oneof(fc.double(), fc.integer()), (kind, count) => {
        expect(notice(kind, count)).toMatch(/^[A-Z0-9][A-Za-z0-9 ]{10,80}$/);
      }),
    );
  });
});

describe('a notifier', () => {
  it('calls notify-send with fixed arguments, without a shell, and with little of our environment', async () => {
    const { path, calls } = desktop('notify-send');
    const env = { PATH: path, DISPLAY: ':0', HOME: '/home/ann', ANTHROPIC_API_KEY: 'sk-secret' };
    const { tell, close, written } = notifier({ env });
    tell('draft', 2);
    await close();
    const lines = calls().split('\n');
    expect(lines.slice(0, 3)).toEqual(['args 2', '[wats]', '[2 drafts wait for your review]']);
    expect(lines).toContain('DISPLAY=:0');
    expect(calls()).not.toContain('sk-secret');
    expect(written).toEqual([]);
  });

  it('gives osascript its script on stdin, and no argument at all', async () => {
    const { path, calls } = desktop('osascript');
    const { tell, close } = notifier({ platform: 'darwin', env: { PATH: path } });
    tell('halt', 1);
    await close();
    expect(calls().split('\n').slice(0, 2)).toEqual([
      'args 0',
      'display notification "A guardian halted the agent" with title "wats"',
    ]);
  });

  it.each([
    ['the program is missing', { PATH: '/nowhere', DISPLAY: ':0' }],
    ['there is no desktop', { PATH: '/usr/bin:/bin' }],
  ])('rings the bell when %s', async (_name, env) => {
    const written: string[] = [];
    await new Promise<void>((resolve) => {
      const { tell } = notifier({
        env,
        terminal: (bytes) => {
          written.push(bytes);
          resolve();
        },
      });
      tell('draft', 1);
    });
    expect(written).toEqual(['\x07']);
  });

  it('starts no program from a directory that depends on where the daemon was started', async () => {
    const { dir, calls } = desktop('notify-send');
    const env = { PATH: relative(process.cwd(), dir), DISPLAY: ':0' };
    const rang = new Promise<string>((resolve) => notifier({ env, terminal: resolve }).tell('draft', 1));
    expect(await rang).toBe('\x07');
    expect(calls()).toBe('');
  });

  it('rings the bell when the program fails, and over ssh never starts it', async () => {
    const failing = desktop('notify-send', 1);
    const remote = desktop('notify-send');
    for (const env of [
      { PATH: failing.path, DISPLAY: ':0' },
      { PATH: remote.path, DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' },
    ]) {
      const rang = new Promise<string>((resolve) => notifier({ env, terminal: resolve }).tell('budget', 1));
      expect(await rang).toBe('\x07');
    }
    expect(failing.calls()).toContain('args 2');
    expect(remote.calls()).toBe('');
  });

  it.each([
    [{ TERM_PROGRAM: 'iTerm.app' }, '\x1b]9;wats: A draft waits for your review\x07'],
    [{ TERM: 'xterm-kitty' }, '\x1b]9;wats: A draft waits for your review\x07'],
    [{ TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/tmux-1/default,1,0' }, '\x07'],
    [{ TERM: 'xterm-256color' }, '\x07'],
  ])('uses OSC 9 where it is shown: %j', async (env, bytes) => {
    const rang = new Promise<string>((resolve) => notifier({ env, terminal: resolve }).tell('draft', 1));
    expect(await rang).toBe(bytes);
  });

  it('tells once a minute of a kind, with the newest count, and each kind by itself', async () => {
    const { path, calls } = desktop('notify-send');
    const { tell, close, pass, due } = notifier({ env: { PATH: path, DISPLAY: ':0' } });
    tell('draft', 1);
    tell('draft', 2);
    tell('draft', 3);
    tell('budget', 1);
    expect(due).toHaveLength(1);
    await pass(59_999);
    expect(due).toHaveLength(1);
    await pass(1);
    expect(due).toHaveLength(0);
    await close();
    expect([...calls().matchAll(/^\[(?!wats)(.*)\]$/gm)].map((match) => match[1]).sort()).toEqual([
      '3 drafts wait for your review',
      'A budget is used up and the agent waits',
      'A draft waits for your review',
    ]);
  });

  it('takes back what waits when nothing is left to tell, and when it is closed', async () => {
    const { tell, close, due } = notifier();
    tell('draft', 1);
    tell('draft', 2);
    tell('draft', 0);
    expect(due).toHaveLength(0);
    tell('draft', 2);
    expect(due).toHaveLength(1);
    await close();
    expect(due).toHaveLength(0);
    tell('halt', 1);
    expect(due).toHaveLength(0);
  });
});
