import { formatGoal, formatNumber } from '../harness/report.ts';
import type { JudgedGoal, Times } from '../index/figures.ts';
import type { MillionRow } from './figures.ts';

/** One run of the benchmark. */
export interface MillionReport {
  readonly command: string;
  readonly date: string;
  readonly load: readonly [before: number, after: number];
  /** The material of the objects, one sentence. */
  readonly input: string;
  readonly rows: readonly MillionRow[];
  readonly goals: readonly JudgedGoal[];
}

const heads = [
  ...[
    'objects',
    'text MB',
    'filled s',
    'CPU s',
    'fill own MiB',
    'fill peak MiB',
    'store MB',
    'index MB',
    '% of text',
  ],
  ...['serve own MiB', 'serve peak MiB', 'open ms', 'cold start ms', 'quiet ms', 'busy ms', 'behind ms'],
];

const pair = ({ p50, p95 }: Times) => `${formatNumber(p50)} / ${formatNumber(p95)}`;

function cells(row: MillionRow): string[] {
  const { textBytes, seconds, cpuSeconds, storeBytes, indexBytes } = row;
  const mib = (bytes: number) => formatNumber(bytes / 2 ** 20);
  return [
    row.objects.toLocaleString('en-US'),
    ...[textBytes / 1e6, seconds, cpuSeconds].map(formatNumber),
    ...[mib(row.fillOwnBytes), mib(row.fillPeakBytes)],
    ...[storeBytes / 1e6, indexBytes / 1e6, (100 * indexBytes) / textBytes].map(formatNumber),
    ...[mib(row.serveOwnBytes), mib(row.servePeakBytes)],
    ...[row.openMs, row.coldMs].map(formatNumber),
    ...[pair(row.quiet), pair(row.busy), formatNumber(row.behindMs)],
  ];
}

const ran = ({ command, date, load }: MillionReport) =>
  `${command}: ${date}; load average ${load[0].toFixed(2)} before, ${load[1].toFixed(2)} after.`;

/** The curve for a terminal. */
export function millionText(report: MillionReport): string {
  const table = [heads, ...report.rows.map(cells)];
  const widths = heads.map((_, column) => Math.max(...table.map((row) => (row[column] as string).length)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padStart(widths[column] as number)).join('  ');
  const goals = report.goals.map(
    ({ what, unit, value, goal, met }) =>
      `  ${what}: ${formatNumber(value)} ${unit}, ${formatGoal(goal)}: ${met ? 'met' : 'MISSED'}`,
  );
  return `${[ran(report), report.input, '', ...table.map(line), '', ...goals].join('\n')}\n`;
}

/** The same for docs/performance.md, a row for each figure. */
export function millionMarkdown(report: MillionReport, machine: readonly string[]): string {
  const columns = report.rows.map(cells);
  const row = (one: readonly string[]) => `| ${one.join(' | ')} |`;
  const shown = ran(report).replace(report.command, `\`${report.command}\``);
  return [
    ...[shown, ...machine, report.input].map((line) => `- ${line}`),
    '',
    row(['objects', ...columns.map(([objects = '']) => objects)]),
    `|---|${columns.map(() => '--:').join('|')}|`,
    ...heads.slice(1).map((head, at) => row([head, ...columns.map((column) => column[at + 1] as string)])),
    '',
    ...['| figure of the largest | measured | goal |', '|---|--:|---|'],
    ...report.goals.map(({ what, unit, value, goal, met }) =>
      row([what, `${formatNumber(value)} ${unit}`, `${formatGoal(goal)}: ${met ? 'met' : '**missed**'}`]),
    ),
  ].join('\n');
}
