/** What a person types to search the swarm: `kind:ask` narrows to a kind, everything else are words. */
export function queryOf(typed: string): { readonly text: string; readonly kinds: readonly string[] } {
  const terms = typed.split(/\s+/).filter((term) => term !== '');
  const kinds = terms.flatMap((term) => /^kind:(.+)$/i.exec(term)?.[1]?.toLowerCase() ?? []);
  return { text: terms.filter((term) => !/^kind:/i.test(term)).join(' '), kinds };
}
