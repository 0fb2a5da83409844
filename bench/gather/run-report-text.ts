import type { RunReport } from '../../gatherer/index.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** Reasons without the parts that differ from file to file, the most frequent first. */
export function reasonsOf(cases: readonly { readonly reason: string }[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of cases) {
    const kind = reason.replace(/\s*\(.*$/s, '').replace(/\S*\/\S*/g, '…');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${number(count)} ${kind}`)
    .join('; ');
}

/** Sentences on a run: its size, and the files that were skipped, refused and failed, with reasons. */
export function runWords(report: RunReport): string[] {
  const { objects, bytesRead, skipped, refused, refusals, failed, failures, complete } = report;
  const rules = Object.entries(skipped).sort(([, one], [, other]) => other - one);
  const left = rules.reduce((sum, [, count]) => sum + count, 0);
  const words = [`First run: ${number(objects)} objects, ${(bytesRead / 1e6).toFixed(1)} MB read.`];
  if (left > 0)
    words.push(
      `Skipped ${number(left)}: ${rules.map(([rule, count]) => `${number(count)} ${rule}`).join('; ')}.`,
    );
  if (refused > 0)
    words.push(`Refused inside documents ${number(refused)}; the first: ${reasonsOf(refusals)}.`);
  if (failed > 0) words.push(`Failed ${number(failed)}; the first: ${reasonsOf(failures)}.`);
  if (!complete) words.push('The run was not complete.');
  return words;
}
