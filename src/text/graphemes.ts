const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const NOT_PRINTABLE_ASCII = /[^\x20-\x7e]/;

/** Whether every UTF-16 unit is a grapheme of one cell: most text is, and needs no segmenter and no table. */
export function isPrintableAscii(text: string): boolean {
  return !NOT_PRINTABLE_ASCII.test(text);
}

/** What a reader takes for one character each, in order; lazily, so that a cut reads no further than it must. */
export function* graphemes(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}
