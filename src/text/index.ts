/** Pure: what a stranger's text may look like on a screen, in a log, to a model; cell widths; words for figures. */
export { cellWidth, pad, truncate } from './cells.ts';
export { diffLines } from './diff.ts';
export { excerpt, shortId, shortKey, shortNode } from './excerpt.ts';
export { age, clock, counted, duration, usd } from './figures.ts';
export { nearest } from './nearest.ts';
export { type VisibleMode, visible } from './visible.ts';
export { wrapText } from './wrap.ts';
