import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { WatsError } from '../errors/index.ts';

/** A program's JSON file; `null` when there is none. @throws WatsError `failed` */
export function readJson(path: string): unknown {
  return read(path, 'JSON', (text) => JSON.parse(text) as unknown);
}

/** A program's TOML file; `null` when there is none. @throws WatsError `failed` */
export function readToml(path: string): unknown {
  return read(path, 'TOML', parse);
}

function read(path: string, what: string, parsed: (text: string) => unknown): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'))
      return null;
    throw new WatsError('failed', `cannot read ${path}`, { fix: 'look at who may read it', cause });
  }
  if (text.trim() === '') return null;
  try {
    return parsed(text);
  } catch (cause) {
    throw new WatsError('failed', `${path} is no ${what}`, {
      fix: 'repair it with the program that it belongs to; wats changed nothing',
      cause,
    });
  }
}
