import type { PageStatistics } from './page-statistics.ts';
import { Inherited, type PageTree } from './page-tree.ts';
import { plainWords } from './word-shingles.ts';

const goodMerit = 1.2;
const maxTitleLength = 300;

/** The place of a block among the page's running text, headings and title; -1 means none. */
export class Landmarks {
  /** The nearest block of running text before and after each block. */
  readonly goodBefore: Int32Array;
  readonly goodAfter: Int32Array;
  /** The nearest heading before each block. */
  readonly heading: Int32Array;
  /** The heading that repeats the page's title. */
  readonly title: number;
  readonly #titleWords: ReadonlySet<string>;

  /** Running text counts inside `root` only. */
  constructor({ blocks, elements, title }: PageTree, statistics: PageStatistics, root: number) {
    const count = blocks.length;
    const isHeading = (element: number) => ((elements.inherited[element] ?? 0) & Inherited.heading) !== 0;
    this.goodBefore = new Int32Array(count);
    this.goodAfter = new Int32Array(count);
    this.heading = new Int32Array(count);
    this.#titleWords = new Set(plainWords(title));
    const isGood = blocks.map(
      ({ element }, at) => (statistics.merit[at] ?? 0) > goodMerit && statistics.isInside(element, root),
    );
    let good = -1;
    let heading = -1;
    let best = 0.5;
    let titleBlock = -1;
    blocks.forEach(({ element, size, text }, at) => {
      this.goodBefore[at] = good;
      this.heading[at] = heading;
      if (isGood[at]) good = at;
      if (!isHeading(element)) return;
      heading = at;
      const share = size > maxTitleLength ? 0 : this.titleShare(text);
      if (share > best) {
        best = share;
        titleBlock = at;
      }
    });
    this.title = titleBlock;
    good = -1;
    for (let at = count - 1; at >= 0; at--) {
      this.goodAfter[at] = good;
      if (isGood[at]) good = at;
    }
  }

  /** The share of a text's words in the page's title, times the share of the title's words in the text. */
  titleShare(text: string): number {
    if (this.#titleWords.size === 0) return 0;
    const words = plainWords(text.slice(0, 400));
    // Most blocks have no word of the title and need no set of their words.
    if (!words.some((word) => this.#titleWords.has(word))) return 0;
    const found = new Set(words);
    let both = 0;
    for (const word of found) if (this.#titleWords.has(word)) both++;
    return (both / found.size) * Math.min(1, (1.6 * both) / this.#titleWords.size);
  }
}
