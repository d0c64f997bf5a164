import {
  MOUSE_OFF,
  MOUSE_ON,
  TITLE_BACK,
  TITLE_SAVE,
  titleSequence,
  WHEEL_OFF,
  WHEEL_ON,
  WRAP_OFF,
  WRAP_ON,
} from './terminal.ts';

/** What the terminal is switched to while the screen is on it, besides what Ink does, and switched back from. */
export interface Dress {
  readonly enter: (mouse: boolean) => void;
  readonly leave: (mouse: boolean) => void;
  /** Gives the window the title that it should have now, where that is another one. */
  readonly retitle: () => void;
}

/**
 * @param write writes an escape sequence
 * @param headline what the window is called; `null` leaves its title alone
 */
export function createDress(write: (sequence: string) => void, headline: (() => string) | null): Dress {
  let title = '';
  const retitle = () => {
    const next = headline?.() ?? '';
    if (next === title) return;
    title = next;
    write(titleSequence(title));
  };
  return {
    retitle,
    enter(mouse) {
      write((headline === null ? '' : TITLE_SAVE) + WRAP_OFF + WHEEL_ON + (mouse ? MOUSE_ON : ''));
      title = '';
      retitle();
    },
    leave: (mouse) =>
      write((mouse ? MOUSE_OFF : '') + WHEEL_OFF + WRAP_ON + (headline === null ? '' : TITLE_BACK)),
  };
}
