import { mainThreshold } from './block-judge.ts';
import { isEvidentNavigation } from './navigation-blocks.ts';
import type { PageTree } from './page-tree.ts';

/** Below this the selection is not trusted. */
export const leastConfidence = 0.75;

const enoughText = 200;

/**
 * The F1 to be expected of keeping what is more likely main text than not, if the probabilities are right: 0 to 1.
 * Less when the text that is kept is a scrap and more of it stands outside.
 */
export function confidenceOf(tree: PageTree, judged: Float64Array): number {
  let kept = 0;
  let rightly = 0;
  let left = 0;
  let wrongly = 0;
  tree.blocks.forEach(({ size, linkSize }, at) => {
    const probability = judged[at] ?? 0;
    if (probability >= mainThreshold) {
      kept += size;
      rightly += size * probability;
    } else if (!isEvidentNavigation(tree, at)) {
      left += size - linkSize;
      wrongly += (size - linkSize) * probability;
    }
  });
  if (kept === 0) return 0;
  const expected = (2 * rightly) / (rightly + kept + wrongly);
  return expected * Math.min(1, kept / Math.min(enoughText, kept + left));
}
