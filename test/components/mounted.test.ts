import { afterEach, expect, test } from 'vitest';
import { mountScreen, type Screen, type ScreenOptions } from '../../components/index.tsx';
import { TestTerminal } from '../support/terminal.ts';
import { NOW, TestControls } from './fixture.ts';

let terminal: TestTerminal;
let screen: Screen | undefined;

afterEach(async () => {
  screen?.unmount();
  await screen?.done;
  screen = undefined;
  terminal.dispose();
});

function mount(options: Partial<ScreenOptions> = {}, columns = 120, rows = 40) {
  terminal = new TestTerminal(columns, rows);
  const controls = new TestControls();
  const quits: string[] = [];
  const errors: unknown[] = [];
  const clock = { now: NOW };
  screen = mountScreen({
    controls,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    now: () => clock.now,
    mode: 'daemon',
    theme: 'none',
    idPrefix: 'test',
    maxFps: 1000,
    onQuit: (how) => quits.push(how),
    onError: (error) => errors.push(error),
    ...options,
  });
  const press = (key: string) => {
    clock.now += 1000;
    terminal.type(key);
  };
  return { controls, quits, errors, clock, press };
}

test('smoke', async () => {
  const { press, controls } = mount();
  console.log(await terminal.until('Drafts 3'));
  press('\r');
  console.log(await terminal.until('P publishes'));
  press('P');
  await terminal.until('done');
  console.log(controls.sent);
});
