import { createHash } from 'node:crypto';
import { type Oid, oidFromBytes, type ServerId, encodeObject, summaryObject } from '../soif/index.ts';
import type { Random } from '../kernel/index.ts';
import type { ObjectStore, StoreOperation } from '../store/index.ts';

/** How two sets come to differ: inserts anywhere, inserts at the end of the order of handles, or some of everything. */
export const kinds = ['scattered', 'recent', 'mixed'] as const;
export type Kind = (typeof kinds)[number];

/** What a change of `u` objects is made of. */
export function partsOf(
  kind: Kind,
  u: number,
): { readonly inserts: number; readonly updates: number; readonly deletes: number } {
  if (kind !== 'mixed') return { inserts: u, updates: 0, deletes: 0 };
  const updates = Math.floor(u / 2);
  const deletes = Math.floor((u - updates) / 2);
  return { inserts: u - updates - deletes, updates, deletes };
}

/** Elements in which two sets differ after a change: an update takes one out and puts one in. */
export function differencesOf(kind: Kind, u: number): number {
  const { inserts, updates, deletes } = partsOf(kind, u);
  return inserts + deletes + 2 * updates;
}

/** Operations to a batch. */
const batchSize = 1000;
/** Far in the future: nothing expires while it is measured. */
const updatedAt = 4_000_000_000;
const ttlSeconds = 30 * 24 * 3600;

const hashOf = (what: string, n: number, version: number) =>
  createHash('sha256').update(`${what} ${n} ${version}`).digest();

/**
 * A store of minimal summaries that changes and changes back. Names and contents follow from numbers, so that
 * nothing about a million objects need be in memory. Signatures are noise: who wants handles alone checks none.
 */
export class ChangingStore {
  readonly #store: ObjectStore;
  readonly #publisher: ServerId;
  readonly #random: Random;
  #loaded = 0;
  #next = 0;
  #version = 0;
  #undo: (() => Iterable<StoreOperation>) | undefined;

  constructor(store: ObjectStore, publisher: ServerId, random: Random) {
    this.#store = store;
    this.#publisher = publisher;
    this.#random = random;
    this.#loaded = store.count;
    // Numbers of earlier objects must not come again.
    this.#next = store.lsn;
  }

  async load(count: number): Promise<void> {
    const numbers = function* (put: (n: number) => StoreOperation): Iterable<StoreOperation> {
      for (let n = 0; n < count; n++) yield put(n);
    };
    await this.#apply(numbers((n) => this.#put(n, 0, false)));
    this.#loaded = count;
    this.#next = count;
  }

  /** Change `u` objects. */
  async change(kind: Kind, u: number): Promise<void> {
    const { inserts, updates, deletes } = partsOf(kind, u);
    const [first, version, atEnd] = [this.#next, ++this.#version, kind === 'recent'];
    this.#next += inserts;
    const touched = this.#some(updates + deletes);
    const [updated, deleted] = [touched.slice(0, updates), touched.slice(updates)];
    const added = Array.from({ length: inserts }, (_, i) => first + i);
    await this.#apply([
      ...added.map((n) => this.#put(n, 0, atEnd)),
      ...updated.map((n) => this.#put(n, version, false)),
      ...deleted.map((n) => this.#delete(n, false)),
    ]);
    this.#undo = () => [
      ...added.map((n) => this.#delete(n, atEnd)),
      ...touched.map((n) => this.#put(n, 0, false)),
    ];
  }

  /** Undo the last change. */
  async changeBack(): Promise<void> {
    const operations = this.#undo?.() ?? [];
    this.#undo = undefined;
    await this.#apply(operations);
  }

  async #apply(operations: Iterable<StoreOperation>): Promise<void> {
    let batch: StoreOperation[] = [];
    for (const operation of operations) {
      batch.push(operation);
      if (batch.length < batchSize) continue;
      await this.#store.apply(batch);
      batch = [];
    }
    if (batch.length > 0) await this.#store.apply(batch);
  }

  #some(count: number): number[] {
    if (count > this.#loaded) throw new TypeError(`${count} of ${this.#loaded} objects cannot change`);
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(Math.floor(this.#random.next() * this.#loaded));
    return [...chosen];
  }

  #oid(n: number, atEnd: boolean): Oid {
    const bytes = hashOf('handle', n, 0);
    if (atEnd) bytes[0] = 0xff;
    return oidFromBytes(bytes);
  }

  #delete(n: number, atEnd: boolean): StoreOperation {
    return { kind: 'delete', oid: this.#oid(n, atEnd) };
  }

  #put(n: number, version: number, atEnd: boolean): StoreOperation {
    const url = `http://awareness.example/${n}`;
    const digest = hashOf('content', n, version);
    const body = encodeObject(summaryObject(url, [['Title', `Object ${n}, version ${version}`]]));
    const signature = Buffer.concat([digest, hashOf('signature', n, version)]);
    const object = { oid: this.#oid(n, atEnd), digest, body, updatedAt, publisher: this.#publisher, signature };
    return { kind: 'put', object, url, ttlSeconds };
  }
}
