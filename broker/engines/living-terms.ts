import { type Language, termsIn } from '../../query/index.ts';
import { wholeFields } from './index-fields.ts';
import { blockKey, termKey } from './index-keys.ts';
import type { PostingDatabase } from './posting-database.ts';
import { SegmentDirectory } from './segment-directory.ts';
import { presentInBlock } from './term-block.ts';

/** Which terms a segment has, in whatever field. */
export class LivingTerms {
  readonly #database: PostingDatabase;
  readonly #segment: number;
  readonly #directory: SegmentDirectory;
  readonly #languages: readonly Language[];

  private constructor(
    database: PostingDatabase,
    segment: number,
    directory: SegmentDirectory,
    languages: readonly Language[],
  ) {
    this.#database = database;
    this.#segment = segment;
    this.#directory = directory;
    this.#languages = languages;
  }

  /** Of a segment whose terms are on disk; `languages` are those of its objects. */
  static async load(
    database: PostingDatabase,
    segment: number,
    languages: readonly Language[],
  ): Promise<LivingTerms> {
    return new LivingTerms(database, segment, await SegmentDirectory.load(database, segment), languages);
  }

  /** Those of the items whose term the segment has. */
  having<Item>(items: readonly Item[], termOf: (item: Item) => string): Promise<readonly Item[]> {
    return this.#kept(items, (item) => [termOf(item)]);
  }

  /** Those of the items whose word has a term in the segment, in whatever language. */
  wordsWith<Item>(items: readonly Item[], wordOf: (item: Item) => string): Promise<readonly Item[]> {
    return this.#kept(items, (item) => termsIn(wordOf(item), this.#languages));
  }

  async #kept<Item>(items: readonly Item[], termsOf: (item: Item) => readonly string[]) {
    const present = new Set<Item>();
    // Most are found in the first field.
    for (const field of wholeFields) {
      const rest = items.filter((item) => !present.has(item));
      if (rest.length === 0) break;
      for (const item of await this.#standing(field, rest, termsOf)) present.add(item);
    }
    return items.filter((item) => present.has(item));
  }

  async #standing<Item>(
    field: number,
    items: readonly Item[],
    termsOf: (item: Item) => readonly string[],
  ): Promise<Item[]> {
    const terms = items.flatMap((item) =>
      termsOf(item).map((term) => {
        const key = termKey(field, term);
        return { item, key, place: this.#directory.blockOf(key) };
      }),
    );
    const numbers = [...new Set(terms.map(({ place }) => place))].filter((block) => block !== undefined);
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
