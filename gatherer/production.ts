import type { Clock } from '../kernel/index.ts';
import {
  Attributes,
  digestOf,
  encodeObject,
  type Identity,
  type Oid,
  oidOf,
  provenanceBytes,
  summaryObject,
} from '../soif/index.ts';
import type { ObjectStore, StoreOperation } from '../store/index.ts';
import type { Summary } from './summariser.ts';

export interface ProductionOptions {
  readonly store: ObjectStore;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly name: string;
  readonly host: string;
  readonly version: string;
  readonly ttlSeconds: number;
  readonly refreshSeconds: number;
}

/** What a step of the production store did to an object. */
export type Outcome = 'added' | 'changed' | 'refreshed' | 'unchanged';

/** A summary this far into its Refresh-Rate is refreshed: the next run comes only after a whole one. */
const dueShare = 0.9;

const batchOperations = 128;
const batchBytes = 2 * 1024 * 1024;

/**
 * The production store: turns summaries into signed objects and writes them in batches. Equal content is not
 * written again until its Refresh-Rate has passed; then only its times move.
 */
export class Production {
  readonly #options: ProductionOptions;
  #operations: StoreOperation[] = [];
  #bytes = 0;

  constructor(options: ProductionOptions) {
    this.#options = options;
  }

  oid(url: string): Oid {
    return oidOf(this.#options.identity.serverId, url);
  }

  /** Digest (hex) of what the store holds for a URL, or undefined. */
  async digest(url: string): Promise<string | undefined> {
    const held = await this.#options.store.describe(this.oid(url));
    return held === undefined ? undefined : Buffer.from(held.digest).toString('hex');
  }

  /** Store a document's summary; resolves to what that meant and to the summary's digest (hex). */
  async put(url: string, summary: Summary): Promise<{ readonly outcome: Outcome; readonly digest: string }> {
    const { name, host, version, ttlSeconds, refreshSeconds, store, identity } = this.#options;
    const updatedAt = this.#seconds();
    const object = summaryObject(url, [
      ...summary.attributes,
      [Attributes.timeToLive, ttlSeconds],
      [Attributes.refreshRate, refreshSeconds],
      [Attributes.updateTime, updatedAt],
      [Attributes.gathererName, name],
      [Attributes.gathererHost, host],
      [Attributes.gathererVersion, version],
    ]);
    const oid = this.oid(url);
    const digest = digestOf(object);
    const hex = Buffer.from(digest).toString('hex');
    const held = await store.describe(oid);
    if (held !== undefined && Buffer.compare(held.digest, digest) === 0)
      return { outcome: await this.touch(url), digest: hex };
    const body = encodeObject(object);
    const signature = identity.sign(provenanceBytes(oid, digest, updatedAt));
    this.#operations.push({
      kind: 'put',
      object: { oid, digest, body, updatedAt, publisher: identity.serverId, signature },
      url,
      ttlSeconds,
    });
    this.#bytes += body.length;
    return { outcome: held === undefined ? 'added' : 'changed', digest: hex };
  }

  /** Note that a document is as it was; its summary is refreshed when its Refresh-Rate has passed. */
  async touch(url: string): Promise<Outcome> {
    const { store, identity, refreshSeconds } = this.#options;
    const oid = this.oid(url);
    const held = await store.describe(oid);
    const updatedAt = this.#seconds();
    if (held === undefined || updatedAt - held.updatedAt < refreshSeconds * dueShare) return 'unchanged';
    const signature = identity.sign(provenanceBytes(oid, held.digest, updatedAt));
    this.#operations.push({ kind: 'refresh', oid, updatedAt, signature });
    return 'refreshed';
  }

  delete(url: string): void {
    this.#operations.push({ kind: 'delete', oid: this.oid(url) });
  }

  /** Whether enough has gathered to be written. */
  get full(): boolean {
    return this.#operations.length >= batchOperations || this.#bytes >= batchBytes;
  }

  /** Write everything noted so far in one step. */
  async write(): Promise<void> {
    if (this.#operations.length === 0) return;
    const operations = this.#operations;
    await this.#options.store.apply(operations);
    // Only now: what could not be written is still to be written.
    this.#operations = this.#operations.slice(operations.length);
    this.#bytes = 0;
  }

  #seconds(): number {
    return Math.floor(this.#options.clock.now() / 1000);
  }
}
