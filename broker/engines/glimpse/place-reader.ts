import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { placeKey, placeRange, valuesKey } from './glimpse-keys.ts';
import { decodeValues, type ObjectValues } from './object-values.ts';
import { decodePlaced, type PlacedTerm } from './place-block.ts';
import type { VocabularyKind } from './vocabulary-writer.ts';

// Above this number, reading a whole chunk costs less than looking each up.
const maxLookedUp = 64;

/** Reads the places of words from the segments of one moment. */
export class PlaceReader {
  readonly #database: PostingDatabase;
  readonly #segments: readonly Segment[];

  constructor(database: PostingDatabase, segments: readonly Segment[]) {
    this.#database = database;
    this.#segments = segments;
  }

  /** The terms among these that occur in a chunk of objects, once for each segment that has them. */
  async *terms(
    chunk: { readonly number: number; readonly from: number; readonly to: number },
    kind: VocabularyKind,
    wanted: ReadonlySet<string>,
  ): AsyncGenerator<PlacedTerm> {
    for (const { id, from, to } of this.#segments) {
      if (to < chunk.from || from > chunk.to) continue;
      const range = placeRange(id, chunk.number, kind);
      if (wanted.size > maxLookedUp) {
        for await (const [, value] of this.#database.entries(range))
          for (const placed of decodePlaced(value)) if (wanted.has(placed.term)) yield placed;
        continue;
      }
      for (const term of wanted) {
        const lt = Buffer.concat([placeKey(id, chunk.number, kind, term), Buffer.from([0])]);
        for await (const [, value] of this.#database.entries({ gte: range.gte, lt, reverse: true, limit: 1 }))
          for (const placed of decodePlaced(value)) if (placed.term === term) yield placed;
      }
    }
  }

  /** Language and values of objects, by docno; docnos ascend. */
  async values(docnos: readonly number[]): Promise<ReadonlyMap<number, ObjectValues>> {
    const keys: Uint8Array[] = [];
    let at = 0;
    for (const docno of docnos) {
      while (at < this.#segments.length && (this.#segments[at] as Segment).to < docno) at++;
      keys.push(valuesKey(this.#segments[at]?.id ?? 0, docno));
    }
    const found = new Map<number, ObjectValues>();
    for (const [index, value] of (await this.#database.getMany(keys)).entries())
      if (value !== undefined) found.set(docnos[index] as number, decodeValues(value));
    return found;
  }
}
