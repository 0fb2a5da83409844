import type { SummaryObject } from '../../../soif/index.ts';
import { encodePostings } from '../codecs/posting-codec.ts';
import { valuesField } from '../index-database/index-fields.ts';
import { termKey } from '../index-database/index-keys.ts';
import type { Pacing } from '../model/event-loop-yield.ts';
import { valueTermsOf } from '../vocabulary/value-terms.ts';
import { inUtf8Order } from '../vocabulary/word-blocks.ts';

/** Collects which objects of a batch have which numbers and times. */
export class ValueLists {
  readonly #docnos = new Map<string, number[]>();

  /** Give objects in the order of their docnos. */
  add(docno: number, object: SummaryObject): void {
    for (const term of valueTermsOf(object)) {
      const known = this.#docnos.get(term);
      if (known === undefined) this.#docnos.set(term, [docno]);
      else known.push(docno);
    }
  }

  /** Keys and lists in the order of keys, docnos counted from `base`. */
  async lists(base: number, pacing: Pacing): Promise<(readonly [key: Uint8Array, postings: Uint8Array])[]> {
    const lists: (readonly [Uint8Array, Uint8Array])[] = [];
    for (const term of inUtf8Order([...this.#docnos.keys()])) {
      const docnos = Uint32Array.from(this.#docnos.get(term) as number[]);
      const slots = new Uint8Array(docnos.length);
      const postings = encodePostings({ docnos, slots, occurrences: docnos.length }, base);
      lists.push([termKey(valuesField, term), postings]);
      await pacing.pause(64 + docnos.length);
    }
    return lists;
  }
}
