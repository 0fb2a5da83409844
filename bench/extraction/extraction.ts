import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { mainText, readPage } from '../../readers/main-text/index.ts';
import { otherManuals, readManualPages } from './manuals.ts';
import { type Agreement, agreement, overall } from './measure.ts';
import { type LabelledPage, readLabelledPages } from './pages.ts';
import { crossValidate, trainingPages } from './training.ts';

/** Prefixes of the keys of the pages that the main text extractor's model was trained on. */
const trainedOn: readonly string[] = `
042bb7b5feda 05844573ca7e 06ee193de4bd 08f793762792 0d46122928b6 0e014df693f1 11ea381ad92b
156770d676ce 1ace8c85aaee 1f765c487806 21486419bb10 23aaecd14171 287e4d9f4af3 2c46804d9db4
30b771a40a4e 33fe2471fd55 358cc4a08045 35b158918c67 374ac9a59a85 3c5bf8db4272 3cb22bfabed8
3ce1c8fdf6ad 3f65af7b6b98 42aad16bde92 4648a420af99 51374560f400 521118842884 57b4dafd18cf
57e2e98887a1 5ae11e580afc 5f03fc173ebc 5fa3154ec031 5fbc7ccb504c 624fcd903d56 65408257dbe4
65ce3a4577a0 686bb170effe 6ebac05f637e 70cb2d5bca75 7837c9d66c81 7916ecca969f 7a664e40d256
7bb1ca903543 7dfc3e359d7c 8267acacb9e4 833caf3bdba5 851498a2b9f4 8634d1211c3f 87bf60570e6e
8b1945303082 8e3efab59f48 94fbcc267720 961bd85ca85a 9cb8224b660f 9e8c9f082a8d 9eef8162bbb6
a1fca19b884e a860fb5eda1a aade2ec8d1e7 ac1bfdd4c510 ad826691a8a2 aec5deeaada8 b37be3535e1f
b6906ca016bb ba07d1e64775 bc13ff87b263 bdb56ac83513 c13b9c0e04fb c4a3637c6696 c582d3b77257
c69e539d689a c81e134ed499 c90731f051d0 cc4aa22b8212 d1c57d7821e5 d605bdef2cde db6b0816c612
dfd43bc0d46e e1c7023ee214 e372e42c0a3d e593d7fe88f9 e7994d550087 ea25dd7edff4 ec3878db7e49
ecb46e3e489d ef2b3f268a67 f105de6e63ca f5c90a6d5253 f81c6c05d9cb fde930b01859 ffc109d474fd
`
  .trim()
  .split(/\s+/);

interface Extractor {
  readonly name: string;
  readonly extract: (html: string) => string;
}

/** Figures of one extractor over some of the pages. */
export interface ExtractionFigures {
  readonly extractor: string;
  readonly pages:
    | 'all'
    | 'new to the model'
    | 'trained on'
    | 'manuals new to the model'
    | 'other publishers'
    | 'other hosts';
  readonly count: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Pages for each second of CPU time of all threads; only for the figures of all pages. */
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
const installedManuals = '/usr/share/doc';
const foldSeed = 1;

function readabilityText(html: string): string {
  try {
    const { document } = parseHTML(html);
    return new Readability(document).parse()?.textContent ?? '';
  } catch {
    return '';
  }
}

/**
 * Print how well main text is found in the pages of a folder (ground-truth.json and html/KEY.html.gz): ours,
 * Mozilla's Readability on linkedom, and all text of the page. For pages that our model was trained on there are also
 * the figures of models trained without the page's publisher, which are those to expect of other pages, and of
 * models trained without the page's host; then pages of installed manuals that no model was trained on.
 */
export async function benchExtraction(folder: string, options: { readonly json: boolean }): Promise<void> {
  const pages = readLabelledPages(folder);
  const manuals = readManualPages(installedManuals, otherManuals);
  const known = new Set(trainedOn);
  const isKnown = ({ key }: LabelledPage) => known.has(key.slice(0, 12));
  const parts: readonly (readonly [ExtractionFigures['pages'], readonly LabelledPage[]])[] = [
    ['all', pages],
    ['new to the model', pages.filter((page) => !isKnown(page))],
    ['trained on', pages.filter(isKnown)],
    ['manuals new to the model', manuals],
  ];
  const figures: ExtractionFigures[] = [];
  for (const { name, extract } of extractors) {
    const agreements = new Map<LabelledPage, Agreement>();
    for (const page of [...pages, ...manuals])
      agreements.set(page, agreement(page.truth, extract(page.html)));
    const pagesPerSecond = speed(pages, extract);
    for (const [part, some] of parts) {
      if (some.length === 0) continue;
      const found = overall(some.flatMap((page) => agreements.get(page) ?? []));
      const rate = part === 'all' ? { pagesPerSecond } : {};
      figures.push({ extractor: name, pages: part, count: some.length, ...found, ...rate });
    }
  }
  const trained = pages.filter(isKnown);
  const groups = trained.length === 0 ? [] : (['publisher', 'host'] as const);
  for (const group of groups) {
    const found = crossValidate(trainingPages(trained, installedManuals), group, foldSeed);
    const articles = trained.flatMap(({ key }) => found.get(key) ?? []);
    figures.push({
      extractor: 'garner',
      pages: `other ${group}s`,
      count: articles.length,
      ...overall(articles),
    });
  }
  process.stdout.write(
    options.json ? `${JSON.stringify({ pages: pages.length, figures })}\n` : table(figures),
  );
}

/** The best speed of some rounds over all pages; the round that counted agreement has warmed up. */
function speed(pages: readonly LabelledPage[], extract: Extractor['extract']): number {
  let min = Infinity;
  for (let round = 0; round < timedRounds; round++) {
    const before = process.cpuUsage();
    for (const { html } of pages) extract(html);
    const { user, system } = process.cpuUsage(before);
    min = Math.min(min, (user + system) / 1e6);
  }
  return pages.length / min;
}

function table(figures: readonly ExtractionFigures[]): string {
  const head = ['extractor, pages', 'number', 'precision', 'recall', 'F1', 'pages/s of CPU'];
  const rows = figures.map((one) => [
    `${one.extractor}, ${one.pages}`,
    String(one.count),
    one.precision.toFixed(3),
    one.recall.toFixed(3),
    one.f1.toFixed(3),
    one.pagesPerSecond?.toFixed(0) ?? '',
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [head, ['---', ...head.slice(1).map(() => '--:')], ...rows].map(line).join('');
}
