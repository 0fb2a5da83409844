import { writeFileSync } from 'node:fs';
import { seededRandom } from '../../kernel/index.ts';
import {
  type BlockModel,
  type BoostedTrees,
  guessRows,
  judgeBlocks,
  judgeRows,
  printModel,
  probability,
  readPage,
  selectBlocks,
} from '../../readers/main-text/index.ts';
import { boost, type Growth, type TrainingSet } from './boosting.ts';
import { grafted, type MarkedPage } from './grafts.ts';
import { labelsOf } from './labels.ts';
import { readManualPages } from './manuals.ts';
import { type Agreement, agreement } from './measure.ts';
import { hostOf, type LabelledPage, publishersOf, readLabelledPages } from './pages.ts';

// Trains the model of the main text extractor:
//   node dist/bench/extraction/training.js DIR MANUALS OUT
// DIR is a folder as `npm run bench -- extraction` takes it, MANUALS the /usr/share/doc of a Debian system with the
// packages named in manuals.ts, OUT the data file to write.

/** A page with its true text. */
interface TrainingPage extends MarkedPage {
  readonly page: LabelledPage;
  readonly host: string;
  /** Of the page among others. */
  readonly weight: number;
}

const minSize = 120;
const maxWeight = 0.5;
const minWeight = 0.0005;
const manualWeight = 0.4;

/** Articles and the manuals of a folder, ready for training. */
export function trainingPages(articles: readonly LabelledPage[], manuals: string): TrainingPage[] {
  const publishers = publishersOf(articles);
  return [
    ...articles.map((page, at) => ({
      page,
      host: hostOf(page.url),
      publisher: publishers[at] as string,
      weight: 1,
    })),
    ...readManualPages(manuals).map(({ site, ...page }) => ({
      page,
      host: site,
      publisher: site,
      weight: manualWeight,
    })),
  ].map((one) => {
    const tree = readPage(one.page.html);
    const texts = tree.blocks.map(({ text }) => text);
    return { ...one, tree, shares: labelsOf(texts, one.page.truth) };
  });
}

type Group = 'host' | 'publisher';

/** The fold, 0 to `folds` - 1, of each page: pages of one group have the same fold. */
function foldsOf(pages: readonly TrainingPage[], group: Group, folds: number, seed: number): number[] {
  const { next: random } = seededRandom(seed);
  const groups = [...new Set(pages.map((page) => page[group]))];
  const drawn = groups.map((name) => ({ name, draw: random() })).sort((one, other) => one.draw - other.draw);
  const foldOf = new Map(drawn.map(({ name }, at) => [name, at % folds]));
  return pages.map((page) => foldOf.get(page[group]) ?? 0);
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
const finalSeed = 101;
const innerFolds = 3;
const outerFolds = 5;

type Rows = readonly Float64Array[];
const lightWeight = 0.006;
const lightShare = 3;

/**
 * A block's weight is its length as a share of the true text's, which is its effect on the page's figures; of many
 * blocks with little weight every third has that of three.
 */
function trainingSet(pages: readonly TrainingPage[], rowsOf: ReadonlyMap<TrainingPage, Rows>): TrainingSet {
  const set = {
    rows: [] as Float64Array[],
    labels: [] as number[],
    weights: [] as number[],
    pages: [] as number[],
  };
  pages.forEach((page, number) => {
    const wanted = Math.max(minSize, page.page.truth.replace(/\s+/g, '').length);
    page.shares.forEach((share, at) => {
      if (share < 0) return;
      const size = page.tree.blocks[at]?.size ?? 0;
      const weight = page.weight * (Math.min(maxWeight, size / wanted) + minWeight);
      const light = weight < lightWeight;
      if (light && (at + number) % lightShare !== 0) return;
      set.rows.push(rowsOf.get(page)?.[at] as Float64Array);
      set.labels.push(share >= 0.5 ? 1 : 0);
      set.weights.push(light ? weight * lightShare : weight);
      set.pages.push(number);
    });
  });
  return { columns: set.rows[0]?.length ?? 0, ...set };
}

/** Train both models; the second is trained on guesses of the first for pages that the first was not trained on. */
function trainBlockModel(real: readonly TrainingPage[], seed: number): BlockModel {
  const pages = [...real, ...grafted(real, seededRandom(seed).next)];
  const folds = foldsOf(pages, 'publisher', innerFolds, seed);
  const rows = new Map<TrainingPage, Rows>(pages.map((page) => [page, guessRows(page.tree)]));
  const judged = new Map<TrainingPage, Rows>();
  for (let fold = 0; fold < innerFolds; fold++) {
    const others = pages.filter((_, at) => folds[at] !== fold);
    const model = boost(trainingSet(others, rows), growth);
    pages.forEach((page, at) => {
      if (folds[at] !== fold) return;
      const own = rows.get(page) ?? [];
      const guesses = Float64Array.from(own, (row) => probability(model, row));
      judged.set(page, judgeRows(page.tree, own, guesses));
    });
  }
  return {
    guess: boost(trainingSet(pages, rows), growth),
    judge: boost(trainingSet(pages, judged), judgeGrowth),
  };
}

function textOf({ tree }: TrainingPage, model: BlockModel): string {
  const { kept } = selectBlocks(tree, judgeBlocks(tree, model));
  return kept.map(({ text }) => text).join('\n');
}

/** The agreement of each page, extracted by a model that was trained on pages of other groups. */
export function crossValidate(
  pages: readonly TrainingPage[],
  group: Group,
  seed: number,
): ReadonlyMap<string, Agreement> {
  const folds = foldsOf(pages, group, outerFolds, seed);
  const found = new Map<string, Agreement>();
  for (let fold = 0; fold < outerFolds; fold++) {
    const others = pages.filter((_, at) => folds[at] !== fold);
    const model = trainBlockModel(others, seed + fold);
    for (const page of pages.filter((_, at) => folds[at] === fold))
      found.set(page.page.key, agreement(page.page.truth, textOf(page, model)));
    process.stderr.write(`other ${group}s: ${fold + 1} of ${outerFolds}\n`);
  }
  return found;
}

function dataFile({ guess, judge }: BlockModel): string {
  const list = (model: BoostedTrees) =>
    printModel(model)
      .map((line) => `  '${line}',\n`)
      .join('');
  return (
    '// Made by bench/extraction/training.ts; model-text.ts describes the format. Do not edit.\n\n' +
    `/** The first guess. */\nexport const guessTrees: readonly string[] = [\n${list(guess)}];\n\n` +
    `/** The judgement, which uses the guesses. */\nexport const judgeTrees: readonly string[] = [\n${list(judge)}];\n`
  );
}

const [folder, manuals, out] = process.argv.slice(2);
if (process.argv[1]?.endsWith('training.js') && folder && manuals && out)
  writeFileSync(out, dataFile(trainBlockModel(trainingPages(readLabelledPages(folder), manuals), finalSeed)));
