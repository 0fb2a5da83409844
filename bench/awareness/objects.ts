import { createHash } from 'node:crypto';
import type { Random } from '../../kernel/index.ts';
import { encodeObject, type Oid, oidFromBytes, type ServerId, summaryObject } from '../../soif/index.ts';
import type { ObjectStore, StoreOperation } from '../../store/index.ts';

/** How two sets differ: inserts anywhere, inserts with the highest handles, or a mix of all changes. */
export const kinds = ['scattered', 'recent', 'mixed'] as const;
export type Kind = (typeof kinds)[number];

/** The numbers of inserts, updates and deletes in a change of `u` objects. */
export function partsOf(
  kind: Kind,
  u: number,
): { readonly inserts: number; readonly updates: number; readonly deletes: number } {
  if (kind !== 'mixed') return { inserts: u, updates: 0, deletes: 0 };
  const updates = Math.floor(u / 2);
  const deletes = Math.floor((u - updates) / 2);
  return { inserts: u - updates - deletes, updates, deletes };
}

/** Elements in which two sets differ after a change: an update removes one and adds one. */
export function differencesOf(kind: Kind, u: number): number {
  const { inserts, updates, deletes } = partsOf(kind, u);
  return inserts + deletes + 2 * updates;
}

/** Operations per batch. */
const batchSize = 1000;
/**
 * Min and max number of objects that are replaced when a change is undone. They keep a session from sending
 * bytes that it has compressed before. Longer messages are not compressed, so `maxChurn` is enough.
 */
const minChurn = 100;
const maxChurn = 2000;
/** Far in the future, so that nothing expires during a measurement. */
const updatedAt = 4_000_000_000;
const ttlSeconds = 30 * 24 * 3600;

const hashOf = (what: string, n: number, version: number) =>
  createHash('sha256').update(`${what} ${n} ${version}`).digest();

/**
 * A store of minimal summaries that can be changed and changed back. Names and contents are computed from
 * numbers, so a million objects need only their numbers in memory. Signatures are random: clients that want
 * only handles check none.
 */
export class ChangingStore {
  readonly #store: ObjectStore;
  readonly #publisher: ServerId;
  readonly #random: Random;
  /** Numbers of the live objects. */
  readonly #live: number[] = [];
  #next: number;
  #version = 0;
  #undo: (() => StoreOperation[]) | undefined;
  #churn = 0;

  constructor(store: ObjectStore, publisher: ServerId, random: Random) {
    this.#store = store;
    this.#publisher = publisher;
    this.#random = random;
    // Numbers of earlier objects must not be reused.
    this.#next = store.lsn;
  }

  /** Add objects until there are `count`. */
  async load(count: number): Promise<void> {
    const live = this.#live;
    const next = (): StoreOperation => {
      live.push(this.#next);
      return this.#put(this.#next++, 0, false);
    };
    await this.#apply(
      (function* () {
        while (live.length < count) yield next();
      })(),
    );
  }

  /** Change `u` objects. */
  async change(kind: Kind, u: number): Promise<void> {
    const { inserts, updates, deletes } = partsOf(kind, u);
    const [first, version, atEnd] = [this.#next, ++this.#version, kind === 'recent'];
    this.#next += inserts;
    const touched = this.#some(updates + deletes).map((at) => this.#live[at] as number);
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
    this.#churn = Math.min(Math.max(minChurn, 2 * u), maxChurn, Math.floor(this.#live.length / 2));
  }

  /** Undo the last change, and replace other objects by as many new ones, so that no set occurs twice. */
  async changeBack(): Promise<void> {
    const replaced = this.#some(this.#churn);
    const gone = replaced.map((at) => this.#delete(this.#live[at] as number, false));
    const fresh = replaced.map((at) => {
      this.#live[at] = this.#next++;
      return this.#put(this.#live[at], 0, false);
    });
    await this.#apply([...(this.#undo?.() ?? []), ...gone, ...fresh]);
    this.#undo = undefined;
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

  /** Indexes of some objects in the list of all. */
  #some(count: number): number[] {
    if (count > this.#live.length)
      throw new TypeError(`${count} of ${this.#live.length} objects cannot change`);
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(Math.floor(this.#random.next() * this.#live.length));
    return [...chosen];
  }

  #oid(n: number, atEnd: boolean): Oid {
    const bytes = hashOf('handle', n, 0);
    bytes[0] = atEnd ? 0xf0 | (bytes[0] as number) : (bytes[0] as number) % 0xf0;
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
    const object = {
      oid: this.#oid(n, atEnd),
      digest,
      body,
      updatedAt,
      publisher: this.#publisher,
      signature,
    };
    return { kind: 'put', object, url, ttlSeconds };
  }
}
