import { writeFileSync } from 'node:fs';
import {
  type BlockModel,
  type BoostedTrees,
  guessRows,
  judgeBlocks,
  judgeRows,
  mainThreshold,
  type PageTree,
  printModel,
  probability,
  readPage,
} from '../../readers/main-text/index.ts';
import { boost, type Growth, type TrainingSet } from './boosting.ts';
import { labelsOf } from './labels.ts';
import { readManualPages } from './manuals.ts';
import { agreement, overall, words } from './measure.ts';
import { type LabelledPage, readLabelledPages } from './pages.ts';

// Trains the model of the main text extractor and measures it on pages of sites it was not trained on:
//   node dist/bench/extraction-training.js DIR MANUALS [OUT]
// DIR is a folder as `npm run bench -- extraction` takes it, MANUALS the /usr/share/doc of a Debian system with the
// packages named in extraction-manuals.ts, OUT the data file to write; without OUT it cross-validates.

/** A page ready for training. */
interface TrainingPage {
  readonly page: LabelledPage;
  /** Pages of one site share templates; folds keep them together. */
  readonly site: string;
  readonly tree: PageTree;
  readonly rows: readonly Float64Array[];
  /** 1 for main text. */
  readonly labels: readonly number[];
  readonly weights: readonly number[];
}

const minWords = 20;
const maxWeight = 0.5;
const minWeight = 0.0005;

/** A block's weight is its share of the page's true words, which is its effect on the page's figures. */
function trainingPage(page: LabelledPage, site: string, weight: number): TrainingPage {
  const tree = readPage(page.html);
  const shares = labelsOf(
    tree.blocks.map(({ text }) => text),
    page.truth,
  );
  const wanted = Math.max(minWords, words(page.truth).length);
  const weights = tree.blocks.map(({ text }, at) =>
    (shares[at] ?? -1) < 0 ? 0 : weight * (Math.min(maxWeight, words(text).length / wanted) + minWeight),
  );
  return {
    page,
    site,
    tree,
    rows: guessRows(tree),
    labels: shares.map((share) => (share >= 0.5 ? 1 : 0)),
    weights,
  };
}

/** The registered part of a URL's host, roughly: its last two labels. */
function siteOf(url: string): string {
  return new URL(url).hostname.split('.').slice(-2).join('.');
}

/** The fold, 0 to `folds` - 1, of each page: pages of one site have the same fold. */
function foldsBySite(pages: readonly TrainingPage[], folds: number, seed: number): number[] {
  const sites = [...new Set(pages.map(({ site }) => site))];
  let state = seed;
  const drawn = sites.map((site) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return { site, draw: state };
  });
  drawn.sort((one, other) => one.draw - other.draw);
  const foldOf = new Map(drawn.map(({ site }, at) => [site, at % folds]));
  return pages.map(({ site }) => foldOf.get(site) ?? 0);
}

const growth: Growth = {
  trees: 120,
  leaves: 6,
  rate: 0.1,
  minHessian: 0.02,
  ridge: 0.05,
  pageShare: 0.8,
  columnShare: 0.2,
  seed: 7,
};
const judgeGrowth: Growth = {
  ...growth,
  trees: 100,
  rate: 0.08,
  minHessian: 0.03,
  ridge: 0.1,
  columnShare: 0.25,
  seed: 3,
};
const manualWeight = 0.4;
const innerFolds = 5;
const outerFolds = 7;
/** Models that differ only by chance and are averaged. */
const copies = 2;

type RowsOf = (page: TrainingPage) => readonly Float64Array[];

function trainingSet(pages: readonly TrainingPage[], rowsOf: RowsOf): TrainingSet {
  const rows: Float64Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  const numbers: number[] = [];
  pages.forEach((page, number) => {
    rowsOf(page).forEach((row, at) => {
      if ((page.weights[at] ?? 0) <= 0) return;
      rows.push(row);
      labels.push(page.labels[at] ?? 0);
      weights.push(page.weights[at] ?? 0);
      numbers.push(number);
    });
  });
  return { columns: rows[0]?.length ?? 0, rows, labels, weights, pages: numbers };
}

function averaged(set: TrainingSet, grow: Growth): BoostedTrees {
  const models = Array.from({ length: copies }, (_, copy) =>
    boost(set, { ...grow, seed: grow.seed + 101 * copy }),
  );
  const trees = models.flatMap((model) =>
    model.trees.map((tree) => ({
      ...tree,
      threshold: tree.threshold.map((value, node) =>
        (tree.feature[node] ?? -1) < 0 ? value / copies : value,
      ),
    })),
  );
  return { base: models.reduce((sum, { base }) => sum + base / copies, 0), trees };
}

/** Train both models; the second is trained on guesses of the first for pages that the first was not trained on. */
export function trainBlockModel(pages: readonly TrainingPage[], seed: number): BlockModel {
  const folds = foldsBySite(pages, innerFolds, seed);
  const judged = new Map<TrainingPage, readonly Float64Array[]>();
  for (let fold = 0; fold < innerFolds; fold++) {
    const others = pages.filter((_, at) => folds[at] !== fold);
    const model = boost(
      trainingSet(others, ({ rows }) => rows),
      growth,
    );
    pages.forEach((page, at) => {
      if (folds[at] !== fold) return;
      const guesses = Float64Array.from(page.rows, (row) => probability(model, row));
      judged.set(page, judgeRows(page.tree, page.rows, guesses));
    });
  }
  return {
    guess: averaged(
      trainingSet(pages, ({ rows }) => rows),
      growth,
    ),
    judge: averaged(
      trainingSet(pages, (page) => judged.get(page) ?? []),
      judgeGrowth,
    ),
  };
}

function mainTextOf({ tree }: TrainingPage, model: BlockModel): string {
  const judged = judgeBlocks(tree, model);
  return tree.blocks
    .filter((_, at) => (judged[at] ?? 0) >= mainThreshold)
    .map(({ text }) => text)
    .join('\n');
}

/** Figures over pages, each judged by a model that was not trained on its site. */
export function crossValidate(pages: readonly TrainingPage[], seed: number) {
  const folds = foldsBySite(pages, outerFolds, seed);
  const found = new Map<TrainingPage, string>();
  for (let fold = 0; fold < outerFolds; fold++) {
    const model = trainBlockModel(
      pages.filter((_, at) => folds[at] !== fold),
      seed + 100,
    );
    pages.forEach((page, at) => {
      if (folds[at] === fold) found.set(page, mainTextOf(page, model));
    });
    process.stderr.write(`fold ${fold + 1} of ${outerFolds}\n`);
  }
  const figures = (of: readonly TrainingPage[]) =>
    overall(of.map((page) => agreement(page.page.truth, found.get(page) ?? '')));
  return {
    articles: figures(pages.filter(({ page }) => !page.url.startsWith('file:'))),
    manuals: figures(pages.filter(({ page }) => page.url.startsWith('file:'))),
  };
}

function dataFile({ guess, judge }: BlockModel): string {
  const list = (model: BoostedTrees) =>
    printModel(model)
      .map((line) => `  '${line}',\n`)
      .join('');
  return (
    '// Made by bench/extraction-training.ts; model-text.ts describes the format. Do not edit.\n\n' +
    `/** The first guess. */\nexport const guessTrees: readonly string[] = [\n${list(guess)}];\n\n` +
    `/** The judgement, which uses the guesses. */\nexport const judgeTrees: readonly string[] = [\n${list(judge)}];\n`
  );
}

const [folder, manuals, out] = process.argv.slice(2);
if (process.argv[1]?.endsWith('extraction-training.js') && folder !== undefined && manuals !== undefined) {
  const pages = [
    ...readLabelledPages(folder).map((page) => trainingPage(page, siteOf(page.url), 1)),
    ...readManualPages(manuals).map((page) => trainingPage(page, page.site, manualWeight)),
  ];
  if (out === undefined)
    for (const seed of [1, 2]) process.stdout.write(`${JSON.stringify(crossValidate(pages, seed))}\n`);
  else writeFileSync(out, dataFile(trainBlockModel(pages, 101)));
}
