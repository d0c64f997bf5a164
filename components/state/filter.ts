/** What a filter looks at in a row. */
export interface Findable {
  readonly text: string;
  readonly kind: string;
  readonly costMicroUsd?: number | null;
}

/**
 * The test that a filter stands for. Words must all be there, in any case; `!word` must not; `kind:tool` compares
 * the kind's beginning; `cost>0.1` and `cost<0.1` compare dollars. Empty lets everything through.
 */
export function matcher(filter: string): (row: Findable) => boolean {
  const tests = filter
    .split(/\s+/)
    .filter((term) => term !== '' && term !== '!')
    .map(testOf);
  return (row) => tests.every((test) => test(row));
}

function testOf(term: string): (row: Findable) => boolean {
  if (term.startsWith('!')) {
    const test = testOf(term.slice(1));
    return (row) => !test(row);
  }
  const kind = /^kind:(.+)$/i.exec(term)?.[1]?.toLowerCase();
  if (kind !== undefined) return (row) => row.kind.toLowerCase().startsWith(kind);
  const cost = /^cost([<>])(\d+(?:\.\d+)?)$/i.exec(term);
  if (cost !== null) {
    const limit = Number(cost[2]) * 1_000_000;
    const above = cost[1] === '>';
    return (row) => {
      const spent = row.costMicroUsd ?? 0;
      return above ? spent > limit : spent < limit;
    };
  }
  const word = term.toLowerCase();
  return (row) => row.text.toLowerCase().includes(word) || row.kind.toLowerCase().includes(word);
}
