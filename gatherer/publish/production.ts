import type { Clock } from '../../kernel/index.ts';
import {
  Attributes,
  attributeNumber,
  decodeObject,
  digestOf,
  encodeObject,
  type Identity,
  type Oid,
  oidOf,
  provenanceBytes,
  type SummaryObject,
  summaryObject,
  withdrawalBytes,
} from '../../soif/index.ts';
import type { ObjectStore, StoreOperation } from '../../store/index.ts';
import type { Summary } from '../summarise/index.ts';

export interface ProductionOptions {
  readonly store: ObjectStore;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly name: string;
  readonly host: string;
  readonly version: string;
  readonly ttlSeconds: number;
  readonly refreshSeconds: number;
  /** The object to store for a gathered one, with its annotation. */
  readonly annotated: (gathered: SummaryObject) => Promise<SummaryObject>;
  /** Make the notes of annotated objects survive a power cut. */
  readonly syncAnnotations: () => Promise<void>;
}

/** Effect of a step on an object. */
export type Outcome = 'added' | 'changed' | 'refreshed' | 'unchanged';

/** The stored object of a URL, or the object to be written. */
export interface Produced {
  /** In hex. */
  readonly digest: string;
  /** Its Refresh-Rate in seconds, if it differs from the Gatherer's. */
  readonly refresh?: number;
  /** Time of its next refresh, in seconds since 1970. */
  readonly due?: number;
}

/** Result for an unchanged document. */
export interface Touched {
  readonly outcome: Outcome;
  /** Time of the next refresh of its summary, in seconds since 1970; absent without a summary. */
  readonly due?: number;
}

/** A summary is refreshed after this share of its Refresh-Rate, because the next run comes only after a whole one. */
const dueShare = 0.9;

const batchOperations = 128;
const batchBytes = 2 * 1024 * 1024;

function dueAt(updatedAt: number, refreshSeconds: number, ttlSeconds: number): number {
  return updatedAt + Math.ceil(Math.min(refreshSeconds, ttlSeconds) * dueShare);
}

/** Turns summaries into signed objects; unchanged content is only touched after its Refresh-Rate. */
export class Production {
  readonly #options: ProductionOptions;
  #operations: StoreOperation[] = [];
  #bytes = 0;
  #annotated = false;
  /** The times of the versions, and of the withdrawals, that are not written yet. */
  readonly #published = new Map<Oid, number>();
  readonly #withdrawn = new Map<Oid, number>();

  constructor(options: ProductionOptions) {
    this.#options = options;
  }

  oid(url: string): Oid {
    return oidOf(this.#options.identity.serverId, url);
  }

  /** Identifies a state of the store. */
  get state(): string {
    const { epoch, lsn } = this.#options.store;
    return `${epoch}.${lsn}`;
  }

  /** Whether every noted operation was written. */
  get settled(): boolean {
    return this.#operations.length === 0;
  }

  /** Digest (hex) of the stored object of a URL, or undefined. */
  async digest(url: string): Promise<string | undefined> {
    const held = await this.#options.store.describe(this.oid(url));
    return held === undefined ? undefined : Buffer.from(held.digest).toString('hex');
  }

  /** The stored object of a URL, or undefined. */
  async stored(url: string): Promise<SummaryObject | undefined> {
    const held = await this.#options.store.get(this.oid(url));
    return held === undefined ? undefined : decodeObject(held.body);
  }

  /** The URLs of the stored objects. */
  async *urls(): AsyncIterable<string> {
    const { store } = this.#options;
    await using snapshot = await store.snapshot();
    for await (const { oid } of snapshot.scan()) {
      const held = await store.describe(oid);
      if (held !== undefined) yield held.url;
    }
  }

  /** Store a document's summary with its annotation; resolves to the outcome and the stored object's data. */
  async put(url: string, summary: Summary): Promise<Produced & { readonly outcome: Outcome }> {
    const { name, host, version } = this.#options;
    const { attributes, ttlSeconds, refreshSeconds } = this.#lives(summary);
    const gathered = summaryObject(url, [
      ...attributes,
      [Attributes.timeToLive, ttlSeconds],
      [Attributes.refreshRate, refreshSeconds],
      [Attributes.updateTime, this.#seconds()],
      [Attributes.gathererName, name],
      [Attributes.gathererHost, host],
      [Attributes.gathererVersion, version],
    ]);
    const object = await this.#options.annotated(gathered);
    if (object !== gathered) this.#annotated = true;
    return this.#put(object);
  }

  /** Replace the stored object, with a new Update-Time. */
  replace({ attributes, ...rest }: SummaryObject): Promise<Produced> {
    const [updateTime] = summaryObject(rest.url, [[Attributes.updateTime, this.#seconds()]]).attributes;
    const fresh = attributes.map((own) =>
      updateTime !== undefined && own.name === updateTime.name ? updateTime : own,
    );
    this.#annotated = true;
    return this.#put({ ...rest, attributes: fresh });
  }

  async #put(object: SummaryObject): Promise<Produced & { readonly outcome: Outcome }> {
    const { store, identity } = this.#options;
    const { url } = object;
    const ttlSeconds = attributeNumber(object, Attributes.timeToLive) ?? this.#options.ttlSeconds;
    const refreshSeconds = attributeNumber(object, Attributes.refreshRate) ?? this.#options.refreshSeconds;
    const oid = this.oid(url);
    const digest = digestOf(object);
    const produced: Produced = {
      digest: Buffer.from(digest).toString('hex'),
      ...(refreshSeconds === this.#options.refreshSeconds ? {} : { refresh: refreshSeconds }),
    };
    const held = await store.describe(oid);
    if (held !== undefined && Buffer.compare(held.digest, digest) === 0)
      return { ...produced, ...(await this.touch(url, refreshSeconds)) };
    const body = encodeObject(object);
    const updatedAt = await this.#timeToPublish(oid, held?.withdrawnAt);
    const signature = identity.sign(provenanceBytes(oid, digest, updatedAt));
    this.#operations.push({
      kind: 'put',
      object: { oid, digest, body, updatedAt, publisher: identity.serverId, signature },
      url,
      ttlSeconds,
    });
    this.#bytes += body.length;
    const due = dueAt(updatedAt, refreshSeconds, ttlSeconds);
    return { outcome: held === undefined ? 'added' : 'changed', ...produced, due };
  }

  /** Note an unchanged document; its summary is refreshed when its Refresh-Rate has passed. */
  async touch(url: string, refreshSeconds = this.#options.refreshSeconds): Promise<Touched> {
    const { store, identity } = this.#options;
    const oid = this.oid(url);
    const held = await store.describe(oid);
    if (held === undefined) return { outcome: 'unchanged' };
    const ttlSeconds = held.expiresAtMs / 1000 - held.updatedAt;
    const due = dueAt(held.updatedAt, refreshSeconds, ttlSeconds);
    if (!this.isDue(due)) return { outcome: 'unchanged', due };
    const updatedAt = await this.#timeToPublish(oid, held.withdrawnAt);
    const signature = identity.sign(provenanceBytes(oid, held.digest, updatedAt));
    this.#operations.push({ kind: 'refresh', oid, updatedAt, signature });
    return { outcome: 'refreshed', due: dueAt(updatedAt, refreshSeconds, ttlSeconds) };
  }

  /** Whether a time has passed, such as that of the next refresh. */
  isDue(due: number): boolean {
    return this.#seconds() >= due;
  }

  /** Seconds since 1970. */
  get now(): number {
    return this.#seconds();
  }

  /** Delete the object of a URL, with a signature that removes it wherever it was passed on. */
  async delete(url: string): Promise<void> {
    const { store, identity } = this.#options;
    const { serverId: publisher } = identity;
    const oid = this.oid(url);
    // A clock that was set back must not make the withdrawal older than the object.
    const last = this.#published.get(oid) ?? (await store.describe(oid))?.updatedAt ?? 0;
    const updatedAt = Math.max(this.#seconds(), last);
    const signature = identity.sign(withdrawalBytes(oid, updatedAt));
    this.#withdrawn.set(oid, updatedAt);
    this.#operations.push({ kind: 'delete', oid, withdrawal: { publisher, updatedAt, signature } });
  }

  /** The Update-Time of a version that is published now: later than the last withdrawal, or no Broker takes it. */
  async #timeToPublish(oid: Oid, withdrawnAt: number | undefined): Promise<number> {
    const { store } = this.#options;
    const last = this.#withdrawn.get(oid) ?? withdrawnAt ?? (await store.withdrawnAt(oid));
    const updatedAt = Math.max(this.#seconds(), last + 1);
    this.#published.set(oid, updatedAt);
    return updatedAt;
  }

  /** Whether a batch is full. */
  get full(): boolean {
    return this.#operations.length >= batchOperations || this.#bytes >= batchBytes;
  }

  /** Write everything noted so far in one step; with `sync` it survives a power cut. */
  async write({ sync = false } = {}): Promise<void> {
    if (this.#operations.length === 0) return;
    const operations = this.#operations;
    // Without this note, the gathered values of the object would be lost.
    if (this.#annotated) await this.#options.syncAnnotations();
    this.#annotated = false;
    await this.#options.store.apply(operations, { sync });
    // Only now, so that operations that could not be written are kept.
    this.#operations = this.#operations.slice(operations.length);
    for (const operation of operations) this.#written(operation);
    this.#bytes = 0;
  }

  /** The store knows the time of an operation now. */
  #written(operation: StoreOperation): void {
    const isDeletion = operation.kind === 'delete';
    const times = isDeletion ? this.#withdrawn : this.#published;
    const { oid, updatedAt } = isDeletion
      ? { oid: operation.oid, updatedAt: operation.withdrawal?.updatedAt }
      : operation.kind === 'put'
        ? operation.object
        : operation;
    if (times.get(oid) === updatedAt) times.delete(oid);
  }

  /** Discard operations that are not written. */
  discard(): void {
    this.#operations = [];
    this.#published.clear();
    this.#withdrawn.clear();
    this.#bytes = 0;
  }

  /** Time-to-Live and Refresh-Rate, which an operator's rule may have set for this summary. */
  #lives({ attributes }: Summary) {
    const { ttlSeconds, refreshSeconds } = this.#options;
    const set = (name: string, standard: number) => {
      const text = attributes.find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1];
      return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : standard;
    };
    const isLife = (name: string) => /^(?:time-to-live|refresh-rate)$/i.test(name);
    return {
      attributes: attributes.filter(([name]) => !isLife(name)),
      ttlSeconds: set(Attributes.timeToLive, ttlSeconds),
      refreshSeconds: set(Attributes.refreshRate, refreshSeconds),
    };
  }

  #seconds(): number {
    return Math.floor(this.#options.clock.now() / 1000);
  }
}
