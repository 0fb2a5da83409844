import { type Language, termOf } from '../../../query/index.ts';
import { wholeFields } from '../index-database/index-fields.ts';
import { blockKey, termKey } from '../index-database/index-keys.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { SegmentDirectory } from './segment-directory.ts';
import { presentInBlock } from './term-block.ts';
import { TermFilter } from './term-filter.ts';

/** The terms of a segment, in all fields. */
export class LivingTerms {
  readonly #database: PostingDatabase;
  readonly #segment: number;
  readonly #directory: SegmentDirectory;
  readonly #filter: TermFilter;
  readonly #languages: readonly Language[];

  private constructor(
    database: PostingDatabase,
    segment: number,
    directory: SegmentDirectory,
    filter: TermFilter,
    languages: readonly Language[],
  ) {
    this.#database = database;
    this.#segment = segment;
    this.#directory = directory;
    this.#filter = filter;
    this.#languages = languages;
  }

  /** Of a segment with terms on disk; `languages` are those of its objects, ideally commonest first. */
  static async load(
    database: PostingDatabase,
    segment: number,
    languages: readonly Language[],
  ): Promise<LivingTerms> {
    const directory = await SegmentDirectory.load(database, segment);
    return new LivingTerms(database, segment, directory, await TermFilter.load(database, segment), languages);
  }

  /** The items whose term the segment has. */
  having<Item>(items: readonly Item[], term: (item: Item) => string): Promise<readonly Item[]> {
    return this.#filtered(items, [term]);
  }

  /** The items whose word has a term in the segment, in some language. */
  wordsWith<Item>(items: readonly Item[], wordOf: (item: Item) => string): Promise<readonly Item[]> {
    return this.#filtered(
      items,
      this.#languages.map((language) => (item) => termOf(wordOf(item), language)),
    );
  }

  async #filtered<Item>(items: readonly Item[], readings: readonly ((item: Item) => string)[]) {
    const present = new Set<Item>();
    // Most are found in the first language and field, and stemming takes most of the time.
    for (const reading of readings)
      for (const field of wholeFields) {
        const rest = items.filter((item) => !present.has(item));
        if (rest.length === 0) return items;
        for (const item of await this.#standing(field, rest, reading)) present.add(item);
      }
    return items.filter((item) => present.has(item));
  }

  async #standing<Item>(
    field: number,
    items: readonly Item[],
    reading: (item: Item) => string,
  ): Promise<Item[]> {
    const terms = items.flatMap((item) => {
      const key = termKey(field, reading(item));
      return this.#filter.mayHave(key) ? [{ item, key, place: this.#directory.blockOf(key) }] : [];
    });
    const numbers = [...new Set(terms.map(({ place }) => place))].filter((block) => block !== undefined);
    if (numbers.length === 0) return [];
    const values = await this.#database.getMany(numbers.map((block) => blockKey(this.#segment, block)));
    const found: Item[] = [];
    for (const [index, number] of numbers.entries()) {
      const own = terms.filter(({ place }) => place === number).sort((a, b) => Buffer.compare(a.key, b.key));
      const block = values[index];
      const there =
        block &&
        presentInBlock(
          block,
          own.map(({ key }) => key),
        );
      for (const [order, { item }] of own.entries()) if (there?.[order] === true) found.push(item);
    }
    return found;
  }
}
