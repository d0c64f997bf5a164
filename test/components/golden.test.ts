import { expect, test } from 'vitest';
import { NOW, VIEW } from './fixture.ts';
import { mount } from './mount.ts';

for (const [columns, rows] of [
  [120, 40],
  [80, 24],
] as const) {
  const golden = (name: string) => `golden/${name}-${columns}x${rows}.txt`;

  test(`a working day at ${columns}×${rows}`, async () => {
    const { terminal } = mount({ openEditor: () => Promise.resolve(null) }, columns, rows);
    await expect(await terminal.until('Drafts 3')).toMatchFileSnapshot(golden('overview'));
  });

  test(`a draft beside or under its post at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({ openEditor: () => Promise.resolve(null) }, columns, rows);
    await terminal.until('Drafts 3');
    press('\r');
    await expect(await terminal.until(/scroll to the end to publish|P publishes this/)).toMatchFileSnapshot(
      golden('draft'),
    );
  });

  test(`the help at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('?');
    await expect(await terminal.until('type to find')).toMatchFileSnapshot(golden('help'));
  });

  test(`quitting while a run is going at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('q');
    await expect(await terminal.until('let the run finish')).toMatchFileSnapshot(golden('quit'));
  });

  test(`trouble at ${columns}×${rows}`, async () => {
    const { terminal } = mount({}, columns, rows, {
      ...VIEW,
      alerts: [
        { code: 'halt', text: 'guardian ada ordered a halt of everything at 13:40 UTC', fix: null },
        { code: 'safety', text: 'agent.review was turned off', fix: 'wats config ack agent.review' },
      ],
      agent: {
        ...VIEW.agent!,
        access: 'workspace',
        opens: ['files of /home/me/project'],
        unguarded: ['a shell (Bash)', 'the network'],
        review: false,
        paused: true,
      },
      spend: {
        ...VIEW.spend!,
        day: { ...VIEW.spend!.day, spentMicroUsd: 2_000_000, bookedMicroUsd: 200_000 },
      },
      run: { ...VIEW.run!, state: 'ended', outcome: 'error', endedAt: NOW - 3 * 60_000 },
      queue: { ...VIEW.queue, verdict: 'paused: day budget, resets 00:00 UTC' },
    });
    await expect(await terminal.until('HALT')).toMatchFileSnapshot(golden('trouble'));
  });

  test(`a post in its thread at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('4');
    await terminal.until('Posts 5');
    press('j');
    await terminal.until('▸21ab');
    press('\r');
    await expect(await terminal.until('Which synchronous mode do you run, FULL')).toMatchFileSnapshot(
      golden('thread'),
    );
  });

  test(`the turns of a paused thread at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('\t');
    await terminal.until(/╭▸Paused threads 1/);
    press('\r');
    await expect(await terminal.until('took 31 turns')).toMatchFileSnapshot(golden('turns'));
  });

  test(`a search of the swarm at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('s');
    await terminal.until('All words must occur');
    for (const key of 'wal') press(key);
    press('\r');
    await terminal.until('1 of 200');
    press('\x1b[B');
    await expect(await terminal.until('2 of 200')).toMatchFileSnapshot(golden('search'));
  });

  test(`the settings, one of them to be acknowledged, at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({ runCommand: () => Promise.resolve(0) }, columns, rows);
    await terminal.until('Drafts 3');
    press('7');
    await terminal.until('Settings 5');
    press('\r');
    await expect(await terminal.until('To change it')).toMatchFileSnapshot(golden('settings'));
  });

  test(`the drafts panel with more room at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('+');
    await expect(await terminal.until('Paused threads 1: 31 turns')).toMatchFileSnapshot(golden('half'));
  });

  test(`why a wake waits at ${columns}×${rows}`, async () => {
    const { press, terminal } = mount({}, columns, rows);
    await terminal.until('Drafts 3');
    press('\t');
    await terminal.until(/╭▸Paused threads 1/);
    press('\t');
    await terminal.until(/╭▸Queue 3/);
    press('j');
    press('\r');
    await expect(await terminal.until('queued, try 2')).toMatchFileSnapshot(golden('why'));
  });

  test(`the first start with what was found at ${columns}×${rows}`, async () => {
    const empty = { total: 0, rows: [] };
    const { press, terminal } = mount({ runCommand: () => Promise.resolve(0) }, columns, rows, {
      ...VIEW,
      agent: null,
      programs: [
        { name: 'claude', version: '2.1.332', loggedIn: true, fix: null },
        { name: 'codex', version: null, loggedIn: null, fix: 'npm install -g @openai/codex' },
      ],
      spend: null,
      run: null,
      transcript: { runId: null, total: 0, tail: [] },
      drafts: empty,
      paused: empty,
      runs: empty,
      queue: { ...empty, verdict: null, until: null },
    });
    await expect(await terminal.until('logged in')).toMatchFileSnapshot(golden('first-start-found'));
    press('\r');
    await expect(await terminal.until('Set up an agent')).toMatchFileSnapshot(golden('first-start-setup'));
  });

  test(`a read-only view of a daemon that is gone at ${columns}×${rows}`, async () => {
    const { terminal } = mount({ mode: 'attach', readOnly: true }, columns, rows, {
      ...VIEW,
      alerts: [
        {
          code: 'daemon_gone',
          text: 'the daemon has gone away; this is what it last said, at 14:02 UTC',
          fix: 'start it with "wats"; this view connects again by itself',
        },
      ],
    });
    await expect(await terminal.until('DAEMON GONE')).toMatchFileSnapshot(golden('gone'));
  });

  test(`the first start, without an agent, at ${columns}×${rows}`, async () => {
    const empty = { total: 0, rows: [] };
    const { terminal } = mount({}, columns, rows, {
      ...VIEW,
      agent: null,
      spend: null,
      run: null,
      transcript: { runId: null, total: 0, tail: [] },
      drafts: empty,
      paused: empty,
      runs: empty,
      queue: { ...empty, verdict: null, until: null },
    });
    await expect(await terminal.until('WATCHING')).toMatchFileSnapshot(golden('first-start'));
  });
}

test('each list has its view', async () => {
  const { press, terminal } = mount({}, 80, 24);
  await terminal.until('Drafts 3');
  const seen: string[] = [];
  for (const [key, title] of [
    ['2', 'Drafts 3'],
    ['3', 'Runs 5 of 142'],
    ['4', 'Posts 5 of 1204'],
    ['5', 'Peers 4'],
    ['6', 'Log 4 of 812'],
    ['7', 'Settings 5'],
  ] as const) {
    press(key);
    seen.push(await terminal.until(title), '');
  }
  await expect(seen.join('\n')).toMatchFileSnapshot('golden/views-80x24.txt');
});
