import { failure } from '../../../kernel/index.ts';
import { compileQuery, type Language, type LeafNode, printQuery, StepBudget } from '../../../query/index.ts';
import type { SummaryObject } from '../../../soif/index.ts';
import { engineErrors } from '../errors.ts';
import { Pacing } from '../model/event-loop-yield.ts';
import type { PartialReading, ReadCount } from '../model/search-engine.ts';

/** Where objects are read. */
export interface VerifiedObjects {
  /** The language of objects that tell none. */
  readonly fallback: Language;
  readonly isAlive: (docno: number) => boolean;
  /** The stored objects of these docnos, few of them in memory at a time. */
  readonly objectsOf: (docnos: Uint32Array) => AsyncIterable<readonly [docno: number, object: SummaryObject]>;
  /** How many objects one query may read. */
  readonly maxObjectsRead: number;
  /** What the question has read already, by this query and others. */
  readonly reads: ReadCount;
  /** Takes in what was read in part; without it too much is read not at all. */
  readonly partial?: PartialReading[] | undefined;
}

/** Queries that may read as much as one may, of all that are tried for one question. */
export const maxWideTrials = 3;

// Bytes of text that are looked through between two turns of the event loop: some milliseconds.
const bytesAtOnce = 64 * 1024;

/** Holds leaves against stored objects, no more of them for one query than the bound. */
export class ObjectVerifier {
  readonly #objects: VerifiedObjects;
  readonly #pacing = new Pacing(bytesAtOnce);
  readonly #budget = new StepBudget();
  #read = 0;

  constructor(objects: VerifiedObjects) {
    this.#objects = objects;
  }

  /**
   * Those of the candidates (ascending) that match the leaf. Where they are too many rejects with ENGINE_QUERY_TOO_WIDE
   * before it reads any; or reads the last of them, and takes the others for matches where that keeps them out of the answer
   * (`isRefused`: within a NOT), for none elsewhere.
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
