import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Machine, packageFolder } from './machine.ts';
import type { Goal, Row, Skipped, Unit } from './results.ts';

/** One run of a benchmark. */
export interface Report {
  readonly benchmark: string;
  readonly command: string;
  /** ISO 8601. */
  readonly date: string;
  readonly rounds: number;
  readonly quick: boolean;
  readonly seconds: number;
  readonly machine: Machine;
  /** Load averages of one minute, before and after. */
  readonly load: readonly [before: number, after: number];
  /** The input, one sentence each. */
  readonly input: readonly string[];
  readonly rows: readonly Row[];
  readonly skipped: readonly Skipped[];
}

/** Three significant digits, thousands separated, never an exponent. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || value === 0) return Math.round(value).toLocaleString('en-US');
  const digits = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))));
  return Number(value.toFixed(digits)).toString();
}

export function formatGoal(goal: Goal): string {
  if ('below' in goal) return `< ${formatNumber(goal.below)}`;
  if ('atMost' in goal) return `≤ ${formatNumber(goal.atMost)}`;
  return `≥ ${formatNumber(goal.atLeast)}`;
}

const withUnit = (text: string, unit: Unit) => (unit === 'times' ? `${text}×` : `${text} ${unit}`);

function spreadText({ lowest, highest, samples }: Row): string {
  if (samples === 1) return 'once';
  const [low, high] = [formatNumber(lowest), formatNumber(highest)];
  return low === high ? `${samples}× the same` : `${low} to ${high}`;
}

const verdict = ({ goal, met }: Row) =>
  goal === undefined ? '' : `${formatGoal(goal)}: ${met ? 'met' : '**missed**'}`;

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The machine and the software of a benchmark, one sentence each. */
export function machineWords({
  processor,
  cores,
  memoryBytes,
  os,
  kernel,
  node,
  libraries,
  peers,
}: Machine): string[] {
  const names = (versions: Readonly<Record<string, string>>) =>
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ');
  const peerNames = names(peers);
  return [
    `${processor}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${formatNumber(memoryBytes / 2 ** 30)} GiB; ${os}, kernel ${kernel}; Node ${node}.`,
    `${names(libraries)}; ${peerNames === '' ? 'no peer' : `peers: ${peerNames}`}.`,
  ];
}

function machineLines({ machine, load, date, rounds, seconds, command }: Report): string[] {
  return [
    `${command}: ${rounds} ${rounds === 1 ? 'round' : 'rounds'} in ${Math.round(seconds)} s, ${date}; load average ${load[0].toFixed(2)} before, ${load[1].toFixed(2)} after.`,
    ...machineWords(machine),
  ];
}

/** A report as GitHub Markdown: how it was made, a table for each section, and the skipped figures. */
export function markdown(report: Report): string {
  const lines = [...machineLines(report), ...report.input].map((line) => `- ${line}`);
  const command = lines[0] as string;
  lines[0] = command.replace(report.command, `\`${report.command}\``);
  const sections = new Set(report.rows.map(({ section }) => section));
  for (const section of sections) {
    lines.push('', `### ${section}`, '', '| figure | median | spread | goal |', '|---|--:|---|---|');
    for (const row of report.rows) {
      if (row.section !== section) continue;
      const value = withUnit(formatNumber(row.median), row.unit);
      lines.push(`| ${inCell(row.what)} | ${value} | ${spreadText(row)} | ${verdict(row)} |`);
    }
  }
  if (report.skipped.length > 0) {
    lines.push('', '### Skipped', '');
    for (const { what, reason } of report.skipped) lines.push(`- ${what}: ${reason}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The same report for a terminal. */
export function plainText(report: Report): string {
  const lines = [...machineLines(report), ...report.input];
  const width = Math.max(0, ...report.rows.map(({ what }) => what.length));
  let section = '';
  for (const row of report.rows) {
    if (row.section !== section) lines.push('', row.section);
    section = row.section;
    const value = withUnit(formatNumber(row.median), row.unit).padStart(14);
    const goal = verdict(row).replaceAll('*', '').toUpperCase();
    lines.push(`  ${row.what.padEnd(width)} ${value}  (${spreadText(row)})${goal === '' ? '' : `  ${goal}`}`);
  }
  for (const { what, reason } of report.skipped) lines.push('', `  SKIPPED ${what}: ${reason}`);
  return `${lines.join('\n')}\n`;
}

/** `text` with the part between the benchmark's two markers replaced. Throws TypeError when a marker is absent. */
export function replaceMarked(text: string, benchmark: string, body: string): string {
  const opening = `<!-- bench:${benchmark} -->`;
  const closing = `<!-- /bench:${benchmark} -->`;
  const start = text.indexOf(opening);
  const end = text.indexOf(closing, start);
  if (start < 0 || end < 0) throw new TypeError(`the text has no ${opening} ... ${closing}`);
  return `${text.slice(0, start + opening.length)}\n${body.trimEnd()}\n${text.slice(end)}`;
}

const page = join(packageFolder(), 'docs/performance.md');

/** Whether docs/performance.md has a place for a benchmark. */
export async function hasPlace(benchmark: string): Promise<boolean> {
  return (await readFile(page, 'utf8')).includes(`<!-- bench:${benchmark} -->`);
}

/** Replace a benchmark's report in docs/performance.md. Throws TypeError when the page has no place for it. */
export async function writePerformance(benchmark: string, body: string): Promise<void> {
  await writeFile(page, replaceMarked(await readFile(page, 'utf8'), benchmark, body));
}
