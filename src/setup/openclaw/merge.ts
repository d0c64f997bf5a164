import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from './cli.ts';

/** What `config patch` merges: objects key by key, anything else replaces, `null` deletes. */
export type Patch = Readonly<Record<string, unknown>>;

/** The part of `wanted` that `current` does not say already. Empty: nothing to do. */
export function differing(current: Json, wanted: Patch): Patch {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(wanted)) {
    const now = current[key];
    if (isObject(value) && isObject(now)) {
      const inner = differing(now, value);
      if (Object.keys(inner).length > 0) out[key] = inner;
    } else if (!isDeepStrictEqual(now, value) && !(value === null && now === undefined)) out[key] = value;
  }
  return out;
}

/** The patch that takes `patch` back from what it makes of `before`. */
export function inverse(before: Json, patch: Patch): Patch {
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => {
      const was = before[key];
      if (was === undefined) return [key, null];
      return [key, isObject(value) && isObject(was) ? inverse(was, value) : was];
    }),
  );
}

/** One patch after another, as one; where both say something the second wins. */
export function joined(first: Patch, second: Patch): Patch {
  const out: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const was = out[key];
    out[key] = isObject(value) && isObject(was) ? joined(was, value) : value;
  }
  return out;
}

/**
 * What takes back a patch that was applied, from what stands there now: our items out of lists, our values where they
 * still stand, objects that held nothing else. What a person changed since stays.
 *
 * @param applied what was patched
 * @param back its inverse
 */
export function takenBack(current: Json, applied: Patch, back: Patch): Patch {
  const out: Record<string, unknown> = {};
  for (const [key, ours] of Object.entries(applied)) {
    const now = current[key];
    const was = back[key] ?? null;
    if (now === undefined) continue;
    if (isObject(ours)) {
      if (!isObject(now)) continue;
      const inner = takenBack(now, ours, isObject(was) ? was : {});
      const left = Object.keys(now).filter((name) => inner[name] !== null);
      if (was === null && left.length === 0) out[key] = null;
      else if (Object.keys(inner).length > 0) out[key] = inner;
    } else if (Array.isArray(ours)) {
      if (!Array.isArray(now)) continue;
      const before: readonly unknown[] = Array.isArray(was) ? was : [];
      const added = ours.filter((item) => !before.some((each) => isDeepStrictEqual(each, item)));
      const rest = now.filter((item) => !added.some((each) => isDeepStrictEqual(each, item)));
      if (rest.length === now.length && !(was === null && rest.length === 0)) continue;
      out[key] = was === null && rest.length === 0 ? null : rest;
    } else if (isDeepStrictEqual(now, ours)) out[key] = was;
  }
  return out;
}

/** A list with what it lacks appended; the same order. */
export function union(list: unknown, more: readonly string[]): readonly unknown[] {
  const now: readonly unknown[] = Array.isArray(list) ? list : [];
  return [...now, ...more.filter((item) => !now.includes(item))];
}
