import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { mainText, readPage } from '../../readers/main-text/index.ts';
import { type Agreement, agreement, overall } from './measure.ts';
import { type LabelledPage, readLabelledPages } from './pages.ts';
import { trainedOn } from './trained-on.ts';

interface Extractor {
  readonly name: string;
  readonly extract: (html: string) => string;
}

/** Figures of one extractor over some of the pages. */
export interface ExtractionFigures {
  readonly extractor: string;
  readonly pages: 'all' | 'new to the model' | 'trained on';
  readonly count: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Pages in a second of CPU time, all threads of the process together; of all pages alone. */
  readonly pagesPerSecond?: number;
}

const extractors: readonly Extractor[] = [
  {
    name: 'garner',
    extract: (html) =>
      mainText(html)
        .paragraphs.map(({ text }) => text)
        .join('\n'),
  },
  { name: 'readability', extract: readabilityText },
  {
    name: 'all text',
    extract: (html) =>
      readPage(html)
        .blocks.map(({ text }) => text)
        .join('\n'),
  },
];
const timedRounds = 3;

function readabilityText(html: string): string {
  try {
    const { document } = parseHTML(html);
    return new Readability(document).parse()?.textContent ?? '';
  } catch {
    return '';
  }
}

/**
 * Print how well main text is found in the pages of a folder (ground-truth.json and html/KEY.html.gz): ours, Mozilla's
 * Readability on linkedom, and all text of the page. Pages that our model was trained on are told from others.
 */
export async function benchExtraction(folder: string, options: { readonly json: boolean }): Promise<void> {
  const pages = readLabelledPages(folder);
  const known = new Set(trainedOn);
  const parts: readonly (readonly [ExtractionFigures['pages'], readonly LabelledPage[]])[] = [
    ['all', pages],
    ['new to the model', pages.filter(({ key }) => !known.has(key.slice(0, 12)))],
    ['trained on', pages.filter(({ key }) => known.has(key.slice(0, 12)))],
  ];
  const figures: ExtractionFigures[] = [];
  for (const { name, extract } of extractors) {
    const agreements = new Map<LabelledPage, Agreement>();
    for (const page of pages) agreements.set(page, agreement(page.truth, extract(page.html)));
    const pagesPerSecond = speed(pages, extract);
    for (const [part, some] of parts) {
      if (some.length === 0) continue;
      const found = overall(some.flatMap((page) => agreements.get(page) ?? []));
      const rate = part === 'all' ? { pagesPerSecond } : {};
      figures.push({ extractor: name, pages: part, count: some.length, ...found, ...rate });
    }
  }
  process.stdout.write(
    options.json ? `${JSON.stringify({ pages: pages.length, figures })}\n` : table(figures),
  );
}

/** The best of some rounds over all pages, after the one that counted agreement warmed up. */
function speed(pages: readonly LabelledPage[], extract: Extractor['extract']): number {
  let least = Infinity;
  for (let round = 0; round < timedRounds; round++) {
    const before = process.cpuUsage();
    for (const { html } of pages) extract(html);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return pages.length / least;
}

function table(figures: readonly ExtractionFigures[]): string {
  const head = ['extractor', 'pages', '', 'precision', 'recall', 'F1', 'pages/s of CPU'];
  const rows = figures.map((one) => [
    one.extractor,
    one.pages,
    String(one.count),
    one.precision.toFixed(3),
    one.recall.toFixed(3),
    one.f1.toFixed(4),
    one.pagesPerSecond === undefined ? '' : one.pagesPerSecond.toFixed(0),
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}
