import type { DocumentTable } from './table-document.ts';

/** A query of a table. Columns go by their names in the table. Unknown columns are ignored. */
export interface TableQuestion {
  readonly table?: string;
  readonly sort?: string;
  readonly descending: boolean;
  /** `COLUMN: text` selects rows that contain it, `COLUMN: > 5` (<, <=, >=, =, !=) compares. */
  readonly where: readonly string[];
  readonly offset: number;
  readonly limit: number;
  readonly x?: string;
  readonly y?: string;
}

export interface TableAnswer {
  readonly tables: readonly string[];
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[];
  readonly rows: readonly (readonly string[])[];
  /** Number of selected rows, and of all rows. */
  readonly total: number;
  readonly of: number;
  readonly whole: boolean;
  /** The points of a plot: at most 500 of the selected rows, evenly spaced. */
  readonly points: readonly { readonly label: string; readonly value: number }[];
}

const maxPoints = 500;
// A longer text is not a number.
const maxNumeralLength = 64;
const numeral = /^[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*%?$/;

/** The number in a cell, or undefined. */
export function cellNumber(cell: string): number | undefined {
  const text = cell.trim();
  if (text.length > maxNumeralLength || !numeral.test(text)) return undefined;
  const value = Number(text.replace(/[,%\s]/g, ''));
  return Number.isFinite(value) ? value : undefined;
}

type Row = readonly string[];

function isNumeric(rows: readonly Row[], column: number): boolean {
  let numbers = 0;
  let others = 0;
  for (const row of rows.slice(0, 200)) {
    const cell = row[column] ?? '';
    if (cell.trim() === '') continue;
    if (cellNumber(cell) === undefined) others++;
    else numbers++;
  }
  return numbers > 0 && others * 10 <= numbers;
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
};

/** The sort key of a cell: its number, else its text without case. */
type CellKey = number | string;

const cellKey = (cell: string): CellKey => cellNumber(cell) ?? cell.toLowerCase();

/** Numbers by value, before other cells. */
function compareKeys(a: CellKey, b: CellKey): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function conditionOf(text: string, columns: readonly string[]): ((row: Row) => boolean) | undefined {
  const name = columns
    .filter((column) => text.startsWith(`${column}:`))
    .sort((a, b) => b.length - a.length)[0];
  if (name === undefined) return undefined;
  const column = columns.indexOf(name);
  const value = text.slice(name.length + 1).trim();
  const [, sign = '', operand = ''] = /^(<=|>=|!=|<|>|=)\s*(.*)$/s.exec(value) ?? [];
  const compare = comparisons[sign];
  if (compare !== undefined) {
    const wanted = cellKey(operand);
    return (row) => {
      const key = cellKey(row[column] ?? '');
      // A cell without a number is neither more nor less than a number.
      if (typeof wanted === 'number' && typeof key !== 'number') return sign === '!=';
      return compare(compareKeys(key, wanted));
    };
  }
  const wanted = value.toLowerCase();
  return (row) => (row[column] ?? '').toLowerCase().includes(wanted);
}

/** Filter, sort and cut a table, and choose the points of a plot. */
export function askTable(tables: readonly DocumentTable[], question: TableQuestion): TableAnswer {
  const table = tables.find(({ name }) => name === question.table) ?? (tables[0] as DocumentTable);
  const { columns } = table;
  const conditions = question.where
    .map((text) => conditionOf(text, columns))
    .filter((condition) => condition !== undefined);
  let rows = table.rows.filter((row) => conditions.every((holds) => holds(row)));
  const sort = question.sort === undefined ? -1 : columns.indexOf(question.sort);
  if (sort >= 0) {
    const sign = question.descending ? -1 : 1;
    rows = rows
      .map((row) => ({ row, key: cellKey(row[sort] ?? '') }))
      .sort((a, b) => sign * compareKeys(a.key, b.key))
      .map(({ row }) => row);
  }
  return {
    tables: tables.map(({ name }) => name),
    table: table.name,
    columns: columns.map((name, index) => ({ name, numeric: isNumeric(table.rows, index) })),
    rows: rows.slice(question.offset, question.offset + question.limit),
    total: rows.length,
    of: table.rows.length,
    whole: table.whole,
    points: pointsOf(rows, columns, question),
  };
}

function pointsOf(rows: readonly Row[], columns: readonly string[], { x = '', y = '' }: TableQuestion) {
  const [labels, values] = [columns.indexOf(x), columns.indexOf(y)];
  if (values < 0) return [];
  const all = rows.flatMap((row, index) => {
    const value = cellNumber(row[values] ?? '');
    return value === undefined
      ? []
      : [{ label: labels < 0 ? String(index + 1) : (row[labels] ?? ''), value }];
  });
  const step = Math.max(1, all.length / maxPoints);
  return Array.from(
    { length: Math.min(all.length, maxPoints) },
    (_, index) => all[Math.floor(index * step)],
  ).filter((point) => point !== undefined);
}
