import type { Characters } from './block-shape.ts';
import { ElementSurroundings } from './element-surroundings.ts';
import { Landmarks } from './landmarks.ts';
import { PageStatistics } from './page-statistics.ts';
import { tagId } from './page-tags.ts';
import { Inherited, type PageTree, type TextBlock } from './page-tree.ts';
import { textCueBit, textCues } from './text-cues.ts';
import { wordClasses } from './word-classes.ts';
import { plainWords, ShingleSet } from './word-shingles.ts';

/** The text of a block occurs in the page before it, after it, or both; bits. */
const Repeated = { earlier: 1, later: 2 } as const;

/** For each block whether the same text occurs elsewhere in the page: bits of `Repeated`. */
function repeatedTexts(blocks: readonly TextBlock[]): Uint8Array {
  const repeated = new Uint8Array(blocks.length);
  const last = new Map<string, number>();
  blocks.forEach(({ text }, at) => {
    const before = last.get(text);
    if (before !== undefined) {
      repeated[at] = Repeated.earlier;
      repeated[before] = (repeated[before] ?? 0) | Repeated.later;
    }
    last.set(text, at);
  });
  return repeated;
}

const tags = 'p li tr td div blockquote pre dd'.split(' ');
const tagIds = tags.map(tagId);
const headingIds = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(tagId);
const inheritedBits = Object.values(Inherited);
const neighbours = [-1, 1];
const levels = 4;
// Structured data that sites shorten is cut at 500 characters.
const minStructured = 520;
const maxCovered = 2000;
const asideCues = ['advert', 'more', 'signup', 'comment', 'contact'].reduce(
  (bits, name) => bits | textCueBit(name),
  0,
);

/** Names of the features, in the order of a row. */
export const blockFeatures: readonly string[] = [
  ...'size linked links emphasised commas ends stops broken'.split(' '),
  ...textCues.map((name) => `cue-${name}`),
  ...tags.map((name) => `tag-${name}`),
  'heading',
  ...Object.keys(Inherited).map((name) => `in-${name}`),
  ...wordClasses.map((name) => `near-${name}`),
  ...'repeatsEarlier repeatsLater inTitle inDescription inStructured sizeBefore merit'.split(' '),
  ...neighbours.flatMap((at) => 'Size Linked Stops'.split(' ').map((name) => `at${at}${name}`)),
  ...'shapeMean shapeLinked shapeGood shapeDominant'.split(' '),
  ...Array.from({ length: levels }, (_, level) =>
    'Size Linked Good'.split(' ').map((name) => `up${level}${name}`),
  ).flat(),
  ...'inRichest belowRichest goodBefore goodAfter toGoodBefore toGoodAfter'.split(' '),
  ...'headingCue sinceTitle formShare'.split(' '),
];

/** Features of each block of a page for the model; each takes time linear in its own text. */
export class BlockFeatures {
  readonly #tree: PageTree;
  readonly #statistics: PageStatistics;
  readonly #richest: number;
  readonly #surroundings: ElementSurroundings;
  readonly #landmarks: Landmarks;
  readonly #repeated: Uint8Array;
  readonly #description: ShingleSet;
  readonly #structured: ShingleSet;
  #row: Float64Array = new Float64Array(0);
  #column = 0;

  constructor(tree: PageTree) {
    this.#tree = tree;
    this.#statistics = new PageStatistics(tree);
    this.#richest = this.#statistics.richestElement();
    this.#surroundings = new ElementSurroundings(tree, this.#statistics);
    this.#landmarks = new Landmarks(tree, this.#statistics, this.#richest);
    this.#repeated = repeatedTexts(tree.blocks);
    this.#description = new ShingleSet(tree.description);
    const body = tree.articleBody.length > minStructured ? tree.articleBody : '';
    this.#structured = new ShingleSet(body.replace(/<[^>]{0,200}>/g, ' '));
  }

  /** How much a block looks like running text: above 0 for sentences, below for links and scraps. */
  merit(at: number): number {
    return this.#statistics.merit[at] ?? 0;
  }

  /** Write the features of one block into `row`; returns how many there are. */
  write(at: number, row: Float64Array): number {
    this.#row = row;
    this.#column = 0;
    const block = this.#tree.blocks[at] as TextBlock;
    this.#text(block, at);
    this.#element(block);
    this.#place(block, at);
    for (const offset of neighbours) this.#neighbour(at + offset);
    this.#shape(block);
    let around = block.element;
    for (let level = 0; level < levels; level++) {
      this.#around(around);
      around = this.#tree.elements.parent[around] ?? 0;
    }
    this.#standing(block, at);
    return this.#column;
  }

  #add(value: number): void {
    this.#row[this.#column++] = value;
  }

  #flags(bits: number, count: number): void {
    for (let bit = 0; bit < count; bit++) this.#add((bits >> bit) & 1);
  }

  #text(block: TextBlock, at: number): void {
    const { size } = block;
    const characters = this.#statistics.characters[at] as Characters;
    this.#add(Math.log2(1 + size));
    this.#add(block.linkSize / size);
    this.#add(Math.min(20, block.links));
    this.#add(block.emphasisSize / size);
    this.#add((100 * characters.commas) / (size + 20));
    this.#add(characters.endsSentence ? 1 : 0);
    this.#add((100 * characters.stops) / (size + 20));
    this.#add(block.broken ? 1 : 0);
    this.#flags(this.#statistics.cues[at] ?? 0, textCues.length);
  }

  #element({ element, inlineWords }: TextBlock): void {
    const { elements } = this.#tree;
    const tag = elements.tag[element] ?? 0;
    const inherited = elements.inherited[element] ?? 0;
    for (const id of tagIds) this.#add(tag === id ? 1 : 0);
    this.#add(headingIds.indexOf(tag) + 1);
    for (const bit of inheritedBits) this.#add((inherited & bit) !== 0 ? 1 : 0);
    for (let group = 0; group < wordClasses.length; group++)
      this.#add(((inlineWords >> group) & 1) !== 0 ? -1 : this.#surroundings.near(element, group));
  }

  #place({ text, size }: TextBlock, at: number): void {
    const { blocks } = this.#tree;
    const repeated = this.#repeated[at] ?? 0;
    this.#add((repeated & Repeated.earlier) !== 0 ? 1 : 0);
    this.#add((repeated & Repeated.later) !== 0 ? 1 : 0);
    this.#add(size < 300 ? this.#landmarks.titleShare(text) : 0);
    const covers = [this.#description, this.#structured];
    const words = covers.every(({ isEmpty }) => isEmpty) ? [] : plainWords(text.slice(0, maxCovered));
    for (const set of covers) this.#add(set.cover(words));
    this.#add(this.#statistics.size(0, at) / this.#statistics.size(0, blocks.length));
    this.#add(this.merit(at));
  }

  #neighbour(other: number): void {
    const neighbour = this.#tree.blocks[other];
    if (neighbour === undefined) {
      for (const absent of [0, 1, 0]) this.#add(absent);
      return;
    }
    const { size, linkSize } = neighbour;
    this.#add(Math.log2(1 + size));
    this.#add(linkSize / size);
    this.#add(Math.min(4, this.#statistics.characters[other]?.stops ?? 0));
  }

  #shape({ element }: TextBlock): void {
    const { shapes, dominantShape, totalMerit } = this.#statistics;
    const shape = this.#tree.elements.shape[element] ?? 0;
    const { count, size, linkSize, merit } = shapes.get(shape) ?? {
      count: 1,
      size: 0,
      linkSize: 0,
      merit: 0,
    };
    this.#add(Math.log2(1 + size / count));
    this.#add(linkSize / (size + 1));
    this.#add(merit / (totalMerit + 0.1));
    this.#add(shape === dominantShape ? 1 : 0);
  }

  #around(element: number): void {
    const { firstBlock, endBlock } = this.#tree.elements;
    const first = firstBlock[element] ?? 0;
    const end = endBlock[element] ?? 0;
    const size = this.#statistics.size(first, end);
    this.#add(Math.log2(1 + size));
    this.#add(this.#statistics.linkSize(first, end) / (size + 1));
    this.#add(this.#statistics.goodShare(element));
  }

  #standing({ element }: TextBlock, at: number): void {
    const { blocks, elements } = this.#tree;
    const { goodBefore, goodAfter, heading, title } = this.#landmarks;
    const { totalMerit, cues } = this.#statistics;
    const inRichest = this.#statistics.isInside(element, this.#richest);
    this.#add(inRichest ? 1 : 0);
    this.#add(inRichest ? (elements.depth[element] ?? 0) - (elements.depth[this.#richest] ?? 0) : -1);
    this.#add(this.#statistics.goodIn(0, at) / (totalMerit + 0.1));
    this.#add(this.#statistics.goodIn(at + 1, blocks.length) / (totalMerit + 0.1));
    const before = goodBefore[at] ?? -1;
    const after = goodAfter[at] ?? -1;
    this.#add(before < 0 ? 50 : Math.min(50, at - before));
    this.#add(after < 0 ? 50 : Math.min(50, after - at));
    const above = heading[at] ?? -1;
    this.#add(((cues[above] ?? 0) & asideCues) !== 0 ? 1 : 0);
    this.#add(title < 0 ? 99 : Math.max(-50, Math.min(98, at - title)));
    this.#add(this.#surroundings.formShare(element));
  }
}
