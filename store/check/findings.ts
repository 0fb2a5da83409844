import type { Oid } from '../../soif/index.ts';

export type FaultKind =
  /** An object's row cannot be read, or its summary is missing or is not the one that was stored. */
  | 'object'
  /** The change log or the expiry order does not have an object where it should. */
  | 'order'
  /** An object counts on a source's copy that does not have it. */
  | 'claim'
  /** A row that belongs to no object. */
  | 'orphan'
  /** A source's copy has an object whose content is missing. */
  | 'lost'
  /** The path of an object cannot be read, or does not match the object. */
  | 'path'
  /** A count, a number of bytes or a fingerprint that does not match the rows. */
  | 'total';

export interface Fault {
  readonly kind: FaultKind;
  readonly oid?: Oid;
  /** Of an orphan. */
  readonly key?: Uint8Array;
  readonly what: string;
  /** The copy that an object wrongly counts on. */
  readonly partition?: number;
}

export interface CheckFindings {
  readonly objects: number;
  readonly rows: number;
  readonly faults: number;
  readonly kinds: Readonly<Partial<Record<FaultKind, number>>>;
  /** The first faults, as sentences. */
  readonly sample: readonly string[];
  /** Faults that remain after repair; for a check alone all of them. */
  readonly left: number;
}

const sampleSize = 20;

export class Findings {
  readonly #kinds = new Map<FaultKind, number>();
  readonly #sample: string[] = [];
  objects = 0;
  rows = 0;

  add({ kind, what }: Fault): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (this.#sample.length < sampleSize) this.#sample.push(what);
  }

  report(left?: number): CheckFindings {
    const faults = [...this.#kinds.values()].reduce((sum, count) => sum + count, 0);
    const { objects, rows } = this;
    const kinds = Object.fromEntries(this.#kinds);
    return { objects, rows, faults, kinds, sample: [...this.#sample], left: left ?? faults };
  }
}
