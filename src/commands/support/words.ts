import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { WatsError } from '../../errors/index.ts';
import type { Context, Input } from './command.ts';
import { lendTerminal } from './lent.ts';

/** The largest text that is read from stdin: far over the limit of a post, so that the error can name the size. */
const MAX_STDIN_BYTES = 1 << 20;

/**
 * A text from the words of the command line, else from stdin when that is no terminal, else from the editor.
 * @throws WatsError `usage` when there is none
 */
export async function textOf(input: Input, context: Context, from = 0): Promise<string> {
  const words = input.words.slice(from);
  if (words.length > 0 && !(words.length === 1 && words[0] === '-')) return words.join(' ');
  if (words[0] === '-' || !context.stdin.isTTY) return readAll(context);
  const text = await edit('', context);
  if (text === null || text.trim() === '')
    throw new WatsError('usage', 'there is no text', {
      fix: 'give it as an argument, on stdin, or in the editor',
    });
  return text;
}

async function readAll(context: Context): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of context.stdin) {
    const bytes = Buffer.from(chunk as Buffer);
    size += bytes.length;
    if (size > MAX_STDIN_BYTES)
      throw new WatsError('too_large', `the text on stdin has over ${MAX_STDIN_BYTES} bytes`);
    chunks.push(bytes);
  }
  const bytes = Buffer.concat(chunks);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new WatsError('usage', 'the text on stdin is not UTF-8', { cause });
  }
  const trimmed = text.replace(/\n$/, '');
  if (trimmed.trim() === '')
    throw new WatsError('usage', 'there is no text', {
      fix: 'give it as an argument, on stdin, or in the editor',
    });
  return trimmed;
}

/**
 * Opens `$VISUAL` or `$EDITOR` on a text in a file that only its owner can read.
 * @returns the text as it was left, or `null` when the editor failed
 */
export async function edit(text: string, context: Context): Promise<string | null> {
  const command = context.env['VISUAL'] || context.env['EDITOR'] || 'vi';
  const dir = await mkdtemp(join(tmpdir(), 'wats-edit-'));
  const path = join(dir, 'text.md');
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(text);
    await file.close();
    // A person's editor may carry arguments ("code --wait"); the file is a word of its own.
    const [program, ...args] = command.split(/\s+/);
    if (program === undefined) return null;
    await lendTerminal(() => execa(program, [...args, path], { stdio: 'inherit' }));
    return (await readFile(path, 'utf8')).replace(/\n$/, '');
  } catch (cause) {
    throw new WatsError('failed', `the editor "${command}" did not end well`, {
      fix: 'set VISUAL or EDITOR',
      cause,
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
