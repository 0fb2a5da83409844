import { guessRows, type PageTree, readPage } from '../../readers/main-text/index.ts';
import { labelsOf } from './labels.ts';
import { words } from './measure.ts';
import type { LabelledPage } from './pages.ts';

/** A page ready for training. */
export interface TrainingPage {
  readonly page: LabelledPage;
  /** Pages of one site share templates; folds keep them together. */
  readonly site: string;
  readonly tree: PageTree;
  readonly rows: readonly Float64Array[];
  /** 1 for main text. */
  readonly labels: readonly number[];
  readonly weights: readonly number[];
}

const leastWords = 20;
const mostWeight = 0.5;
const leastWeight = 0.0005;

/** A block counts by its share of the page's true words: that is what it moves the page's figures by. */
export function trainingPage(page: LabelledPage, site: string, weight: number): TrainingPage {
  const tree = readPage(page.html);
  const shares = labelsOf(
    tree.blocks.map(({ text }) => text),
    page.truth,
  );
  const wanted = Math.max(leastWords, words(page.truth).length);
  const weights = tree.blocks.map(({ text }, at) =>
    (shares[at] ?? -1) < 0 ? 0 : weight * (Math.min(mostWeight, words(text).length / wanted) + leastWeight),
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
export function siteOf(url: string): string {
  return new URL(url).hostname.split('.').slice(-2).join('.');
}

/** The fold, 0 to `folds` - 1, of each page: pages of one site get the same. */
export function foldsBySite(pages: readonly TrainingPage[], folds: number, seed: number): number[] {
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
