import type { PageStatistics } from './page-statistics.ts';
import { Inherited, type PageTree } from './page-tree.ts';
import { wordClasses } from './word-classes.ts';

/** Word classes more elements away than this count as absent. */
export const farthest = 7;

/** Properties of the elements around each element, computed in one pass from the page inwards. */
export class ElementSurroundings {
  readonly #near: Uint8Array;
  readonly #formShare: Float32Array;

  constructor(tree: PageTree, statistics: PageStatistics) {
    const { elements } = tree;
    const groups = wordClasses.length;
    const count = elements.parent.length;
    this.#near = new Uint8Array(count * groups).fill(farthest);
    this.#formShare = new Float32Array(count).fill(-1);
    for (let element = 1; element < count; element++) {
      const parent = elements.parent[element] ?? 0;
      const words = elements.words[element] ?? 0;
      for (let group = 0; group < groups; group++) {
        const above = this.#near[parent * groups + group] ?? farthest;
        this.#near[element * groups + group] =
          ((words >> group) & 1) !== 0 ? 0 : Math.min(farthest, above + 1);
      }
      const above = this.#formShare[parent] ?? -1;
      if (above >= 0) this.#formShare[element] = above;
      else if (((elements.inherited[element] ?? 0) & Inherited.form) !== 0)
        this.#formShare[element] = statistics.goodShare(element);
    }
  }

  /** Number of elements from this one up to the nearest with a word class (0: itself), `farthest` when none. */
  near(element: number, group: number): number {
    return this.#near[element * wordClasses.length + group] ?? farthest;
  }

  /** Share of the page's running text in the outermost form around an element; -1 outside forms. */
  formShare(element: number): number {
    return this.#formShare[element] ?? -1;
  }
}
