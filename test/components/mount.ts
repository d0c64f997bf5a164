import { afterEach } from 'vitest';
import { mountScreen, type Screen, type ScreenOptions } from '../../components/index.tsx';
import { TestTerminal } from '../support/terminal.ts';
import { TestControls } from './controls.ts';
import { NOW, VIEW } from './fixture.ts';

const open: { readonly screen: Screen; readonly terminal: TestTerminal }[] = [];

afterEach(async () => {
  for (const { screen, terminal } of open.splice(0)) {
    screen.unmount();
    await screen.done;
    terminal.dispose();
  }
});

/** The live screen on a terminal of its own, taken down after the test. */
export function mount(options: Partial<ScreenOptions> = {}, columns = 120, rows = 40, view = VIEW) {
  const terminal = new TestTerminal(columns, rows);
  const controls = new TestControls(view);
  const quits: string[] = [];
  const errors: unknown[] = [];
  const clock = { now: NOW };
  const screen = mountScreen({
    controls,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    now: () => clock.now,
    mode: 'daemon',
    theme: 'none',
    idPrefix: 'test',
    maxFps: 1_000,
    onQuit: (how) => quits.push(how),
    onError: (error) => errors.push(error),
    ...options,
  });
  open.push({ screen, terminal });
  /** A key as a person presses it: some time after the one before. */
  const press = (chunk: string) => {
    clock.now += 1_000;
    terminal.type(chunk);
  };
  return { terminal, screen, controls, quits, errors, clock, press };
}
