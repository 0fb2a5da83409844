import { formatGoal, formatNumber } from '../harness/report.ts';
import type { Skipped } from '../harness/results.ts';
import type { Documentation } from '../material/documentation.ts';
import { type IndexRow, type JudgedGoal, type Times, ways } from './figures.ts';

/** One run of the benchmark. */
export interface IndexReport {
  readonly command: string;
  readonly date: string;
  readonly load: readonly [before: number, after: number];
  readonly rounds: number;
  readonly documentation: Omit<Documentation, 'file'>;
  /** Number of queries of each way. */
  readonly queries: Readonly<Record<(typeof ways)[number], number>>;
  readonly rows: readonly IndexRow[];
  readonly goals: readonly JudgedGoal[];
  readonly skipped: readonly Skipped[];
}

const pair = (times: Times | undefined) =>
  times === undefined ? '–' : `${formatNumber(times.p50)} / ${formatNumber(times.p95)}`;
const one = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value));

const less = ({ p50, p95 }: Times, ms: number): Times => ({ p50: p50 - ms, p95: p95 - ms });

const heads = [
  ...['engine', 'build s', 'CPU s', 'peak MiB', 'index MB', '% of text'],
  ...['OR ms', 'AND ms', 'phrase ms', '1 error ms', 'update ms', 'reopen ms', 'process ms'],
  '1 error less process ms',
];

function cells(row: IndexRow): string[] {
  const { engine, version, buildSeconds, buildCpuSeconds, peakBytes, indexBytes, indexPart } = row;
  return [
    version === undefined ? engine : `${engine} ${version}`,
    ...[buildSeconds, buildCpuSeconds, peakBytes / 2 ** 20, indexBytes / 1e6, indexPart].map(formatNumber),
    ...ways.map((way) => pair(row.queries[way])),
    ...[pair(row.oneError), one(row.updateMs), one(row.reopenMs), one(row.processMs)],
    row.processMs === undefined ? '–' : pair(row.oneError && less(row.oneError, row.processMs)),
  ];
}

/** The input and the run, one sentence each. */
export function inputWords({ command, date, load, rounds, documentation, queries }: IndexReport): string[] {
  const { pages, htmlBytes, textBytes, folders } = documentation;
  return [
    `${command}: ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of queries, ${date}; load average ${load[0].toFixed(2)} before, ${load[1].toFixed(2)} after.`,
    `Input: ${pages.toLocaleString('en-US')} pages of ${folders.join(', ')}: ${formatNumber(htmlBytes / 1e6)} MB of HTML, ${formatNumber(textBytes / 1e6)} MB of titles and texts by Garner's summariser, the same for all.`,
    `Queries: ${queries.or} of one to three words that are adjacent in titles; ${queries.phrase} of them have several words and are also sent as phrases. Times are p50 / p95 for the best ten.`,
  ];
}

/** The table for a terminal. */
export function indexText(report: IndexReport): string {
  const table = [heads, ...report.rows.map(cells)];
  const widths = heads.map((_, column) => Math.max(...table.map((row) => (row[column] as string).length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
      )
      .join('  ');
  const notes = report.rows.flatMap(({ engine, notes }) => notes.map((note) => `  ${engine}: ${note}`));
  const goals = report.goals.map(
    ({ what, unit, value, goal, met }) =>
      `  ${what}: ${formatNumber(value)} ${unit}, ${formatGoal(goal)}: ${met ? 'met' : 'MISSED'}`,
  );
  const skipped = report.skipped.map(({ what, reason }) => `  SKIPPED ${what}: ${reason}`);
  return `${[...inputWords(report), '', ...table.map(line), '', ...notes, '', ...goals, ...skipped].join('\n')}\n`;
}

/** The same for docs/performance.md. */
export function indexMarkdown(report: IndexReport, machine: readonly string[]): string {
  const [command = '', ...input] = inputWords(report);
  const shown = command.replace(report.command, `\`${report.command}\``);
  const row = (columns: readonly string[]) => `| ${columns.join(' | ')} |`;
  const align = `|---|${heads
    .slice(1)
    .map(() => '--:')
    .join('|')}|`;
  return [
    ...[shown, ...machine, ...input].map((line) => `- ${line}`),
    '',
    ...[row(heads), align, ...report.rows.map((each) => row(cells(each)))],
    '',
    ...report.rows.flatMap(({ engine, notes }) => notes.map((note) => `- ${engine}: ${note}.`)),
    ...report.skipped.map(({ what, reason }) => `- Skipped ${what}: ${reason}.`),
    '',
    ...['| figure of garner | measured | goal |', '|---|--:|---|'],
    ...report.goals.map(({ what, unit, value, goal, met }) =>
      row([what, `${formatNumber(value)} ${unit}`, `${formatGoal(goal)}: ${met ? 'met' : '**missed**'}`]),
    ),
  ].join('\n');
}
