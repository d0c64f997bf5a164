import { isObject } from './cli.ts';
import { joined, type Patch } from './merge.ts';
import { tokenIn } from './tokens.ts';

/** What setup changed in OpenClaw's settings, since it first did. Holds no secret. */
export interface SetupRecord {
  readonly configPath: string;
  readonly agentId: string;
  readonly workspace: string;
  /** What was patched, and the patch that takes it back. */
  readonly applied: Patch;
  readonly back: Patch;
  /** `agents.ownership` from before, which OpenClaw drops when it deletes the last agent but one. */
  readonly ownership: string | null;
}

export function readRecord(path: string): SetupRecord | null {
  const text = tokenIn(path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (
      isObject(value) &&
      typeof value['configPath'] === 'string' &&
      typeof value['agentId'] === 'string' &&
      typeof value['workspace'] === 'string' &&
      isObject(value['applied']) &&
      isObject(value['back']) &&
      (value['ownership'] === null || typeof value['ownership'] === 'string')
    )
      return value as unknown as SetupRecord;
  } catch {
    // Torn or of another version: as if there were none.
  }
  return null;
}

/** The record after one more patch: what stood there before the first one is what comes back. */
export function grown(old: SetupRecord | null, now: SetupRecord): SetupRecord {
  if (old === null || old.configPath !== now.configPath) return now;
  const { ownership } = old;
  return { ...now, ownership, applied: joined(old.applied, now.applied), back: joined(now.back, old.back) };
}

/** A patch without its token, for whatever is kept or shown. */
export function withoutToken(patch: Patch, instead: string | null): Patch {
  const { hooks } = patch;
  if (!isObject(hooks) || hooks['token'] === undefined) return patch;
  const { token: _token, ...rest } = hooks;
  return { ...patch, hooks: instead === null ? rest : { ...rest, token: instead } };
}
