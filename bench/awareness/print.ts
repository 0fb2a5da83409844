import { formatNumber } from '../harness/report.ts';
import { type AwarenessRow, coldSketch } from './grid.ts';
import { type Kind, partsOf } from './objects.ts';

const number = (value: number) => Math.round(value).toLocaleString('en-US');
const milliseconds = (seconds: number) => formatNumber(seconds * 1000);

/** Columns of the page's table: schemes that differ in bytes when the client wants only handles. */
const columns: readonly (readonly [head: string, scheme: string])[] = [
  ['sketch', 'sketch'],
  ['sketch, nothing known', coldSketch],
  ['log', 'log'],
  ['tail', 'tail'],
  ['hierarchical, binary', 'hierarchical-signatures-binary'],
  ['hierarchical, by 16', 'hierarchical-signatures'],
  ['every signature', 'signature'],
  ['every short id', 'short-ids'],
];

const sentBytes = ({ bytesUp, bytesDown, signatureBytes }: AwarenessRow) =>
  bytesUp + bytesDown - signatureBytes;

/** Rows of one size and kind of change, in the order of measurement. */
function cellsOf(rows: readonly AwarenessRow[]): readonly (readonly AwarenessRow[])[] {
  const cells = new Map<string, AwarenessRow[]>();
  for (const row of rows) {
    const name = `${row.u} ${row.kind}`;
    cells.set(name, [...(cells.get(name) ?? []), row]);
  }
  return [...cells.values()];
}

/** The rows of one number of objects for a terminal, a line each. */
export function awarenessText(n: number, rows: readonly AwarenessRow[]): string {
  const head = ['scheme', 'up', 'down', 'signatures', 'rounds', 'store ms', 'client ms', 'peak MiB'];
  const width = Math.max(...head.map(({ length }) => length), ...rows.map(({ scheme }) => scheme.length)) + 2;
  const line = ([first = '', ...rest]: readonly string[]) =>
    `  ${first.padEnd(width)}${rest.map((text) => text.padStart(12)).join('')}`;
  const lines = ['', `N = ${number(n)}`];
  for (const cell of cellsOf(rows)) {
    const { u, kind } = cell[0] as AwarenessRow;
    lines.push('', `U = ${number(u)}, ${kind}; at least ${number(boundBytes(n, kind, u))} B`, line(head));
    for (const row of cell)
      lines.push(
        line([
          `${row.chosen ? '* ' : '  '}${row.scheme}`,
          ...[row.bytesUp, row.bytesDown, row.signatureBytes, row.rounds].map(number),
          ...[row.sourceCpuSeconds, row.clientCpuSeconds].map(milliseconds),
          formatNumber(row.peakBytes / 2 ** 20),
        ]),
      );
  }
  return `${lines.join('\n')}\n`;
}

/** All rows as Markdown: a table for each number of objects, with bytes and rounds of a scheme in a column. */
export function awarenessMarkdown(rows: readonly AwarenessRow[]): string {
  const lines: string[] = [];
  for (const n of new Set(rows.map((row) => row.n))) {
    const heads = [
      'U',
      'kind',
      'bound',
      'chosen',
      ...columns.map(([head]) => head),
      'CPU, chosen',
      'CPU, sketch',
    ];
    lines.push(
      `### ${number(n)} objects`,
      '',
      `| ${heads.join(' | ')} |`,
      `|--:|---|${'--:|'.repeat(heads.length - 2)}`,
    );
    for (const cell of cellsOf(rows.filter((row) => row.n === n))) {
      const { u, kind } = cell[0] as AwarenessRow;
      const chosen = cell.find((row) => row.chosen);
      const bytes = (row: AwarenessRow | undefined) =>
        row === undefined ? '' : `${number(sentBytes(row))} / ${row.rounds}`;
      const cpu = (row: AwarenessRow | undefined) =>
        row === undefined
          ? ''
          : `${milliseconds(row.sourceCpuSeconds)} + ${milliseconds(row.clientCpuSeconds)} ms`;
      const of = (scheme: string) => cell.find((row) => row.scheme === scheme);
      lines.push(
        `| ${[
          ...[number(u), kind, number(boundBytes(n, kind, u))],
          chosen === undefined ? '' : `${chosen.scheme} ${bytes(chosen)}`,
          ...columns.map(([, scheme]) => bytes(of(scheme))),
          ...[cpu(chosen), cpu(of('sketch'))],
        ].join(' | ')} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** log2 of n! by Stirling's series: exact to a thousandth from 1 on. */
function log2Factorial(n: number): number {
  if (n < 2) return 0;
  return (n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n)) / Math.LN2;
}

/**
 * Lower bound of the bytes that describe a change: a handle and a signature of 16 bytes each for new objects, in no
 * order, and which of the `n` objects are deleted.
 */
function boundBytes(n: number, kind: Kind, u: number): number {
  const { inserts, updates, deletes } = partsOf(kind, u);
  const [fresh, gone] = [inserts + updates, deletes + updates];
  const choice = log2Factorial(n) - log2Factorial(gone) - log2Factorial(n - gone);
  return fresh * 32 - log2Factorial(fresh) / 8 + choice / 8;
}
