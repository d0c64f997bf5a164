import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataDirectory, eventually, watsJson } from '../support/node.ts';
import { afterwards, answeringDirectory, draftFor, expectGolden, open, SIZES } from './support/screens.ts';

interface Listed {
  readonly thread: { readonly posts: readonly { readonly kind: string; readonly text: string }[] };
}

test.each(SIZES)(
  'a node at work on %i×%i: its run, its drafts, the thread, and why',
  async (columns, rows) => {
    const dir = answeringDirectory();
    const terminal = open(['--dir', dir], { columns, rows });
    await terminal.until('No run yet');
    await draftFor(dir, 'How is money kept in check?');
    await draftFor(dir, 'Which journal mode does the store use?');
    await terminal.until('Drafts 2');
    const size = `${columns}x${rows}`;
    expectGolden(`node-at-work-${size}`, await terminal.until('ended: ok'));

    terminal.type('4');
    await terminal.until('Posts 2');
    terminal.type('\r');
    expectGolden(`node-thread-${size}`, await terminal.until(/Thread [0-9a-f]{4}/));
    terminal.type('w');
    expectGolden(`node-why-${size}`, await terminal.until('decides'));
    terminal.type('\x1b');
    await terminal.until(/Thread [0-9a-f]{4}/);
    terminal.type('\x1b');
    await terminal.until('Posts 2');
  },
);

test.each([
  [120, 40],
  [80, 24],
])('the drafts with more room, a search and the settings on %i×%i', async (columns, rows) => {
  const dir = answeringDirectory();
  const terminal = open(['--dir', dir], { columns, rows });
  await terminal.until('No run yet');
  await draftFor(dir, 'How is money kept in check?');
  await draftFor(dir, 'Which journal mode does the store use?');
  await terminal.until('Drafts 2');
  await terminal.until('ended: ok');
  const size = `${columns}x${rows}`;

  terminal.type('\t');
  await terminal.until('▸Drafts 2');
  terminal.type('+');
  expectGolden(`node-half-${size}`, await terminal.until(/Paused threads 0(?!.*╮)/));
  terminal.type('_');

  terminal.type('s');
  await terminal.until('All words must occur');
  for (const key of 'journal') terminal.type(key);
  await terminal.until('journal▏');
  terminal.type('\r');
  expectGolden(`node-search-${size}`, await terminal.until('1 of 1'));
  terminal.type('\x1b');
  await terminal.until('Queue 0');

  terminal.type('7');
  expectGolden(`node-settings-${size}`, await terminal.until('▸Settings'));
});

test('a run is watched as it goes, and its draft is rejected with a reason, brought back, and published', async () => {
  const dir = answeringDirectory();
  const terminal = open(['--dir', dir], { env: { WATS_EXAMPLE_DELAY_MS: '150' } });
  await terminal.until('No run yet');
  const { id } = await watsJson<{ id: string }>(['ask', 'How is money kept in check?'], { dir });
  await terminal.until('I was woken for 1 post.');
  await terminal.until('ended: ok');
  await terminal.until('Drafts 1');

  terminal.type('x');
  await terminal.until('reason:');
  for (const key of 'too long') terminal.type(key);
  await terminal.until('reason: too long');
  terminal.type('\r');
  await terminal.until('Drafts 0');
  terminal.type('u');
  await terminal.until('Drafts 1');

  terminal.type('a');
  await terminal.until('P publishes this');
  terminal.type('P');
  await terminal.until('Drafts 0');
  const answers = await eventually(async () => {
    const { thread } = await watsJson<Listed>(['read', id], { dir });
    const found = thread.posts.filter(({ kind }) => kind === 'answer');
    return found.length > 0 && found;
  });
  expect(answers).toHaveLength(1);
});

test('^C in the editor is the editor’s: neither the daemon, nor a view, nor a command ends by it', async () => {
  const dir = answeringDirectory();
  const place = dataDirectory();
  afterwards(place.remove);
  const editor = join(place.dir, 'editor.mjs');
  writeFileSync(
    editor,
    `import { appendFileSync } from 'node:fs';
process.on('SIGINT', () => console.log('INTERRUPTED'));
console.log('EDITING');
process.stdin.once('data', () => {
  appendFileSync(process.argv.at(-1), '\\nby hand\\n');
  process.exit(0);
});
`,
  );
  const env = { VISUAL: `${process.execPath} ${editor}` };
  const daemon = open(['--dir', dir], { env });
  await daemon.until('No run yet');
  await draftFor(dir, 'How is money kept in check?');
  const view = open(['agent', 'attach', '--dir', dir], { env });
  const asking = open(['ask', '--dir', dir], { env });
  await asking.until('EDITING');
  asking.type('\x03');
  await asking.until('INTERRUPTED');
  asking.type('\r');
  expect(await asking.ended, 'a command waits for its editor as well').toBe(0);
  for (const terminal of [daemon, view]) {
    await terminal.until(/Drafts [1-9]/);
    terminal.type('e');
    await terminal.until('EDITING');
    terminal.type('\x03');
    await terminal.until('INTERRUPTED');
    terminal.type('\r');
    await terminal.until('+ by hand');
    terminal.type('\x1b');
    await terminal.until(/Drafts [1-9]/);
  }
});

test('e opens the draft in $VISUAL, and what was saved is shown as a diff and published', async () => {
  const dir = answeringDirectory();
  const place = dataDirectory();
  afterwards(place.remove);
  const editor = join(place.dir, 'editor');
  // It has the terminal: what it prints there is seen, and a key that is typed reaches it.
  writeFileSync(
    editor,
    '#!/bin/sh\nprintf "EDITING %s\\n" "$(head -c 20 "$1")"\nread answer\nprintf "\\nadded: $answer\\n" >>"$1"\n',
  );
  chmodSync(editor, 0o700);
  const terminal = open(['--dir', dir], { env: { VISUAL: editor } });
  await terminal.until('No run yet');
  const draft = await draftFor(dir, 'How is money kept in check?');
  await terminal.until('Drafts 1');
  terminal.type('e');
  await terminal.until('EDITING Money is booked');
  expect(await terminal.inOrder(), 'the editor has a terminal in order').toBe(true);
  terminal.type('by hand\r');
  await terminal.until('+ added: by hand');
  expect(terminal.alternate).toBe(true);
  terminal.type('G');
  await terminal.until('P publishes this');
  terminal.type('P');
  await terminal.until('Drafts 0');
  const held = await watsJson<{ id: string }[]>(['agent', 'pending'], { dir });
  expect(held.map(({ id }) => id)).not.toContain(draft);
  terminal.type('4');
  await terminal.until('Posts 2');
  terminal.type('G');
  terminal.type('\r');
  expect(await terminal.until(/Thread [0-9a-f]{4}/)).toContain('added: by hand');
});
