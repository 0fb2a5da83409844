import { formatNumber } from '../harness/report.ts';
import type { Curve, CurvePoint } from './curve.ts';
import type { Quality } from './quality.ts';

const megabytes = (bytes: number) => `${formatNumber(bytes / 1e6)} MB`;
const percent = (part: number, whole: number) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)}`);

function qualityText(own: Quality, full: Quality, judged: boolean): string {
  const ndcg = `nDCG ${own.ndcg10.toFixed(3)} ${percent(own.ndcg10, full.ndcg10)} %`;
  if (judged)
    return `${ndcg}, MAP ${own.map.toFixed(3)} ${percent(own.map, full.map)} %, R100 ${own.recall100.toFixed(3)} ${percent(own.recall100, full.recall100)} %`;
  return `${ndcg}, MRR ${own.mrr.toFixed(3)} ${percent(own.mrr, full.mrr)} %, S1 ${own.success1.toFixed(2)}, S10 ${own.success10.toFixed(2)}`;
}

function pointLines(point: CurvePoint, full: CurvePoint, curve: Curve): string[] {
  const { name, soif, wire, indexBytes, indexSeconds, makeSeconds } = point;
  const sizes = [
    `SOIF ${megabytes(soif)}`,
    `wire ${megabytes(wire)} = raw / ${formatNumber(curve.raw / wire)} = gzip / ${formatNumber(curve.gzipped / wire)}`,
    `index ${megabytes(indexBytes)} ${percent(indexBytes, full.indexBytes)} %`,
    `indexing ${formatNumber(indexSeconds)} s ${percent(indexSeconds, full.indexSeconds)} %`,
    `making ${formatNumber(makeSeconds)} s`,
  ];
  const lines = [`  ${name.padEnd(22)} ${sizes.join(', ')}`];
  for (const [set, quality] of Object.entries(point.quality)) {
    const text = qualityText(quality, full.quality[set] as Quality, set === 'questions');
    lines.push(`  ${''.padEnd(22)}   ${set.padEnd(9)} ${text}`);
  }
  return lines;
}

/** All curves as one Markdown table; quality is nDCG@10 as a part of the full text's, min and max over the sets. */
export function curvesMarkdown(curves: readonly Curve[]): string {
  const lines = [
    '| collection | level | wire | raw ÷ wire | gzip ÷ wire | index | indexing | nDCG@10 of full |',
    '|---|---|--:|--:|--:|--:|--:|--:|',
  ];
  for (const { collection, documents, raw, gzipped, points } of curves) {
    const [full] = points;
    if (full === undefined) continue;
    lines.push(
      `| **${collection}**, ${formatNumber(documents)} documents, ${megabytes(raw)} | | | | | | | |`,
    );
    for (const { name, wire, indexBytes, indexSeconds, quality } of points) {
      const parts = Object.entries(quality).map(
        ([set, { ndcg10 }]) => (100 * ndcg10) / (full.quality[set] as Quality).ndcg10,
      );
      const [min, max] = [Math.min(...parts).toFixed(0), Math.max(...parts).toFixed(0)];
      const good = min === max ? `${min} %` : `${min} to ${max} %`;
      const times = `${formatNumber(raw / wire)} | ${formatNumber(gzipped / wire)}`;
      lines.push(
        `| | ${name} | ${megabytes(wire)} | ${times} | ${megabytes(indexBytes)} | ${formatNumber(indexSeconds)} s | ${good} |`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

/** A curve for a terminal; percentages are of the full text's. */
export function curveText(curve: Curve): string {
  const { collection, documents, raw, gzipped, references, points } = curve;
  const [full] = points;
  if (full === undefined) throw new TypeError('a curve has no points');
  const sets = Object.entries(full.quality).map(([set, { queries }]) => `${queries} ${set}`);
  return [
    '',
    `${collection}: ${documents} documents, ${megabytes(raw)} raw, ${megabytes(gzipped)} gzipped; queries: ${sets.join(', ')}`,
    `  (URL-References, left out below, would take ${megabytes(references)} of the wire)`,
    ...points.flatMap((point) => pointLines(point, full, curve)),
    '',
  ].join('\n');
}
