import type { AwarenessReport, SchemeReport } from '../../../broker/index.ts';
import { filterWords } from '../../config/source-filters.ts';
import { count, size } from '../../text/number-formats.ts';
import { terminalSafe } from '../../text/output.ts';

/** Milliseconds as people read them: `12 ms`, `3.4 s`. */
function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Lines of cells, each column as wide as its widest; all but the first are aligned to the right. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function schemeRow(
  { scheme, predicted, measured, chosen, skipped }: SchemeReport,
  isMeasured: boolean,
): string[] {
  const { bytesUp, bytesDown, rounds, ms } = predicted;
  const row = [
    `${chosen ? '*' : ' '} ${scheme}`,
    ...[size(bytesUp), size(bytesDown), String(rounds), duration(ms)],
  ];
  if (!isMeasured) return row;
  if (measured === null) return [...row, skipped === null ? '-' : 'skipped', '', '', ''];
  return [
    ...row,
    ...[
      size(measured.bytesUp),
      size(measured.bytesDown),
      String(measured.rounds ?? ''),
      duration(measured.ms),
    ],
  ];
}

/** The cost of a scheme in an earlier round, with the prediction for that round. */
function lastRound({ scheme, measured }: SchemeReport): string[] {
  if (measured === null) return [];
  const { bytesUp, bytesDown, ms, at, predicted } = measured;
  return [
    `  ${scheme}: ${size(bytesUp)} up, ${size(bytesDown)} down in ${duration(ms)} (predicted ${size(predicted.bytesUp)} and ${size(predicted.bytesDown)}), ${new Date(at * 1000).toISOString()}`,
  ];
}

/** The report as text. */
export function explainText(report: AwarenessReport, emphasise: (text: string) => string): string {
  const { source, filter, count: objects, held, changes, same, want, objectBytes, link, schemes } = report;
  const possible = schemes.filter(({ reason }) => reason === null);
  const refused = schemes.filter(({ reason }) => reason !== null);
  const since = changes === null ? 'no valid marker' : `${count(changes, 'change')} since the marker`;
  const bandwidth = `${size(link.bytesPerSecond)}/s${link.bandwidthMeasured ? '' : ' (assumed)'}`;
  const isMeasured = want === 'handles';
  const [head = '', ...rows] = columns([
    ['  scheme', 'up', 'down', 'trips', 'time', ...(isMeasured ? ['took up', 'down', 'trips', 'time'] : [])],
    ...possible.map((scheme) => schemeRow(scheme, isMeasured)),
  ]);
  const last = isMeasured ? [] : schemes.flatMap(lastRound);
  return [
    `  source    ${terminalSafe(source.name)} ${terminalSafe(source.url)}`,
    ...(filter === null ? [] : [`  filter    ${terminalSafe(filterWords(filter))}`]),
    `  objects   ${count(objects, 'object')} there, ${count(held, 'object')} here; ${since}`,
    `  link      ${duration(link.roundTripMs)} round trip, ${bandwidth}`,
    isMeasured
      ? '  of        handles and signatures only: nothing is learned'
      : `  of        whole objects${objectBytes === null ? '' : `, ${size(objectBytes)} each`}`,
    '',
    emphasise(head),
    ...rows,
    '',
    same
      ? '  the copy equals its source: one short answer confirms that, and no scheme runs'
      : '* the engine chooses this scheme',
    ...(last.length === 0 ? [] : ['', emphasise('  last rounds of a single scheme'), ...last]),
    ...(refused.length === 0 ? [] : ['', emphasise('  not possible here')]),
    ...refused.map(({ scheme, reason }) => `  ${scheme}: ${reason}`),
  ].join('\n');
}
