/** Careful reading of JSON that a program printed: whatever is not what it should be is absent. */
export type Fields = Readonly<Record<string, unknown>>;

/** The JSON object that a line is; `null` for anything else. */
export function objectOf(line: string): Fields | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return null; // plain text that begins with a brace
  }
}

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text of an MCP result: a string, or a list of content blocks of which other kinds are named. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((block) => {
      const fields = fieldsOf(block);
      if (fields === null) return textOf(block);
      return typeof fields['text'] === 'string' ? fields['text'] : `(${textOf(fields['type']) || 'unknown'})`;
    })
    .join('\n');
}

/** Arguments of a tool call, one a line: strings as they are, anything else as JSON. */
export function argumentsText(args: unknown): string {
  const fields = fieldsOf(args);
  if (fields === null) return args === undefined || args === null ? '' : valueText(args);
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('\n');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deep)'; // parsing takes any depth, writing does not
  }
}
