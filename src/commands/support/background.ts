import type { Context } from './command.ts';

/** How long a terminal may take to say its colour: a far one over ssh answers in that time, a mute one costs no more. */
const PATIENCE_MS = 200;
/** The background (OSC 11), then what every terminal answers (primary device attributes): no answer to the first is known by the second. */
const QUESTION = '\x1b]11;?\x1b\\\x1b[c';
const COLOUR = /\x1b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})[^\x07\x1b]*(?:\x07|\x1b\\)/i;
const ATTRIBUTES = /\x1b\[\?[\d;]*c/;

/**
 * Asks the terminal whether its background is light or dark. Nobody else may read it meanwhile; keys that were typed are
 * put back.
 *
 * @returns `null` when it does not say
 */
export async function askBackground(context: Context): Promise<'light' | 'dark' | null> {
  const stdin = context.stdin as NodeJS.ReadStream;
  if (stdin.isTTY !== true || context.env['STY']) return null;
  stdin.setRawMode(true);
  try {
    const answer = await answered(stdin, () => context.stdout.write(QUESTION));
    const typed = answer.replace(COLOUR, '').replace(ATTRIBUTES, '');
    if (typed !== '') stdin.unshift(Buffer.from(typed, 'latin1'));
    return shadeOf(answer);
  } finally {
    stdin.setRawMode(false);
  }
}

function answered(stdin: NodeJS.ReadStream, ask: () => void): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const end = (): void => {
      clearTimeout(timer);
      stdin.off('data', read);
      stdin.pause();
      resolve(text);
    };
    const read = (chunk: Buffer | string): void => {
      text += chunk.toString('latin1');
      if (ATTRIBUTES.test(text)) end();
    };
    const timer = setTimeout(end, PATIENCE_MS);
    stdin.on('data', read);
    stdin.resume();
    ask();
  });
}

/** Light from half of the brightest on, by how bright the eye finds red, green and blue (ITU-R BT.601). */
export function shadeOf(answer: string): 'light' | 'dark' | null {
  const found = COLOUR.exec(answer);
  if (found === null) return null;
  const [red, green, blue] = found
    .slice(1)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1)) as [number, number, number];
  return 0.299 * red + 0.587 * green + 0.114 * blue >= 0.5 ? 'light' : 'dark';
}
