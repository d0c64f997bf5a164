import type { View } from './view.ts';

/** A view as text, slice by slice: what two clients have in common is written once. */
export type Slices = ReadonlyMap<string, string>;

const known = new WeakMap<View, Slices>();

/** The slices of a view. A view is a value that nobody changes: the same one has the same slices. */
export function slicesOf(view: View): Slices {
  const cached = known.get(view);
  if (cached !== undefined) return cached;
  const slices = new Map(Object.entries(view).map(([name, value]) => [name, JSON.stringify(value)]));
  known.set(view, slices);
  return slices;
}

/** The line that brings a client from what it has (`null`: nothing) to `slices`; `null` when it has them all. */
export function lineOfDifference(has: Slices | null, slices: Slices): string | null {
  const changed = [...slices].filter(([name, text]) => has?.get(name) !== text);
  if (changed.length === 0) return null;
  return `{"view":{${changed.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}}\n`;
}
