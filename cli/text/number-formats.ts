import type { RunReport } from '../../gatherer/events.ts';
import type { WhyReport } from '../../gatherer/index.ts';
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

/** What a run did, in one line; where a web server was asked, with how often it answered what. */
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
  const asked = Object.values(network).reduce((sum, times) => sum + times, 0);
  if (local + asked === 0) return '';
  return `; of what is mapped ${number(local)} read from disk, ${number(asked)} asked for`;
}

/** Pages that are not there though something leads to them, in one line; empty when there are none. */
function goneLines({ goneCount, gone }: RunReport): string[] {
  const [first] = gone;
  if (first === undefined) return [];
  const such = goneCount === 1 ? '' : 'such as ';
  return [
    `${count(goneCount, 'page is', 'pages are')} gone though something leads there: ${such}${terminalSafe(first.url)} (${terminalSafe(first.reason)}, named by ${terminalSafe(first.from)})`,
  ];
}

/** Summaries that lack something, in one line; empty when there are none. */
function reducedLines({ reduced, reductions }: RunReport): string[] {
  const [first] = reductions;
  if (first === undefined) return [];
  const such = reduced === 1 ? '' : 'such as ';
  const reason = terminalSafe(first.reason.split('\n', 1)[0] ?? '');
  return [
    `${count(reduced, 'summary lacks', 'summaries lack')} something, as Summary-Note says: ${such}${terminalSafe(first.url)} (${reason})`,
  ];
}

/** URLs named of what one rule left out. */
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

/** What a run left out or could not read, loudest first; empty when there is nothing to say. */
export function runComplaints(report: RunReport): string[] {
  const dropped = (rule: string) => {
    const value = report.dropped[rule] ?? 0;
    if (value === 0) return '';
    return value === 1
      ? '; a summary that was held is deleted'
      : `; ${number(value)} summaries that were held are deleted`;
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
  // A reason that begins with the document says all; most are a whole sentence about it.
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
      ? ['garner gatherer run --list names all that is left out, garner gatherer why URL says more about one']
      : []),
    ...Object.entries(report.mapped.network)
      .sort((a, b) => b[1] - a[1])
      .map(
        ([reason, times]) =>
          `asked for ${number(times)} though gatherer.local-mapping has a folder: ${reason}`,
      ),
    ...goneLines(report),
  ];
}

/** Why a URL is in or out, a line for each thing that is known. */
export function whyLines(why: WhyReport): string[] {
  const { included, rule, object, deletedAt, sameAs, skipped, reason } = why;
  const time = (at: number) => new Date(at * 1000).toISOString();
  const without = deletedAt === null ? unmetWords(why) : `: it was deleted ${time(deletedAt)}`;
  const isSaid =
    reason === undefined ||
    rule.includes(reason) ||
    reason === skipped ||
    Object.hasOwn(why.left ?? {}, reason);
  return [
    `  ${included ? 'in' : 'out'}: ${terminalSafe(rule)}`,
    ...(isSaid ? [] : [`  the last run said: ${terminalSafe(reason)}`]),
    ...(skipped === null ? [] : [`  left out in the last run: ${terminalSafe(skipped)}`]),
    ...(sameAs === null ? [] : [`  the same as ${terminalSafe(sameAs)}`]),
    object === null
      ? `  no summary${without}`
      : `  summarised ${time(object.updatedAt)}, valid to ${time(object.expiresAt)}`,
  ];
}

/** What is to be said of a URL that no run has reason of; nothing where a rule keeps it out. */
function unmetWords({ included, met, looked, unnamed }: WhyReport): string {
  if (met || !included) return '';
  if (looked === true) return ': the last look into that made none of it';
  return unnamed === true
    ? '; the last run left out more than it noted, perhaps this too'
    : '; no run has come across it';
}
