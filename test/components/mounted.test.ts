import { expect, test } from 'vitest';
import { DRAFT_TEXT, VIEW } from './fixture.ts';
import { mount } from './mount.ts';

test('Enter, then P: the draft is published, and the screen says how it ended', async () => {
  const { controls, press, terminal } = mount();
  controls.answer = () => ({ ok: true, text: 'published as 3f2a91' });
  await terminal.until('Drafts 3');
  press('\r');
  await terminal.until('P publishes this');
  press('P');
  await terminal.until('✓ published as 3f2a91');
  expect(controls.sent).toEqual([
    { id: 'test-1', intent: { do: 'approve', draft: 'd-77', sha256: 'a'.repeat(64) } },
  ]);
});

test('a chunk with two P, a bracketed paste of P and a mouse click on the word publish nothing', async () => {
  const { controls, press, terminal } = mount();
  await terminal.until('Drafts 3');
  press('m');
  await terminal.until('clicks are on');
  press('\r');
  await terminal.until('P publishes this');
  press('PP');
  await terminal.until('P came with other input');
  press('\x1b[200~P\x1b[201~');
  await terminal.until('pasted text does nothing here');
  press('\x1b[<0;100;39M');
  press('g');
  await terminal.until('P publishes this');
  press('\x1b[BP');
  await terminal.until('P came with other input');
  expect(controls.sent).toEqual([]);
  press('P');
  await terminal.until('done');
  expect(controls.sent).toHaveLength(1);
});

test('P right behind the Enter that opens a draft comes too early', async () => {
  const { controls, clock, terminal } = mount();
  await terminal.until('Drafts 3');
  clock.now += 1_000;
  terminal.type('\r');
  clock.now += 10;
  terminal.type('P');
  await terminal.until((text) => text.includes('P publishes this') || text.includes('press'));
  expect(controls.sent).toEqual([]);
});

test('a P before the frame with the draft is written publishes nothing, though the draft is here', async () => {
  const { controls, press, terminal } = mount({ maxFps: 0.5 });
  await terminal.until('Drafts 3');
  press('\r');
  while (controls.pages.length === 0) await new Promise((resolve) => setImmediate(resolve));
  press('P');
  await terminal.until('it came before the screen showed this');
  expect(controls.sent).toEqual([]);
  press('g');
  await terminal.until('P publishes this');
  press('P');
  await terminal.until('done');
  expect(controls.sent).toHaveLength(1);
});

test('every key press has an id of its own', async () => {
  const { controls, press, terminal } = mount();
  await terminal.until('Drafts 3');
  press('r');
  press('r');
  await terminal.until('done');
  expect(controls.sent.map((one) => one.id)).toEqual(['test-1', 'test-2']);
});

test('the editor gets the terminal, and its text comes back as a diff', async () => {
  const during: boolean[] = [];
  const { controls, press, terminal } = mount({
    openEditor: async (text) => {
      await terminal.until(() => !terminal.alternate);
      during.push(terminal.alternate, terminal.raw);
      return text.replace('hours', 'minutes');
    },
  });
  await terminal.until('Drafts 3');
  press('e');
  const text = await terminal.until('edited by you');
  expect(during).toEqual([false, false]);
  expect(terminal.alternate).toBe(true);
  expect(terminal.raw).toBe(true);
  expect(text).toMatch(/- - Let no reader stay open for hours/);
  expect(text).toMatch(/\+ - Let no reader stay open for minutes/);
  await terminal.until('P publishes this');
  press('P');
  await terminal.until('done');
  expect(controls.sent[0]?.intent).toMatchObject({
    do: 'approve',
    text: DRAFT_TEXT.replace('hours', 'minutes'),
  });
});

test('^Z gives the terminal away while the job is stopped', async () => {
  let goOn: () => void = () => undefined;
  const { press, terminal } = mount({
    suspend: () =>
      new Promise((resolve) => {
        goOn = resolve;
      }),
  });
  await terminal.until('Drafts 3');
  press('\x1a');
  await terminal.until(() => !terminal.alternate);
  expect(terminal.raw).toBe(false);
  goOn();
  await terminal.until('Drafts 3');
  expect(terminal.alternate).toBe(true);
});

test('y copies by OSC 52 and says so', async () => {
  const { press, terminal } = mount();
  await terminal.until('Drafts 3');
  press('y');
  await terminal.until('copied 4 characters');
  expect(terminal.written).toContain(`\x1b]52;c;${Buffer.from('d-77').toString('base64')}\x07`);
});

test('the wheel scrolls the transcript, and clicks reach panels only when they are on', async () => {
  const { press, terminal } = mount({}, 100, 24);
  await terminal.until('Drafts 3');
  press('m');
  await terminal.until('clicks are on');
  expect(terminal.written).toContain('\x1b[?1000h');
  press('\x1b[<0;10;6M');
  await terminal.until('╭▸Run r-0142');
  press('\x1b[<64;10;6M');
  await terminal.until('G to the end');
  press('m');
  await terminal.until('clicks are off');
  expect(terminal.written).toContain('\x1b[?1000l');
});

test('thirty random sizes leave no garbage', async () => {
  const { terminal } = mount({}, 100, 30);
  await terminal.until('Drafts 3');
  let seed = 7;
  const random = (from: number, to: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from + (seed % (to - from + 1));
  };
  for (let at = 0; at < 30; at += 1) {
    terminal.resize(random(40, 180), random(8, 60));
    // Some sizes are drawn before the next one comes, some are not.
    if (at % 3 === 0) await terminal.lines();
  }
  terminal.resize(120, 40);
  const fresh = mount();
  const expected = await fresh.terminal.until('Drafts 3');
  expect(await terminal.until((text) => text === expected)).toBe(expected);
});

test('a terminal that is gone closes the screen, and nothing else', async () => {
  const { controls, errors, terminal, screen } = mount();
  await terminal.until('Drafts 3');
  terminal.break();
  controls.change({ drafts: { total: 0, rows: [] } });
  await screen.done;
  expect(errors).toEqual([]);
  expect(controls.listening).toBe(0);
});

test('a screen that breaks is taken down, the terminal is restored, and the daemon hears of it', async () => {
  const { controls, errors, terminal, screen } = mount();
  await terminal.until('Drafts 3');
  controls.change({ node: null as never });
  await screen.done;
  expect(errors).toHaveLength(1);
  await terminal.until(() => !terminal.alternate);
  expect(controls.listening).toBe(0);
  // Later changes of the view reach nobody.
  controls.change({});
  expect(errors).toHaveLength(1);
});

test('an error while drawing is no different', async () => {
  const { controls, errors, terminal, screen } = mount();
  await terminal.until('Drafts 3');
  controls.change({ spend: { ...VIEW.spend!, day: null as never } });
  await screen.done;
  expect(errors).toHaveLength(1);
  await terminal.until(() => !terminal.alternate);
});

test('a long chunk is a paste, also in a terminal that does not say so', async () => {
  const { controls, press, terminal } = mount();
  await terminal.until('Drafts 3');
  press('rrrrq\rPPPPPPPPPPPPPPPPPP');
  await terminal.until('pasted text does nothing here');
  expect(controls.sent).toEqual([]);
});

test('unmounting gives back the alternate screen, raw mode, wheel and title', async () => {
  const { terminal, screen } = mount({ setTitle: true });
  await terminal.until('Drafts 3');
  expect(terminal.alternate).toBe(true);
  expect(terminal.written).toContain('\x1b]2;wats ● 3 drafts · running\x07');
  screen.unmount();
  await screen.done;
  await terminal.until(() => !terminal.alternate);
  expect(terminal.raw).toBe(false);
  expect(terminal.written).toContain('\x1b[?1007r');
  expect(terminal.written).toContain('\x1b[23;2t');
});

test('what does not change writes nothing', async () => {
  const { controls, terminal } = mount();
  await terminal.until('Drafts 3');
  const written = terminal.written.length;
  for (let at = 0; at < 5; at += 1) {
    controls.change({});
    await terminal.until('Drafts 3');
  }
  expect(terminal.written.slice(written)).toBe('');
});
