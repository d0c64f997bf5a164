import { test } from 'vitest';
import { Drive } from './drive.ts';
import { DRAFT, NOW, VIEW } from './fixture.ts';

test('show', () => {
  const out: string[] = [];
  const show = (title: string, d: Drive) => out.push(`=== ${title}`, d.text());
  const small = { columns: 80, rows: 24 };
  let d = new Drive(VIEW, small);
  d.drafts.set('d-77', { ...DRAFT, text: DRAFT.text.repeat(2) });
  d.keys('enter');
  show('draft 80', d);
  d.keys('G');
  show('draft 80 end', d);
  d.event({ type: 'edited', for: 'draft', text: DRAFT.text.replace('hours', 'minutes') });
  show('edited', d);
  d.keys('x');
  d.type('too long');
  show('reject', d);
  d = new Drive(VIEW, small);
  d.keys('q');
  show('quit', d);
  d = new Drive(VIEW, small);
  d.keys('?');
  show('help', d);
  d.type('quit');
  show('help quit', d);
  d = new Drive(VIEW, small);
  d.keys('c');
  show('compose', d);
  for (const k of ['2', '3', '4', '5', '6']) {
    d = new Drive(VIEW, small);
    d.keys(k);
    show('view ' + k, d);
  }
  d = new Drive(
    {
      ...VIEW,
      alerts: [
        {
          code: 'safety',
          text: 'agent.review was turned off since you last looked',
          fix: 'wats config ack agent.review',
        },
        { code: 'halt', text: 'guardian ada ordered a halt of everything at 13:40 UTC', fix: null },
        { code: 'login', text: 'claude is not logged in', fix: 'claude /login' },
      ],
      agent: {
        ...VIEW.agent!,
        access: 'workspace',
        opens: ['/home/me/project with Read, Edit, Grep'],
        unguarded: ['a shell (Bash)', 'the network'],
        review: false,
      },
      spend: {
        ...VIEW.spend!,
        day: { ...VIEW.spend!.day, spentMicroUsd: 2_000_000, bookedMicroUsd: 200_000 },
      },
      queue: { ...VIEW.queue, verdict: 'paused: day budget, resets 00:00 UTC' },
    },
    small,
  );
  show('alerts', d);
  d.resize(120, 40);
  show('alerts 120', d);
  d.keys('tab', 'tab');
  d.resize(80, 24);
  show('queue', d);
  d = new Drive(VIEW, small);
  d.keys('tab', 'tab', 'tab');
  d.keys('k', 'k', 'k', 'enter');
  show('transcript', d);
  d.keys('/');
  d.type('kind:tool');
  show('filter', d);
  d = new Drive(
    {
      ...VIEW,
      agent: null,
      spend: null,
      run: null,
      transcript: { runId: null, total: 0, tail: [] },
      drafts: { total: 0, rows: [] },
      paused: { total: 0, rows: [] },
      queue: { total: 0, rows: [], verdict: null, until: null },
    },
    small,
  );
  show('first', d);
  d.resize(50, 10);
  show('tiny', d);
  console.log(out.join('\n'));
});
