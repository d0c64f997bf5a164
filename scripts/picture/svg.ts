// Cells of a terminal as one SVG: no fonts, styles or scripts from anywhere, every character at its cell.
import type { Cell, Colour } from '../../test/support/cells.ts';
import { drawnAs } from './drawn.ts';

export interface Picture {
  readonly cells: readonly (readonly Cell[])[];
  readonly title: string;
  readonly description: string;
}

const [WIDTH, HEIGHT, FONT] = [8.4, 18, 14];
/** Free room around the cells. */
const PADDING = 16;
/** From the top of a cell to the line that characters stand on. */
const BASELINE = 13.2;
const FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

/** A calm dark palette: the default colours, and the eight basic ones in the order of their codes. */
const PAPER = '#15181e';
const INK = '#d3d8e0';
const BASIC = ['#15181e', '#e0646e', '#8fbf7f', '#d8b465', '#7aa5e0', '#c194d6', '#6fc0c8', '#f2f4f7'];
/** Behind text a bright colour would drown it. */
const BEHIND = ['#2b303a', '#a83240', '#3f7a4a', '#d8b465', '#35629e', '#80508f', '#2f7c85', '#d3d8e0'];
const DIM = 0.58;

interface Look {
  readonly fill: string;
  readonly back: string | null;
  readonly bold: boolean;
  readonly opacity: number;
}

/** The picture as SVG text. @throws when a cell has a colour that is none of the eight basic ones */
export function svgOf({ cells, title, description }: Picture): string {
  const columns = Math.max(...cells.map((line) => line.length));
  const width = round(columns * WIDTH + 2 * PADDING);
  const height = round(cells.length * HEIGHT + 2 * PADDING);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title about">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="about">${escaped(description)}</desc>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${PAPER}"/>`,
    `<g transform="translate(${PADDING} ${PADDING})" font-family="${FONTS}" font-size="${FONT}" stroke-linecap="square">`,
    ...backs(cells),
    ...shapes(cells),
    ...cells.flatMap(texts),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function lookOf({ front, back, bold, dim, inverse }: Cell): Look {
  const opacity = dim ? DIM : 1;
  if (inverse) return { fill: colour(back, BASIC, PAPER), back: colour(front, BASIC, INK), bold, opacity };
  return {
    fill: colour(front, BASIC, INK),
    back: back === null ? null : colour(back, BEHIND, PAPER),
    bold,
    opacity,
  };
}

function colour(of: Colour, palette: readonly string[], standard: string): string {
  if (of === null) return standard;
  const found = of === 'rgb' ? undefined : palette[of];
  if (found === undefined) throw new Error(`a cell has colour ${of}, which is none of the eight basic ones`);
  return found;
}

/** One rectangle for cells of a row that have the same colour behind them. */
function backs(cells: Picture['cells']): string[] {
  return cells.flatMap((line, y) => {
    const runs: { from: number; to: number; back: string }[] = [];
    line.forEach((cell, at) => {
      const { back } = lookOf(cell);
      const last = runs.at(-1);
      if (back === null) return;
      if (last?.to === at && last.back === back) last.to = at + 1;
      else runs.push({ from: at, to: at + 1, back });
    });
    return runs.map(
      ({ from, to, back }) =>
        `<rect x="${round(from * WIDTH)}" y="${y * HEIGHT}" width="${round((to - from) * WIDTH)}" height="${HEIGHT}" fill="${back}"/>`,
    );
  });
}

/** All that is drawn, one path for each look. */
function shapes(cells: Picture['cells']): string[] {
  const paths = new Map<string, string[]>();
  cells.forEach((line, y) => {
    line.forEach((cell, x) => {
      const drawn = drawnAs(cell.text);
      if (drawn === undefined) return;
      const { fill, opacity } = lookOf(cell);
      const paint = drawn.as === 'line' ? `fill="none" stroke="${fill}"` : `fill="${fill}" stroke="${fill}"`;
      const key = `${paint}${opacityOf(opacity)}`;
      const path = drawn.path({ x: x * WIDTH, y: y * HEIGHT, width: WIDTH, height: HEIGHT });
      paths.set(key, [...(paths.get(key) ?? []), path]);
    });
  });
  return [...paths].map(([key, parts]) => `<path ${key} d="${joined(parts)}"/>`);
}

/** Level lines that meet become one. */
function joined(parts: readonly string[]): string {
  let path = '';
  for (const part of parts) {
    const level = /^M([\d.]+) ([\d.]+)H([\d.]+)$/.exec(part);
    const before = /M[\d.]+ ([\d.]+)H([\d.]+)$/.exec(path);
    if (level !== null && before !== null && before[1] === level[2] && before[2] === level[1])
      path = `${path.slice(0, path.lastIndexOf('H'))}H${level[3]}`;
    else path += part;
  }
  return path;
}

/**
 * The characters of a row. ASCII of one look is held in its cells by its length, any other character stands in the
 * middle of its own: no font has all of them at one width.
 */
function texts(line: readonly Cell[], y: number): string[] {
  const baseline = round(y * HEIGHT + BASELINE);
  return piecesOf(line).map(({ from, cells, text, style }) => {
    const middle = round((from + cells / 2) * WIDTH);
    const place = isAscii(text) ? `x="${round(from * WIDTH)}"` : `x="${middle}" text-anchor="middle"`;
    const length = text.length > 1 && isAscii(text) ? ` textLength="${round(cells * WIDTH)}"` : '';
    return `<text ${place} y="${baseline}"${length} ${style}>${escaped(text)}</text>`;
  });
}

interface Piece {
  readonly from: number;
  readonly cells: number;
  readonly text: string;
  readonly style: string;
}

function piecesOf(line: readonly Cell[]): readonly Piece[] {
  const pieces: Piece[] = [];
  line.forEach((cell, at) => {
    const { text, width } = cell;
    if (width === 0 || text.trim() === '' || drawnAs(text) !== undefined) return;
    const style = styleOf(cell);
    const last = pieces.at(-1);
    const gap = last === undefined ? 0 : at - last.from - last.cells;
    const joins =
      last?.style === style && gap <= 1 && isAscii(last.text) && isAscii(text) && blank(line, at, gap);
    if (last === undefined || !joins) pieces.push({ from: at, cells: width, text, style });
    else {
      const cells = last.cells + gap + width;
      pieces[pieces.length - 1] = { ...last, cells, text: `${last.text}${' '.repeat(gap)}${text}` };
    }
  });
  return pieces;
}

/** Whether nothing is drawn in the gap before a cell. */
function blank(line: readonly Cell[], at: number, gap: number): boolean {
  return gap === 0 || (line[at - 1]?.text ?? '').trim() === '';
}

function styleOf(cell: Cell): string {
  const { fill, bold, opacity } = lookOf(cell);
  return `fill="${fill}"${bold ? ' font-weight="700"' : ''}${opacityOf(opacity)}`;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function opacityOf(opacity: number): string {
  return opacity === 1 ? '' : ` opacity="${opacity}"`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
