/** Where things stand around a cache: boxes in rows above and below it and in columns beside it, and the lines between. */

export const boxHigh = 44;
const gapHigh = 40;
const stackGap = 16;
const margin = 8;

/** How wide a picture is, and its boxes: three side by side, or two where there is no room for more. */
export interface Format {
  readonly width: number;
  readonly boxWide: number;
  readonly columns: 2 | 3;
  /** Most boxes above, as many below, and most beside. */
  readonly maxInBand: number;
  readonly maxBeside: number;
}

export const wideFormat: Format = { width: 576, boxWide: 176, columns: 3, maxInBand: 7, maxBeside: 6 };
export const narrowFormat: Format = { width: 344, boxWide: 156, columns: 2, maxInBand: 6, maxBeside: 4 };

/** The upper left corner of a box. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** A box that is not the cache's own, and the last piece of the way there. */
export interface Reached extends Place {
  readonly line: Line;
}

export interface Layout {
  readonly height: number;
  readonly own: Place;
  readonly above: readonly Reached[];
  readonly beside: readonly Reached[];
  readonly below: readonly Reached[];
  /** The pieces that several ways share. */
  readonly trunks: readonly Line[];
}

/**
 * How many boxes each row has, the nearest first: two in all but the farthest, so that the way to that leads through their
 * middle.
 */
function rowsOf(count: number, columns: number): readonly number[] {
  if (count === 0) return [];
  const near = Math.max(0, Math.ceil((count - columns) / 2));
  return [...new Array<number>(near).fill(2), count - 2 * near];
}

const rowHigh = boxHigh + gapHigh;

const bandHigh = (count: number, { columns }: Format) => rowsOf(count, columns).length * rowHigh;

/** Rows on one side of the cache; `edge` is where its own row ends there, `down` is 1 below it and -1 above. */
function band(count: number, format: Format, from: { x: number; edge: number; y: number }, down: 1 | -1) {
  const { width, boxWide, columns } = format;
  const [middle, gap] = [width / 2, gapOf(format)];
  const trunks: Line[] = [];
  const boxes: Reached[] = [];
  let start: Place = { x: from.x, y: from.y };
  for (const [row, inRow] of rowsOf(count, columns).entries()) {
    const bus = from.edge + down * (row * rowHigh + gapHigh / 2);
    const nearSide = bus + (down * gapHigh) / 2;
    const first = middle - (inRow * boxWide + (inRow - 1) * gap) / 2;
    const centres = Array.from({ length: inRow }, (_, at) => first + at * (boxWide + gap) + boxWide / 2);
    trunks.push({ x1: start.x, y1: start.y, x2: start.x, y2: bus });
    const ends = [start.x, middle, ...centres];
    const [left, right] = [Math.min(...ends), Math.max(...ends)];
    if (left < right) trunks.push({ x1: left, y1: bus, x2: right, y2: bus });
    for (const x of centres)
      boxes.push({
        ...{ x: x - boxWide / 2, y: down === 1 ? nearSide : nearSide - boxHigh },
        line: { x1: x, y1: bus, x2: x, y2: nearSide },
      });
    start = { x: middle, y: bus };
  }
  return { boxes, trunks };
}

const gapOf = ({ width, boxWide, columns }: Format) => (width - columns * boxWide) / (columns - 1);

/** Columns beside the cache, each in the middle of its height: right, or left and right of it in turn. */
function sides(count: number, format: Format, own: Place) {
  const { width, boxWide, columns } = format;
  const gap = gapOf(format);
  const onLeft = columns === 3 && count > 1 ? Math.floor(count / 2) : 0;
  const trunks: Line[] = [];
  const column = (size: number, isLeft: boolean): Reached[] => {
    if (size === 0) return [];
    const x = isLeft ? 0 : count === 1 ? own.x + boxWide + gap : width - boxWide;
    const [inner, ownEdge] = isLeft ? [x + boxWide, own.x] : [x, own.x + boxWide];
    const bus = (inner + ownEdge) / 2;
    const middle = own.y + boxHigh / 2;
    const first = middle - (size * boxHigh + (size - 1) * stackGap) / 2;
    const boxes = Array.from({ length: size }, (_, at): Reached => {
      const y = first + at * (boxHigh + stackGap);
      return { x, y, line: { x1: bus, y1: y + boxHigh / 2, x2: inner, y2: y + boxHigh / 2 } };
    });
    trunks.push({ x1: ownEdge, y1: middle, x2: bus, y2: middle });
    const [top, bottom] = [first + boxHigh / 2, first + (size - 1) * (boxHigh + stackGap) + boxHigh / 2];
    if (top < bottom) trunks.push({ x1: bus, y1: top, x2: bus, y2: bottom });
    return boxes;
  };
  const [left, right] = [column(onLeft, true), column(count - onLeft, false)];
  // In the order of the boxes: right, left, right.
  const boxes = right.flatMap((box, at) => {
    const other = left[at];
    return other === undefined ? [box] : [box, other];
  });
  return { boxes, trunks };
}

/** Place so many boxes around a cache; no count may be above what the format has room for. */
export function layOut(
  counts: { readonly above: number; readonly beside: number; readonly below: number },
  format: Format,
): Layout {
  const { above, beside, below } = counts;
  const { width, boxWide, columns } = format;
  const gap = gapOf(format);
  const inColumn = columns === 3 && beside > 1 ? Math.ceil(beside / 2) : beside;
  const sidesHigh = inColumn === 0 ? 0 : inColumn * boxHigh + (inColumn - 1) * stackGap;
  const ownRow = Math.max(boxHigh, sidesHigh);
  const top = margin + bandHigh(above, format);
  // One beside it makes a pair with it, and so does a column where there are but two.
  const isPair = beside === 1 || (beside > 0 && columns === 2);
  const own = {
    x: isPair ? width / 2 - gap / 2 - boxWide : (width - boxWide) / 2,
    y: top + (ownRow - boxHigh) / 2,
  };
  const x = own.x + boxWide / 2;
  const upper = band(above, format, { x, edge: top, y: own.y }, -1);
  const lower = band(below, format, { x, edge: top + ownRow, y: own.y + boxHigh }, 1);
  const aside = sides(beside, format, own);
  return {
    height: top + ownRow + bandHigh(below, format) + margin,
    ...{ own, above: upper.boxes, beside: aside.boxes, below: lower.boxes },
    trunks: [...upper.trunks, ...aside.trunks, ...lower.trunks],
  };
}
