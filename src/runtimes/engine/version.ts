/** The first version number in what a program says of itself, or `null`. */
export function versionIn(text: string): string | null {
  return /\d+\.\d+\.\d+/.exec(text)?.[0] ?? null;
}

/** Whether a version comes before another, both of three numbers. */
export function isOlder(version: string, than: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, other] of than.split('.').map(Number).entries()) {
    const part = parts[i] ?? 0;
    if (part !== other) return part < other;
  }
  return false;
}
