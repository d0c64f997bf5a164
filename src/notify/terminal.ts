type Env = Readonly<Record<string, string | undefined>>;

const BELL = '\x07';
/** Terminals that show OSC 9 as a notification, by what they set in the environment. */
const OSC9_PROGRAMS = ['iTerm.app', 'WezTerm', 'ghostty'];
const OSC9_TERMS = ['xterm-ghostty', 'xterm-kitty', 'wezterm'];

/**
 * The bytes that make a terminal notify: OSC 9 where it is known to be shown, the bell elsewhere. Inside a
 * multiplexer the bell alone, since it passes that on and swallows the other.
 *
 * @param words from `notice`: without control characters
 */
export function terminalBytes(words: string, env: Env): string {
  if (env['TMUX'] || env['STY']) return BELL;
  const known = OSC9_PROGRAMS.includes(env['TERM_PROGRAM'] ?? '') || OSC9_TERMS.includes(env['TERM'] ?? '');
  return known ? `\x1b]9;wats: ${words}${BELL}` : BELL;
}
