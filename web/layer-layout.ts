import { appendTo } from './layer-order.ts';

/** Places boxes in layers, one above the other, and leads the lines between them past all other boxes. */

export const boxHigh = 44;
/** Room between two rows of one layer, between two layers, and for the name of a layer. */
const rowGap = 30;
const layerGap = 44;
const labelHigh = 22;
const margin = 8;
/** Room at both sides, through which lines pass, and the distance that they keep from a box where there is room. */
const side = 12;
const clearance = 14;
/** Two lines that pass through one gap are this far apart where there is room. */
const laneStep = 4;

/** The width of a picture, and the number of boxes side by side. */
export interface Format {
  readonly width: number;
  readonly boxWide: number;
  readonly columns: number;
}

/** The upper left corner of a box. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A cubic curve from the first point to the last; the others are its control points. */
export type Curve = readonly [Place, Place, Place, Place];

/** A line between two boxes, by their numbers. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

export interface Layout {
  readonly height: number;
  /** A place for each box, in the order of the layers. */
  readonly boxes: readonly Place[];
  /** The base line of the name of each layer. */
  readonly labels: readonly number[];
  /** For each link the curves that lead from the upper box to the lower one. */
  readonly lines: readonly (readonly Curve[])[];
}

interface Row {
  readonly top: number;
  /** The left edges of its boxes. */
  readonly xs: readonly number[];
  /** The number of its first box. */
  readonly first: number;
  /** The lines that were led through each gap of the row, so that the next one keeps a distance. */
  readonly passed: Map<number, number>;
}

export const gapOf = ({ width, boxWide, columns }: Format) =>
  columns === 1 ? 0 : (width - 2 * side - columns * boxWide) / (columns - 1);

/** Boxes in so many rows that no row has more than the format; the upper rows have one more. */
function rowSizes(count: number, columns: number): readonly number[] {
  const rows = Math.ceil(count / columns);
  return Array.from({ length: rows }, (_, row) => Math.floor((count + rows - 1 - row) / rows));
}

/** Layers of so many boxes, and the links between boxes, by number over all layers. A layer without boxes takes no room. */
export function layOut(
  layers: readonly { readonly count: number; readonly isNamed: boolean }[],
  links: readonly Link[],
  format: Format,
): Layout {
  const { width, boxWide, columns } = format;
  const rows: Row[] = [];
  const labels: number[] = [];
  let [y, first] = [margin, 0];
  for (const { count, isNamed } of layers) {
    if (first > 0 && count > 0) y += layerGap;
    labels.push(y + labelHigh - 9);
    if (count > 0 && isNamed) y += labelHigh;
    for (const [at, size] of rowSizes(count, columns).entries()) {
      if (at > 0) y += rowGap;
      const step = boxWide + gapOf(format);
      const left = (width - boxWide - (size - 1) * step) / 2;
      const xs = Array.from({ length: size }, (_, box) => left + box * step);
      rows.push({ top: y, xs, first, passed: new Map() });
      first += size;
      y += boxHigh;
    }
  }
  const rowOf = rows.flatMap((row, at) => row.xs.map(() => at));
  const boxes = rows.flatMap(({ xs, top }) => xs.map((x) => ({ x, y: top })));
  const downward = links.map(({ from, to }) =>
    (rowOf[from] ?? 0) <= (rowOf[to] ?? 0) ? { from, to } : { from: to, to: from },
  );
  const hasLoops = downward.some(
    ({ from, to }) => rowOf[to] === rows.length - 1 && rowOf[from] === rowOf[to] && Math.abs(from - to) > 1,
  );
  const ports = portsOf(downward, boxes, rowOf, boxWide);
  const lines = downward.map(({ from, to }, at): readonly Curve[] => {
    const [upper, lower] = [rowOf[from] ?? 0, rowOf[to] ?? 0];
    const [start, end] = [boxes[from], boxes[to]] as const;
    if (start === undefined || end === undefined || from === to) return [];
    const port = ports[at] as { readonly from: number; readonly to: number };
    if (upper === lower) return [sideways(start, end, boxWide)];
    return descent(rows, { upper, lower }, port, format);
  });
  return { height: y + (hasLoops ? rowGap : margin), boxes, labels, lines };
}

/** Between two boxes of one row: straight where they are neighbours, else below the row. */
function sideways(a: Place, b: Place, boxWide: number): Curve {
  const [left, right] = a.x < b.x ? [a, b] : [b, a];
  const middle = left.y + boxHigh / 2;
  if (right.x - left.x < 2 * boxWide) {
    const [from, to] = [
      { x: left.x + boxWide, y: middle },
      { x: right.x, y: middle },
    ];
    return [from, from, to, to];
  }
  const bottom = left.y + boxHigh;
  const [from, to] = [left.x, right.x].map((x) => ({ x: x + boxWide / 2, y: bottom })) as [Place, Place];
  const depth = bottom + rowGap - 4;
  return [from, { x: from.x, y: depth }, { x: to.x, y: depth }, to];
}

const maxPortStep = 12;

/** Where each line leaves its upper box and meets its lower one, so that lines of one box do not cross at it. */
function portsOf(
  links: readonly Link[],
  boxes: readonly Place[],
  rowOf: readonly number[],
  boxWide: number,
): readonly { readonly from: number; readonly to: number }[] {
  const ports = links.map(({ from, to }) => ({
    from: (boxes[from]?.x ?? 0) + boxWide / 2,
    to: (boxes[to]?.x ?? 0) + boxWide / 2,
  }));
  for (const [end, other] of [
    ['from', 'to'],
    ['to', 'from'],
  ] as const) {
    const byBox = new Map<number, number[]>();
    for (const [at, link] of links.entries())
      if (rowOf[link.from] !== rowOf[link.to]) appendTo(byBox, link[end], at);
    for (const [box, own] of byBox) {
      const step = Math.min(maxPortStep, (boxWide - 24) / Math.max(1, own.length - 1));
      const centre = (boxes[box]?.x ?? 0) + boxWide / 2;
      const otherX = (at: number) => boxes[links[at]?.[other] ?? 0]?.x ?? 0;
      for (const [order, at] of own.toSorted((a, b) => otherX(a) - otherX(b)).entries()) {
        const port = ports[at];
        if (port !== undefined) port[end] = centre + (order - (own.length - 1) / 2) * step;
      }
    }
  }
  return ports;
}

/** A curve that leaves and arrives upright. */
const upright = (from: Place, to: Place): Curve => {
  const middle = (from.y + to.y) / 2;
  return [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to];
};

/** From a box down to a box of a lower row, through the gaps of the rows between. */
function descent(
  rows: readonly Row[],
  { upper, lower }: { readonly upper: number; readonly lower: number },
  port: { readonly from: number; readonly to: number },
  format: Format,
): readonly Curve[] {
  const curves: Curve[] = [];
  let at: Place = { x: port.from, y: (rows[upper]?.top ?? 0) + boxHigh };
  for (let between = upper + 1; between < lower; between++) {
    const row = rows[between] as Row;
    const x = passage(row, at.x + (port.to - at.x) / (lower - between + 1), format);
    const [into, out] = [
      { x, y: row.top },
      { x, y: row.top + boxHigh },
    ];
    curves.push(upright(at, into), upright(into, out));
    at = out;
  }
  curves.push(upright(at, { x: port.to, y: rows[lower]?.top ?? 0 }));
  return curves;
}

/** Where a line may pass a row: the wanted place, or the nearest gap. */
function passage({ xs, passed }: Row, wanted: number, { width, boxWide }: Format): number {
  const gaps = [...xs, width].map((right, at) => {
    const left = at === 0 ? 0 : (xs[at - 1] ?? 0) + boxWide;
    const distance = Math.min(clearance, (right - left) / 3);
    return { low: left + distance, high: right - distance };
  });
  const distance = ({ low, high }: { low: number; high: number }) => Math.max(0, low - wanted, wanted - high);
  let best = 0;
  for (const [at, gap] of gaps.entries()) if (distance(gap) < distance(gaps[best] ?? gap)) best = at;
  const { low, high } = gaps[best] ?? { low: 0, high: 0 };
  if (wanted > low && wanted < high) return wanted;
  const count = passed.get(best) ?? 0;
  passed.set(best, count + 1);
  const shift = (count * laneStep) % Math.max(1, high - low);
  return wanted <= low ? low + shift : high - shift;
}
