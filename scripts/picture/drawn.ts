// Characters that are drawn and not set, so that lines meet and bars are bars whatever font a viewer has.

/** A cell: its left and top edge, and how large cells are. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How a character is drawn in its cell: as an SVG path, along which there is a line or which is filled. */
export interface Drawn {
  readonly as: 'line' | 'area';
  readonly path: (place: Place) => string;
}

const round = (value: number): number => Number(value.toFixed(2));

const line = (path: (place: Place, midX: number, midY: number) => string): Drawn => ({
  as: 'line',
  path: (place) => path(place, round(place.x + place.width / 2), round(place.y + place.height / 2)),
});

/** The slanted bar of a gauge. */
const gauge = (as: Drawn['as']): Drawn => ({
  as,
  path: ({ x, y, width, height }) => {
    const [top, bottom] = [round(y + height * 0.36), round(y + height * 0.66)];
    const slant = width * 0.25;
    const points = [x + slant + 0.6, x + width - 0.8, x + width - slant - 0.8, x + 0.6].map(round);
    return `M${points[0]} ${top}H${points[1]}L${points[2]} ${bottom}H${points[3]}Z`;
  },
});

const DRAWN: Readonly<Record<string, Drawn>> = {
  '─': line(({ x, width }, _, my) => `M${round(x)} ${my}H${round(x + width)}`),
  '│': line(({ y, height }, mx) => `M${mx} ${round(y)}V${round(y + height)}`),
  '╭': line(corner(1, 1)),
  '╮': line(corner(-1, 1)),
  '╰': line(corner(1, -1)),
  '╯': line(corner(-1, -1)),
  '▰': gauge('area'),
  '▱': gauge('line'),
};

export function drawnAs(character: string): Drawn | undefined {
  return DRAWN[character];
}

/** A rounded corner that goes on to the side and to the bottom or the top. */
function corner(toX: 1 | -1, toY: 1 | -1) {
  return ({ x, y, width, height }: Place, midX: number, midY: number): string => {
    const radius = width / 2;
    const edgeX = round(toX > 0 ? x + width : x);
    const edgeY = round(toY > 0 ? y + height : y);
    return `M${edgeX} ${midY}Q${midX} ${midY} ${midX} ${round(midY + toY * radius)}V${edgeY}`;
  };
}
