/** What is read out at once: a person can stop between two parts. */
const LINES = 40;
const CHARACTERS = 4_000;

/** The first part of a text that is read out, and what is left of it. At least one line a part. */
export function part(lines: readonly string[]): {
  readonly said: readonly string[];
  readonly rest: readonly string[];
} {
  let many = 0;
  let characters = 0;
  for (const line of lines) {
    characters += line.length;
    if (many > 0 && (many >= LINES || characters > CHARACTERS)) break;
    many += 1;
  }
  const rest = lines.slice(many);
  const left = rest.length === 0 ? [] : [`(${more(rest.length, 'line')}: Space reads on)`];
  return { said: [...lines.slice(0, many), ...left], rest };
}

/** How much of something is left: `1 more line`, `12 more lines`. */
export function more(many: number, what: string): string {
  return `${many} more ${what}${many === 1 ? '' : 's'}`;
}

/** A label before the first line of a text; its other lines stand as they are. */
export function block(label: string, text: string): string[] {
  return text.split('\n').map((line, at) => (at === 0 ? `${label}: ${line}` : line));
}
