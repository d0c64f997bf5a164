export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** Above this product of line counts the texts count as wholly different: a person compares no such diff. */
const MAX_CELLS = 4_000_000;

/** How `before` became `after`, line by line, with the fewest lines changed. Every line of both is in it. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const fresh = after.split('\n');
  if (old.length * fresh.length > MAX_CELLS)
    return [...old.map((text) => line('-', text)), ...fresh.map((text) => line('+', text))];
  const common = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const lines: DiffLine[] = [];
  let at = 0;
  let to = 0;
  while (at < old.length || to < fresh.length) {
    const here = old[at];
    const there = fresh[to];
    if (here !== undefined && here === there) {
      lines.push(line(' ', here));
      at += 1;
      to += 1;
    } else if (
      there === undefined ||
      (here !== undefined && (common[(at + 1) * width + to] ?? 0) >= (common[at * width + to + 1] ?? 0))
    ) {
      lines.push(line('-', here ?? ''));
      at += 1;
    } else {
      lines.push(line('+', there));
      to += 1;
    }
  }
  return lines;
}

/** Length of the longest common part of what follows, for each pair of places; row by row. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let to = fresh.length - 1; to >= 0; to -= 1) {
      lengths[at * width + to] =
        old[at] === fresh[to]
          ? (lengths[(at + 1) * width + to + 1] ?? 0) + 1
          : Math.max(lengths[(at + 1) * width + to] ?? 0, lengths[at * width + to + 1] ?? 0);
    }
  }
  return lengths;
}

function line(sign: DiffLine['sign'], text: string): DiffLine {
  return { sign, text };
}
