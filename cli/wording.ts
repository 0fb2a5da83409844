import type { RunReport } from '../gatherer/index.ts';
import { terminalSafe } from './output.ts';

/** `1,941` */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** `9.8 kB` */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `0.4 s` */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
}

/** `1 page`, `2 pages` */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** What a run did, in one line. */
export function runLine(report: RunReport): string {
  const parts = [
    [report.added, 'added'],
    [report.changed, 'changed'],
    [report.refreshed, 'refreshed'],
    [report.unchanged, 'unchanged'],
    [report.deleted, 'deleted'],
    [report.failed, 'failed'],
  ] as const;
  const said = parts.filter(([value]) => value > 0).map(([value, what]) => `${number(value)} ${what}`);
  return `${count(report.objects, 'summary', 'summaries')} (${said.join(', ') || 'nothing found'}), ${size(report.bytesRead)} read in ${seconds(report.ms)}`;
}

/** What a run left out or could not read, loudest first; empty when there is nothing to say. */
export function runComplaints(report: RunReport): string[] {
  const skipped = Object.entries(report.skipped)
    .sort((a, b) => b[1] - a[1])
    .map(([rule, value]) => `left out ${number(value)}: ${terminalSafe(rule)}`);
  const failed = report.failures.map(
    ({ url, reason }) => `could not read ${terminalSafe(url)}: ${terminalSafe(reason)}`,
  );
  const more = report.failed - report.failures.length;
  return [...failed, ...(more > 0 ? [`and ${number(more)} more could not be read`] : []), ...skipped];
}
