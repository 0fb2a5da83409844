import { rightToLeft } from './right-to-left.ts';

/** One line of a page, in points; y grows upwards in the direction of the text. */
export interface PageLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Where it ends. */
  readonly end: number;
  /** The size of most of its letters. */
  readonly size: number;
  /** Whether most of its letters are bold. */
  readonly bold: boolean;
  /** The direction of its text; only lines of one direction are compared. */
  readonly direction: number;
}

/** A row of a page: its pieces where wide gaps part it, and the lines it has outside of columns. */
interface DrawnLine {
  readonly line: PageLine;
  readonly pieces: readonly PageLine[];
  readonly lines: readonly PageLine[];
}

/** A gap of this many letters' sizes may part columns. */
export const columnGap = 1;

// Rows of two columns: how many make columns of them, how many letters and words their pieces have, and which part of a column's
// width they fill. Tables have short cells and stay rows.
const asian = /[\u2e80-\u9fff\uac00-\ud7af]/;
const minRows = 3;
const minLetters = 10;
const minWords = 3;
const minFilled = 0.5;
const maxDepth = 4;
const maxPlaces = 6;
// Lines side by side that a scanner or another grid sets apart, in sizes of a letter; how many make one row.
const maxStep = 0.75;
const maxBeside = 20;

/**
 * The lines of a page in reading order: columns that were drawn row by row come one after the other.
 * @param parted the pieces of lines with wide gaps
 */
export function inColumns(
  lines: readonly PageLine[],
  parted: ReadonlyMap<PageLine, readonly PageLine[]>,
): readonly PageLine[] {
  const rows = rowsOf(lines, parted);
  if (rows.filter(({ pieces }) => pieces.length > 1).length < minRows) return leftFirst(lines);
  const ordered: PageLine[] = [];
  let run: DrawnLine[] = [];
  const end = () => {
    ordered.push(...(divided(run, 0) ?? leftFirst(run.flatMap((row) => row.lines))));
    run = [];
  };
  // Only lines of one direction are compared.
  for (const row of rows) {
    if (run[0] !== undefined && run[0].line.direction !== row.line.direction) end();
    run.push(row);
  }
  end();
  return ordered;
}

/** The rows of a page: a line drawn behind another and beside it belongs to its row. */
function rowsOf(
  lines: readonly PageLine[],
  parted: ReadonlyMap<PageLine, readonly PageLine[]>,
): readonly DrawnLine[] {
  const rows: DrawnLine[] = [];
  for (const line of lines) {
    const pieces = parted.get(line) ?? [line];
    const row = rows.at(-1);
    const last = row?.lines.at(-1);
    const beside =
      last?.direction === line.direction &&
      Math.abs(line.y - last.y) < maxStep * last.size &&
      line.x > last.end + columnGap * last.size;
    if (row !== undefined && beside && row.lines.length < maxBeside) {
      rows.pop();
      rows.push({ ...row, pieces: [...row.pieces, ...pieces], lines: [...row.lines, line] });
    } else rows.push({ line, pieces, lines: [line] });
  }
  return rows;
}

interface Sides {
  readonly left: readonly PageLine[];
  readonly right: readonly PageLine[];
  /** Whether a piece lies across the gutter. */
  readonly across: boolean;
}

function sidesOf({ pieces }: DrawnLine, gutter: number): Sides {
  const left = pieces.filter((piece) => piece.end <= gutter);
  const right = pieces.filter((piece) => piece.x >= gutter);
  return { left, right, across: left.length + right.length < pieces.length };
}

/** Lines whose columns are parted; undefined when there are none. A line across both columns divides the page. */
function divided(drawn: readonly DrawnLine[], depth: number): PageLine[] | undefined {
  const gutter = depth < maxDepth ? gutterOf(drawn) : undefined;
  if (gutter === undefined) return undefined;
  const lines: PageLine[] = [];
  let run: { readonly drawn: DrawnLine; readonly sides: Sides }[] = [];
  const end = () => {
    const first = run.findIndex(({ sides }) => isRow(sides));
    if (run.filter(({ sides }) => isRow(sides)).length < minRows)
      lines.push(...run.flatMap((each) => each.drawn.lines));
    else {
      // Lines above the first row, such as a running head, are of no column.
      for (const { drawn: above } of run.splice(0, first)) lines.push(...above.lines);
      const column = (side: 'left' | 'right') => {
        const part = run.flatMap(({ drawn: { line }, sides }) =>
          sides[side].length > 0 ? [{ line, pieces: sides[side], lines: [joined(line, sides[side])] }] : [],
        );
        return divided(part, depth + 1) ?? part.flatMap((each) => each.lines);
      };
      const columns = [column('left'), column('right')];
      lines.push(...(isRightToLeft(drawn) ? columns.reverse() : columns).flat());
    }
    run = [];
  };
  for (const each of drawn) {
    const sides = sidesOf(each, gutter);
    if (sides.across) end();
    if (sides.across) lines.push(...each.lines);
    else run.push({ drawn: each, sides });
  }
  end();
  return lines;
}

function isRow({ left, right }: Sides): boolean {
  return left.length > 0 && right.length > 0;
}

/** A place within the gaps of most rows, the rows on both sides of which are lines of text. */
function gutterOf(drawn: readonly DrawnLine[]): number | undefined {
  const ends: { readonly place: number; readonly step: number }[] = [];
  for (const { pieces } of drawn)
    for (let at = 1; at < pieces.length; at++) {
      const [before, behind] = [pieces[at - 1], pieces[at]];
      if (before === undefined || behind === undefined || before.end >= behind.x) continue;
      if (before.text.length < minLetters || behind.text.length < minLetters) continue;
      ends.push({ place: before.end, step: 1 }, { place: behind.x, step: -1 });
    }
  ends.sort((a, b) => a.place - b.place || b.step - a.step);
  let rows = 0;
  const places = ends.flatMap(({ place, step }, at) => {
    rows += step;
    return step > 0 && rows >= minRows ? [{ place: (place + (ends[at + 1]?.place ?? place)) / 2, rows }] : [];
  });
  places.sort((a, b) => b.rows - a.rows);
  return places.slice(0, maxPlaces).find(({ place }) => isGutter(drawn, place))?.place;
}

/** Whether enough rows in succession have lines of text on both sides of a place, and not cells of a table. */
function isGutter(drawn: readonly DrawnLine[], place: number): boolean {
  let run: Sides[] = [];
  const rows: Sides[] = [];
  const end = () => {
    const whole = run.filter(isRow);
    if (whole.length >= minRows) rows.push(...whole);
    run = [];
  };
  for (const each of drawn) {
    const sides = sidesOf(each, place);
    if (sides.across) end();
    else run.push(sides);
  }
  end();
  return rows.length > 0 && isText(rows.map(({ left }) => left)) && isText(rows.map(({ right }) => right));
}

function isText(rows: readonly (readonly PageLine[])[]): boolean {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const pieces of rows) {
    from = Math.min(from, pieces[0]?.x ?? from);
    to = Math.max(to, pieces.at(-1)?.end ?? to);
  }
  const full = rows.filter((pieces) => {
    const text = pieces.map((piece) => piece.text).join(' ');
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    const words = asian.test(text)
      ? letters
      : (text.match(/(?<!\S)[\p{L}\p{M}\p{Pd}\p{Pi}(]{2}/gu)?.length ?? 0);
    const width = (pieces.at(-1)?.end ?? 0) - (pieces[0]?.x ?? 0);
    const worded = letters >= minLetters * pieces.length && words >= minWords;
    return worded && width >= minFilled * (to - from);
  });
  return 3 * full.length >= 2 * rows.length;
}

/** Pieces of one side of a gutter as one line. */
function joined(line: PageLine, pieces: readonly PageLine[]): PageLine {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const text = pieces.map((piece) => piece.text).join(' ');
  return { ...line, text, x: first?.x ?? line.x, end: pieces.at(-1)?.end ?? line.end };
}

function isRightToLeft(drawn: readonly DrawnLine[]): boolean {
  return 2 * drawn.filter(({ line }) => rightToLeft.test(line.text)).length > drawn.length;
}

/** Two columns of which the right one was drawn first change places. */
function leftFirst(lines: readonly PageLine[]): readonly PageLine[] {
  for (let at = minRows; at + minRows <= lines.length; at++) {
    const [last, first] = [lines[at - 1], lines[at]];
    if (last === undefined || first === undefined || first.y <= last.y || first.end > last.x) continue;
    const start = startOfColumn(lines, at, first.end);
    const edge = lines.slice(start, at).reduce((min, { x }) => Math.min(min, x), last.x);
    let stop = at;
    while ((lines[stop]?.end ?? edge) < edge) stop++;
    const beside = (lines[stop - 1]?.y ?? first.y) <= (lines[start]?.y ?? 0) && first.y >= last.y;
    if (at - start < minRows || stop - at < minRows || !beside) continue;
    const order = [lines.slice(0, start), lines.slice(at, stop), lines.slice(start, at), lines.slice(stop)];
    return lines.slice(start, stop).some(({ text }) => rightToLeft.test(text)) ? lines : order.flat();
  }
  return lines;
}

/** Where the column ends upwards that goes down to a line, all of it right of a place. */
function startOfColumn(lines: readonly PageLine[], end: number, edge: number): number {
  let start = end - 1;
  for (let next = lines[start - 1]; next !== undefined; next = lines[start - 1]) {
    if (next.x < edge || next.y <= (lines[start]?.y ?? 0)) break;
    start--;
  }
  return start;
}
