import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startNode, watsJson } from '../support/node.ts';
import { afterwards, answeringDirectory, draftFor, open } from './support/screens.ts';

async function node(dir: string) {
  const running = await startNode(dir);
  afterwards(async () => {
    running.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

test('two terminals decide the same draft at once: one wins, the other is told, and it is published once', async () => {
  const dir = answeringDirectory();
  await node(dir);
  await draftFor(dir, 'How is money kept in check?');
  const views = [open(['agent', 'attach', '--dir', dir]), open(['agent', 'attach', '--dir', dir])];
  for (const view of views) {
    await view.until('Drafts 1');
    view.type('a');
    await view.until('P publishes this');
  }
  for (const view of views) view.type('P');
  const texts = await Promise.all(views.map((view) => view.until(/[✓✗] /)));
  expect(texts.filter((text) => /✓ .*published/i.test(text))).toHaveLength(1);
  expect(
    texts.filter((text) => /✗ .*(approved|decided|published) already|✗ .*already/.test(text)),
  ).toHaveLength(1);
  const { posts } = await watsJson<{ posts: number }>(['status'], { dir });
  expect(posts, 'the ask and one answer').toBe(2);
});

test('a draft open on one terminal that is rejected on another cannot be published', async () => {
  const dir = answeringDirectory();
  await node(dir);
  await draftFor(dir, 'How is money kept in check?');
  const view = open(['agent', 'attach', '--dir', dir]);
  const other = open(['agent', 'attach', '--dir', dir]);
  await view.until('Drafts 1');
  view.type('a');
  await view.until('P publishes this');
  await other.until('Drafts 1');
  other.type('x');
  await other.until('reason:');
  other.type('\r');
  await other.until('Drafts 0');
  await view.until('rejected already');
  view.type('P');
  view.type('\x1b');
  await view.until('Drafts 0');
  expect((await watsJson<{ posts: number }>(['status'], { dir })).posts).toBe(1);
});

test('when the daemon goes away the view says so, and is live again by itself when it is back', async () => {
  const dir = answeringDirectory();
  const first = await node(dir);
  const view = open(['agent', 'attach', '--dir', dir]);
  await view.until('No run yet');
  first.kill('SIGKILL');
  await first.ended;
  const gone = await view.until('DAEMON GONE');
  expect(gone.replace(/\s+/g, ' ')).toContain('this view connects again by itself');
  view.type('r');
  await view.until('the daemon is gone');
  await node(dir);
  expect(await view.until(/\? help {2}q close/)).toBeTruthy();
  await draftFor(dir, 'How is money kept in check?');
  expect(await view.until('Drafts 1')).not.toContain('DAEMON GONE');
  view.type('q');
  expect(await view.ended).toBe(0);
  expect(await view.inOrder()).toBe(true);
});

test('a read-only view shows a draft in full and publishes nothing', async () => {
  const dir = answeringDirectory();
  await node(dir);
  await draftFor(dir, 'How is money kept in check?');
  const view = open(['agent', 'attach', '--read-only', '--dir', dir]);
  await view.until('READ-ONLY');
  view.type('\r');
  await view.until(/Draft: answer/);
  view.type('P');
  await view.until('this view is read-only');
  view.type('\x1b');
  await view.until('Drafts 1');
  view.type('q');
  expect(await view.ended).toBe(0);
});

test('without a daemon there is nothing to attach to, and the terminal is left alone', async () => {
  const view = open(['agent', 'attach', '--dir', answeringDirectory()]);
  expect(await view.ended).toBe(3);
  expect(await view.text()).toContain('no wats daemon is running');
  expect(view.written).not.toContain('\x1b[?1049');
});

test('attach has the theme, the keys and the mouse of config.toml, as the daemon’s own screen has', async () => {
  const dir = answeringDirectory();
  appendFileSync(
    join(dir, 'config.toml'),
    '\n[ui]\ntheme = "none"\nmouse = true\nkeys = { "screen.help" = ["f"] }\n',
  );
  const own = open(['--dir', dir]);
  const view = await own.until('No run yet').then(() => open(['agent', 'attach', '--dir', dir]));
  await view.until('No run yet');
  for (const terminal of [own, view]) {
    expect(terminal.coloured).toBe(false);
    expect(terminal.written).toContain('\x1b[?1000h');
    terminal.type('f');
    await terminal.until('type to find');
  }
});

test('a view rings its terminal for a new draft, once, and not for those that were there', async () => {
  const dir = answeringDirectory();
  writeFileSync(
    join(dir, 'config.toml'),
    readFileSync(join(dir, 'config.toml'), 'utf8').replace('notify = false', 'notify = true'),
  );
  await node(dir);
  await draftFor(dir, 'How is money kept in check?');
  const view = open(['agent', 'attach', '--dir', dir], { env: { TERM_PROGRAM: 'WezTerm' } });
  await view.until('Drafts 1');
  const rings = () => view.written.match(/\x1b\]9;[^\x07]*\x07/g) ?? [];
  expect(rings()).toEqual([]);
  await draftFor(dir, 'How is a wake decided?');
  await view.until('Drafts 2');
  await draftFor(dir, 'What does review do?');
  await view.until('Drafts 3');
  expect(rings(), 'the second within a minute waits').toEqual([
    '\x1b]9;wats: 2 drafts wait for your review\x07',
  ]);
});
