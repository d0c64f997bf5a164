/** Escape sequences that Ink does not send. They move no cursor, so they may go out between two frames. */

/**
 * Undoes what a wats that was killed left on: the alternate screen, the mouse, bracketed paste, a hidden cursor, lines
 * that do not wrap. On a terminal in order it changes nothing: the place that leaving the alternate screen puts the
 * cursor back to is saved right before.
 */
export const RESET =
  '\x1b7\x1b[?1049l\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[?7h\x1b[?25h';
/** A row that is a cell too wide in some terminal is cut there and shifts nothing. */
export const WRAP_OFF = '\x1b[?7l';
export const WRAP_ON = '\x1b[?7h';
/** The wheel sends arrows on the alternate screen; what the terminal had before is saved and put back. */
export const WHEEL_ON = '\x1b[?1007s\x1b[?1007h';
export const WHEEL_OFF = '\x1b[?1007r';
/** Clicks and wheel as SGR reports. */
export const MOUSE_ON = '\x1b[?1000h\x1b[?1006h';
export const MOUSE_OFF = '\x1b[?1006l\x1b[?1000l';
/** Keeps the title that the terminal has, and gives it back. */
export const TITLE_SAVE = '\x1b[22;2t';
export const TITLE_BACK = '\x1b[23;2t';

/** Base64 characters that terminals take in one OSC 52. */
const COPY_LIMIT = 100_000;

/** The window's title; only printable characters of it. */
export function titleSequence(title: string): string {
  return `\x1b]2;${title.replace(/[^\x20-\x7e\u00a0-\u024f●·]/g, '')}\x07`;
}

/** Puts a text into the terminal's clipboard; `null` when it is too long for terminals to take. */
export function copySequence(text: string): string | null {
  const base64 = Buffer.from(text, 'utf8').toString('base64');
  return base64.length > COPY_LIMIT ? null : `\x1b]52;c;${base64}\x07`;
}
