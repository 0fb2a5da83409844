import { shown } from './client/remote-text.ts';

/** What the page needs of a table: every text fit to be shown. */
export interface TableData {
  readonly url: string;
  readonly tables: readonly string[];
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[];
  readonly rows: readonly (readonly string[])[];
  readonly total: number;
  readonly of: number;
  readonly whole: boolean;
  readonly points: readonly { readonly label: string; readonly value: number }[];
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown) => (typeof value === 'string' ? shown(value, 500) : '');
const amount = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0);

/** Read what `/objects/OID/table` answered; undefined when it is no such answer. */
export function readTable(json: unknown): TableData | undefined {
  if (!isFields(json) || !Array.isArray(json.columns) || !Array.isArray(json.rows)) return undefined;
  return {
    url: typeof json.url === 'string' ? json.url.slice(0, 2000) : '',
    tables: list(json.tables).slice(0, 100).map(text),
    table: text(json.table),
    columns: json.columns.slice(0, 200).map((column) => ({
      name: isFields(column) ? text(column.name) : '',
      numeric: isFields(column) && column.numeric === true,
    })),
    rows: json.rows.slice(0, 100).map((row) => list(row).slice(0, 200).map(text)),
    total: amount(json.total),
    of: amount(json.of),
    whole: json.whole === true,
    points: list(json.points)
      .slice(0, 500)
      .flatMap((point) =>
        isFields(point) && typeof point.value === 'number' && Number.isFinite(point.value)
          ? [{ label: text(point.label), value: point.value }]
          : [],
      ),
  };
}
