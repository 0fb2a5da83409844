import { type Characters, charactersOf } from './block-shape.ts';
import { Inherited, type PageTree, type TextBlock } from './page-tree.ts';
import { cuesOf } from './text-cues.ts';

/** Blocks in elements of one shape, repeated by a template. */
export interface ShapeGroup {
  count: number;
  size: number;
  linkSize: number;
  merit: number;
}

const unlikely =
  Inherited.hidden |
  Inherited.fallback |
  Inherited.button |
  Inherited.nav |
  Inherited.footer |
  Inherited.aside;

/** Figures of the whole page for the features of blocks, made in one pass. */
export class PageStatistics {
  readonly tree: PageTree;
  readonly characters: readonly Characters[];
  readonly cues: readonly number[];
  /** How much a block looks like running text: above 0 for sentences, below for links and scraps. */
  readonly merit: readonly number[];
  readonly shapes: ReadonlyMap<number, ShapeGroup>;
  readonly dominantShape: number;
  readonly #sizeBefore: Float64Array;
  readonly #linkBefore: Float64Array;
  readonly #meritBefore: Float64Array;
  readonly #goodBefore: Float64Array;
  readonly totalMerit: number;

  constructor(tree: PageTree) {
    this.tree = tree;
    const { blocks, elements } = tree;
    this.characters = blocks.map(charactersOf);
    this.cues = blocks.map(({ text }) => cuesOf(text));
    this.merit = blocks.map((block, at) =>
      meritOf(block, this.characters[at] as Characters, elements.inherited[block.element] ?? 0),
    );
    const shapes = new Map<number, ShapeGroup>();
    this.#sizeBefore = new Float64Array(blocks.length + 1);
    this.#linkBefore = new Float64Array(blocks.length + 1);
    this.#meritBefore = new Float64Array(blocks.length + 1);
    this.#goodBefore = new Float64Array(blocks.length + 1);
    blocks.forEach((block, at) => {
      const merit = this.merit[at] ?? 0;
      const good = Math.max(0, merit);
      this.#sizeBefore[at + 1] = (this.#sizeBefore[at] ?? 0) + block.size;
      this.#linkBefore[at + 1] = (this.#linkBefore[at] ?? 0) + block.linkSize;
      this.#meritBefore[at + 1] = (this.#meritBefore[at] ?? 0) + merit;
      this.#goodBefore[at + 1] = (this.#goodBefore[at] ?? 0) + good;
      const shape = elements.shape[block.element] ?? 0;
      const group = shapes.get(shape);
      if (group === undefined)
        shapes.set(shape, { count: 1, size: block.size, linkSize: block.linkSize, merit: good });
      else {
        group.count++;
        group.size += block.size;
        group.linkSize += block.linkSize;
        group.merit += good;
      }
    });
    this.shapes = shapes;
    let dominant = -1;
    let max = 0;
    for (const [shape, { merit }] of shapes)
      if (merit > max) {
        max = merit;
        dominant = shape;
      }
    this.dominantShape = dominant;
    this.totalMerit = this.#goodBefore[blocks.length] ?? 0;
  }

  size(from: number, to: number): number {
    return (this.#sizeBefore[to] ?? 0) - (this.#sizeBefore[from] ?? 0);
  }

  linkSize(from: number, to: number): number {
    return (this.#linkBefore[to] ?? 0) - (this.#linkBefore[from] ?? 0);
  }

  /** Sum of merit, scraps counted against it. */
  meritIn(from: number, to: number): number {
    return (this.#meritBefore[to] ?? 0) - (this.#meritBefore[from] ?? 0);
  }

  /** Sum of the merit of running text. */
  goodIn(from: number, to: number): number {
    return (this.#goodBefore[to] ?? 0) - (this.#goodBefore[from] ?? 0);
  }

  /** Share of the page's running text in an element. */
  goodShare(element: number): number {
    const { firstBlock, endBlock } = this.tree.elements;
    return this.goodIn(firstBlock[element] ?? 0, endBlock[element] ?? 0) / (this.totalMerit + 0.1);
  }

  /** Whether all blocks of `element` are blocks of `around`. */
  isInside(element: number, around: number): boolean {
    const { firstBlock, endBlock } = this.tree.elements;
    return (
      element >= around &&
      (firstBlock[element] ?? 0) >= (firstBlock[around] ?? 0) &&
      (endBlock[element] ?? 0) <= (endBlock[around] ?? 0)
    );
  }

  /** The element whose blocks have the greatest sum of merit, the innermost of equals. */
  richestElement(): number {
    const { firstBlock, endBlock, depth } = this.tree.elements;
    let best = 0;
    let max = -Infinity;
    for (let element = 0; element < firstBlock.length; element++) {
      const merit = this.meritIn(firstBlock[element] ?? 0, endBlock[element] ?? 0);
      if (merit > max || (merit === max && (depth[element] ?? 0) > (depth[best] ?? 0))) {
        max = merit;
        best = element;
      }
    }
    return best;
  }
}

function meritOf(block: TextBlock, characters: Characters, inherited: number): number {
  const { size, linkSize } = block;
  const linked = size === 0 ? 1 : linkSize / size;
  if ((inherited & unlikely) !== 0) return -0.3;
  if (linked > 0.6) return size > 200 ? -1 : -0.5;
  if (size < 30) return -0.2;
  const sentences = Math.min(4, characters.stops + characters.commas * 0.5);
  if (sentences < 0.5) return size < 80 ? -0.2 : 0.2;
  const length = Math.min(size, 800) / 100;
  return (length * 0.6 + sentences * 0.4) * (1 - linked);
}
