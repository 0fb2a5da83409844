import { failure, Pacing } from '../../../kernel/index.ts';
import { compileQuery, type Language, type LeafNode, printQuery, StepBudget } from '../../../query/index.ts';
import type { SummaryObject } from '../../../soif/index.ts';
import { engineErrors } from '../errors.ts';
import type { PartialReading, ReadCount } from '../model/search-engine.ts';

export interface VerifiedObjects {
  readonly fallback: Language;
  readonly isAlive: (docno: number) => boolean;
  /** The stored objects of these docnos, few of them in memory at a time. */
  readonly objectsOf: (docnos: Uint32Array) => AsyncIterable<readonly [docno: number, object: SummaryObject]>;
  /** Max objects that one query may read. */
  readonly maxObjectsRead: number;
  /** Objects already read for the question, by this query and others. */
  readonly reads: ReadCount;
  /** Receives partial readings. Without it, nothing is read when too much would have to be. */
  readonly partial?: PartialReading[] | undefined;
}

/** Number of queries for one question that may read up to the limit. */
export const maxWideTrials = 3;

// Bytes of text searched between two yields to the event loop: some milliseconds.
const bytesAtOnce = 64 * 1024;

/** Checks stored objects against leaves, within the limit for one query. */
export class ObjectVerifier {
  readonly #objects: VerifiedObjects;
  readonly #pacing = new Pacing(bytesAtOnce);
  readonly #budget = new StepBudget();
  #read = 0;

  constructor(objects: VerifiedObjects) {
    this.#objects = objects;
  }

  /**
   * The candidates (ascending) that match the leaf. When there are too many it rejects with
   * ENGINE_QUERY_TOO_WIDE before it reads any, or reads only the last of them. Unread ones then count as
   * matches where that keeps them out of the answer (`isRefused`: within a NOT), and as no matches elsewhere.
   */
  async matching(
    leaf: LeafNode,
    attribute: string | undefined,
    candidates: Uint32Array,
    isRefused: boolean,
  ): Promise<Uint32Array> {
    const { maxObjectsRead: limit, reads, isAlive, partial } = this.#objects;
    const living = candidates.filter(isAlive);
    const room = Math.max(0, Math.min(limit - this.#read, maxWideTrials * limit - reads.objects));
    if (living.length <= room) return this.#matching(leaf, attribute, living);
    const part = printQuery(
      attribute === undefined ? leaf : { kind: 'attribute', name: attribute, operand: leaf },
    );
    if (partial === undefined) throw failure(engineErrors.ENGINE_QUERY_TOO_WIDE, { part, limit });
    partial.push({ part, read: room, of: living.length });
    const left = living.length - room;
    const found = await this.#matching(leaf, attribute, living.subarray(left));
    return isRefused ? Uint32Array.from([...living.subarray(0, left), ...found]) : found;
  }

  async #matching(leaf: LeafNode, attribute: string | undefined, living: Uint32Array): Promise<Uint32Array> {
    const { reads, fallback, objectsOf } = this.#objects;
    this.#read += living.length;
    reads.objects += living.length;
    if (living.length === 0) return living;
    const matches = compileQuery(leaf, attribute, fallback, this.#budget);
    const found: number[] = [];
    for await (const [docno, object] of objectsOf(living)) {
      if (matches(object)) found.push(docno);
      const bytes = object.attributes.reduce((sum, { value }) => sum + value.length, 0);
      await this.#pacing.pause(bytes);
    }
    return Uint32Array.from(found);
  }
}
