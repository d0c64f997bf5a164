import { expect, test } from 'vitest';
import { blank } from '../../components/screen/recorder.ts';
import { cellWidth } from '../../src/text/index.ts';
import { ENTRIES } from './fixture.ts';
import { mount } from './mount.ts';

function saving() {
  const files: { readonly name: string; readonly text: string }[] = [];
  const mounted = mount({
    saveFile: (name, text) => {
      files.push({ name, text });
      return Promise.resolve(`/tmp/wats-${name}.txt`);
    },
  });
  return { ...mounted, files };
}

test('^S saves the whole transcript of the run, also what has left the screen, and says where', async () => {
  const { terminal, controls, press, files } = saving();
  await terminal.until('Drafts 3');
  const many = Array.from({ length: 1_203 }, (_, n) => ({
    n,
    at: null,
    kind: 'text' as const,
    label: null,
    text: `entry ${n}`,
    omitted: 0,
  }));
  controls.transcripts.set('r-0142', many);
  controls.change({ transcript: { runId: 'r-0142', total: many.length, tail: many.slice(-50) } });
  press('\x1b[Z');
  await terminal.until(/╭▸Run r-0142/);
  press('\x13');
  await terminal.until('saved /tmp/wats-run-r-0142.txt');
  expect(files.map(({ name }) => name)).toEqual(['run-r-0142']);
  expect(files[0]?.text.match(/^entry \d+$/gm)).toEqual(many.map(({ text }) => text));
});

test('^S on a list saves its rows, those that the filter shows; on a draft its text', async () => {
  const { terminal, press, files } = saving();
  await terminal.until('Drafts 3');
  press('4');
  await terminal.until('Posts 5');
  press('/');
  for (const key of 'kind:ask') press(key);
  press('\r');
  await terminal.until('match "kind:ask"');
  press('\x13');
  await terminal.until('saved /tmp/wats-posts.txt');
  expect(files[0]?.text.trim().split('\n')).toHaveLength(2);
  expect(files[0]?.text).toContain('WAL or rollback journal?');
  press('1');
  await terminal.until('Drafts 3');
  press('\r');
  await terminal.until(/scroll to the end|P publishes/);
  press('\x13');
  await terminal.until('saved /tmp/wats-d-77.txt');
  expect(files[1]?.text).toContain('What it costs: two more files beside the database');
});

test('a file that cannot be written is told of, and nothing else happens', async () => {
  const { terminal, press } = mount({
    saveFile: () => Promise.reject(new Error('wats-drafts.txt cannot be written')),
  });
  await terminal.until('Drafts 3');
  press('\x13');
  await terminal.until('✗ wats-drafts.txt cannot be written');
});

test('D saves the frame and the last keys, and not one word of a post, a draft, or what was typed', async () => {
  const { terminal, press, files } = saving();
  await terminal.until('Drafts 3');
  press('x');
  await terminal.until('reason:');
  for (const key of 'secret') press(key);
  press('\x1b[200~token\x1b[201~');
  await terminal.until('secrettoken');
  press('\x1b');
  await terminal.until((screen) => !screen.includes('reason:'));
  press('D');
  await terminal.until('saved /tmp/wats-screen.txt');
  const text = files[0]?.text ?? '';
  const words = ENTRIES.flatMap((entry) => entry.text.split(/\W+/)).filter((word) => word.length > 3);
  for (const word of [...words, 'secret', 'token', 'rollback']) expect(text).not.toContain(word);
  expect(text.match(/key x( \(not alone\))? in reject/g)).toHaveLength(6);
  expect(text).toContain('paste of 5 characters in reject');
  expect(text).toMatch(/^╭/m);
  expect(text).toContain('wats 0.1.0 · 120×40');
});

test('a blanked row is as wide as it was', () => {
  for (const text of ['WAL or rollback? 12', '日本語のメモ', 'naïve café ✓ →', '한국어 テキスト', 'שלום'])
    expect(cellWidth(blank(text))).toBe(cellWidth(text));
});

test('+ gives the panel in focus most of the screen, then all of it; _ takes it back; every row stays full', async () => {
  const { terminal, press } = mount();
  await terminal.until('Drafts 3');
  press('+');
  const half = await terminal.until('Paused threads 1: 31 turns');
  expect(half).toContain('Run r-0142');
  press('+');
  await terminal.until((text) => !text.includes('Run r-0142'));
  press('_');
  await terminal.until('Run r-0142');
  press('_');
  const normal = await terminal.until('╭ Paused threads 1');
  expect(normal).toContain('╭ Queue 3');
});
