import type { RunReport } from '../../gatherer/events.ts';
import { count, number, seconds, size } from './number-formats.ts';
import { terminalSafe } from './output.ts';

/** The work of a run, in one line, with the number of answers of each status of web servers. */
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
  const answers = Object.entries(report.answers).map(([status, times]) => `${status} ${number(times)}x`);
  const answered = answers.length === 0 ? '' : `; answers: ${answers.join(', ')}`;
  const waits = Object.entries(report.waited).map(([setting, ms]) => `${seconds(ms)} for ${setting}`);
  const waited = waits.length === 0 ? '' : `; waited ${waits.join(', ')}`;
  return `${count(report.objects, 'summary', 'summaries')} (${said.join(', ') || 'nothing found'}), ${size(report.bytesRead)} read in ${seconds(report.ms)}${answered}${mappedWords(report)}${waited}`;
}

function mappedWords({ mapped: { local, network } }: RunReport): string {
  const requested = Object.values(network).reduce((sum, times) => sum + times, 0);
  if (local + requested === 0) return '';
  return `; of mapped URLs ${number(local)} read from disk, ${number(requested)} requested`;
}

/** Between a count and the first of the counted. */
const exampleOf = (value: number) => (value === 1 ? ': ' : ', such as ');

/** Missing pages that something links to, in one line; empty when there are none. */
function goneLines({ goneCount, gone }: RunReport): string[] {
  const [first] = gone;
  if (first === undefined) return [];
  return [
    `${count(goneCount, 'broken link')}${exampleOf(goneCount)}${terminalSafe(first.url)} (${terminalSafe(first.reason)}), linked from ${terminalSafe(first.from)}`,
  ];
}

/** Incomplete summaries, in one line; empty when there are none. */
function reducedLines({ reduced, reductions }: RunReport): string[] {
  const [first] = reductions;
  if (first === undefined) return [];
  const reason = terminalSafe(first.reason.split('\n', 1)[0] ?? '');
  return [
    `${count(reduced, 'summary is', 'summaries are')} incomplete (see Summary-Note)${exampleOf(reduced)}${terminalSafe(first.url)} (${reason})`,
  ];
}

/** The number of URLs that a line about one rule names. */
const namedOfRule = 3;

/** The first URLs that a rule left out, as the end of its line. */
function firstOf(urls: readonly string[], value: number): string {
  if (urls.length === 0) return '';
  const named = urls.slice(0, namedOfRule);
  return `${value > named.length ? '; such as ' : '; '}${named.map(terminalSafe).join(', ')}`;
}

/** Whether a sentence names this URL, and not only one that begins with it. */
function names(sentence: string, url: string): boolean {
  return sentence.split(/[\s,;()"]+/).some((word) => word === url || word.replace(/[.:]$/, '') === url);
}

/** The documents that a run left out or could not read, the gravest first; empty when there are none. */
export function runComplaints(report: RunReport): string[] {
  const dropped = (rule: string) => {
    const value = report.dropped[rule] ?? 0;
    if (value === 0) return '';
    return `; ${count(value, 'stored summary', 'stored summaries')} deleted`;
  };
  const skipped = Object.entries(report.skipped)
    .sort((a, b) => b[1] - a[1])
    .map(
      ([rule, value]) =>
        `left out ${number(value)}: ${terminalSafe(rule)}${dropped(rule)}${firstOf(report.firstSkipped[rule] ?? [], value)}`,
    );
  const areMore = Object.entries(report.skipped).some(
    ([rule, value]) => value > Math.min(namedOfRule, report.firstSkipped[rule]?.length ?? 0),
  );
  // A reason that begins with the URL needs no second one.
  const failed = report.failures.map(({ url, reason }) =>
    names(reason.split(' ', 1)[0] ?? '', url)
      ? `could not read: ${terminalSafe(reason)}`
      : `could not read ${terminalSafe(url)}: ${terminalSafe(reason)}`,
  );
  const refused = report.refusals.map(
    ({ url, code, reason }) => `left packed ${terminalSafe(url)}: ${terminalSafe(reason)} [${code}]`,
  );
  const moreRefused = report.refused - report.refusals.length;
  const more = report.failed - report.failures.length;
  return [
    ...failed,
    ...(more > 0 ? [`and ${number(more)} more could not be read`] : []),
    ...refused,
    ...(moreRefused > 0 ? [`and ${number(moreRefused)} more were left packed`] : []),
    ...reducedLines(report),
    ...skipped,
    ...(areMore
      ? ['garner gatherer run --list lists everything left out; garner gatherer why URL explains one URL']
      : []),
    ...Object.entries(report.mapped.network)
      .sort((a, b) => b[1] - a[1])
      .map(
        ([reason, times]) =>
          `requested ${count(times, 'URL')} from the server though gatherer.local-mapping has a folder: ${reason}`,
      ),
    ...goneLines(report),
  ];
}
