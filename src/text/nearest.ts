/**
 * The known word that a person most likely meant: the one with the fewest slips (a letter too many, missing,
 * wrong, or two swapped), two at most and one in a word of up to three letters; else the shortest that begins
 * with what was typed. Case doesn't count. `undefined` when nothing is near.
 */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  if (typed === '') return undefined;
  let best: string | undefined;
  let fewest = typed.length <= 3 ? 2 : 3;
  for (const candidate of words) {
    const slips = distance(typed, candidate.toLowerCase(), fewest);
    if (slips < fewest) {
      best = candidate;
      fewest = slips;
    }
  }
  if (best !== undefined) return best;
  return words
    .filter((candidate) => candidate.toLowerCase().startsWith(typed))
    .toSorted((a, b) => a.length - b.length)[0];
}

/** Optimal string alignment distance; `limit` or more when it is at least `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(older, j - 2) + 1);
      row.push(cost);
    }
    older = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
