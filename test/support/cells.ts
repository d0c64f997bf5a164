import type { IBufferCell, Terminal } from '@xterm/headless';

/** The default of the terminal, a colour by its number in the palette (0 to 7 are the basic ones), or any other. */
export type Colour = number | 'rgb' | null;

/** One cell of a terminal's screen, as it looks to a person. */
export interface Cell {
  /** What stands in it; empty for nothing, and for the second half of a wide character. */
  readonly text: string;
  /** 2 for a wide character, 0 for its second half. */
  readonly width: number;
  readonly front: Colour;
  readonly back: Colour;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
}

/** What the terminal shows now, row by row. What was written must have reached it. */
export function cellsOf(terminal: Terminal): Cell[][] {
  const buffer = terminal.buffer.active;
  return Array.from({ length: terminal.rows }, (_, y) => {
    const line = buffer.getLine(buffer.viewportY + y);
    return Array.from({ length: terminal.cols }, (_, x) => cellOf(line?.getCell(x)));
  });
}

function cellOf(cell: IBufferCell | undefined): Cell {
  return {
    text: cell?.getChars() ?? '',
    width: cell?.getWidth() ?? 1,
    front: cell === undefined || cell.isFgDefault() ? null : cell.isFgRGB() ? 'rgb' : cell.getFgColor(),
    back: cell === undefined || cell.isBgDefault() ? null : cell.isBgRGB() ? 'rgb' : cell.getBgColor(),
    bold: Boolean(cell?.isBold()),
    dim: Boolean(cell?.isDim()),
    inverse: Boolean(cell?.isInverse()),
  };
}
