import { type Change, handleOf, type Noted, type Replica, withApply } from '../../awareness/index.ts';
import type { Keyring } from '../../exchange/index.ts';
import type { Fetch } from '../../fetch/index.ts';
import { type Clock, failure, type GarnerError, RecentMap, TaskQueue } from '../../kernel/index.ts';
import { ProofBook, siteOf } from '../../publication/index.ts';
import { decodeObject, type Oid, type ServerId } from '../../soif/index.ts';
import { type Database, type DataFolder, type ObjectStore, type Write, within } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import { objectsUnproved } from '../events.ts';

export interface ProvedObjectsOptions {
  readonly database: Database;
  readonly store: Pick<ObjectStore, 'apply' | 'describe' | 'isOffered' | 'unlearn'>;
  readonly keyring: Pick<Keyring, 'keyOf'>;
  readonly book: ProofBook;
}

/** An object that is kept out, by its id. */
interface Row {
  readonly url: string;
  readonly publisher: ServerId;
  readonly source: ServerId;
}

/** An object of a change, and what its publisher says by it. */
interface Claim {
  readonly oid: Oid;
  readonly digest: Uint8Array;
  readonly row: Row;
}

/** Sites that are asked for one batch of changes; objects of further ones wait for the next look. */
const sitesOfBatch = 8;
/** Sites that are asked again in one look. */
const sitesOfLook = 64;
const sweepSize = 256;
const maxKeys = 1000;
const maxSites = 1000;

const keyOf = (oid: Oid) => Buffer.from(oid);
const parse = (value: Uint8Array) => JSON.parse(Buffer.from(value).toString()) as Row;

/**
 * Takes an object only when the site of its URL names the Gatherer that signed it. A source's copy still lists the
 * others, so that both sides agree; they are requested again once their site names the Gatherer.
 */
export class ProvedObjects {
  readonly #rows: Database;
  readonly #options: ProvedObjectsOptions;
  readonly #keys = new RecentMap<ServerId, string | undefined>(maxKeys);
  /** The number of objects kept out, by source and by site. */
  readonly #bySource = new Map<string, number>();
  readonly #bySite = new Map<string, number>();
  readonly #turns = new TaskQueue();
  // Batches of several sources would together ask too many sites at once.
  readonly #looks = new TaskQueue();

  private constructor(options: ProvedObjectsOptions) {
    this.#options = options;
    this.#rows = within(options.database, 'unproved');
  }

  static async open(options: ProvedObjectsOptions): Promise<ProvedObjects> {
    const proved = new ProvedObjects(options);
    for await (const [, value] of proved.#rows.entries()) proved.#count(parse(value), 1);
    return proved;
  }

  /** A source's copy that stores no content of objects whose site does not name their Gatherer. */
  guard(replica: Replica, source: ServerId): Replica {
    return withApply(replica, async (changes, marker) => {
      const claims = await this.#claims(changes, source);
      await this.#ask(claims.values());
      await this.#turns.run(async () => {
        const { passed, refused, freed } = await this.#sifted(changes, claims);
        await this.#write(refused, freed);
        await replica.apply(passed, marker);
        await this.#remove([...refused.keys()]);
        if (refused.size > 0) objectsUnproved.publish({ source, objects: refused.size });
      });
    });
  }

  /** What to say about a source of which objects are kept out. */
  trouble(source: ServerId): GarnerError | undefined {
    const objects = this.#bySource.get(source) ?? 0;
    return objects === 0 ? undefined : failure(brokerErrors.BROKER_UNPROVED, { objects });
  }

  /** Ask the sites of objects kept out again, where that is due, and let the sources offer what is proved by now. */
  async tick(signal: AbortSignal): Promise<void> {
    const { book } = this.#options;
    const due = [...this.#bySite.keys()].filter((site) => book.isDue(site)).slice(0, sitesOfLook);
    if (due.length === 0) return;
    await this.#look(due, signal);
    if (signal.aborted) return;
    const asked = new Set(due);
    let batch: [Oid, Row][] = [];
    for await (const [key, value] of this.#rows.entries()) {
      const row = parse(value);
      if (asked.has(siteOf(row.url) ?? '')) batch.push([Buffer.from(key).toString() as Oid, row]);
      if (batch.length < sweepSize) continue;
      await this.#sweep(batch);
      batch = [];
    }
    await this.#sweep(batch);
  }

  #sweep(rows: readonly (readonly [Oid, Row])[]): Promise<void> {
    return this.#turns.run(async () => {
      const { store } = this.#options;
      const free: Oid[] = [];
      for (const [oid, row] of rows)
        if (!(await store.isOffered(oid)) || (await this.#isProved(row))) free.push(oid);
      if (free.length === 0) return;
      // In this order a crash in between leaves rows that are swept again.
      await store.unlearn(free);
      await this.#write(new Map(), free);
    });
  }

  /** Request the documents of the sites of these objects, where that is due. */
  async #ask(claims: Iterable<Claim>): Promise<void> {
    const sites = new Set<string>();
    for (const { row } of claims) {
      const site = siteOf(row.url);
      if (site !== undefined && this.#options.book.isDue(site)) sites.add(site);
      if (sites.size >= sitesOfBatch) break;
    }
    if (sites.size > 0) await this.#look([...sites]);
  }

  #look(sites: readonly string[], signal?: AbortSignal): Promise<void> {
    return this.#looks.run(async () => {
      const { book } = this.#options;
      for (let at = 0; at < sites.length && signal?.aborted !== true; at += sitesOfBatch)
        await Promise.all(
          sites.slice(at, at + sitesOfBatch).map((site) =>
            book.look(site, signal && { signal }).catch((error) => {
              if (signal?.aborted !== true) throw error;
            }),
          ),
        );
      // A key may have been replaced since the last look.
      this.#keys.clear();
    });
  }

  async #isProved({ url, publisher }: Pick<Row, 'url' | 'publisher'>): Promise<boolean> {
    const { book, keyring } = this.#options;
    let key = this.#keys.get(publisher);
    if (key === undefined) {
      const bytes = await keyring.keyOf(publisher);
      if (bytes === undefined) return false;
      key = Buffer.from(bytes).toString('base64url');
      this.#keys.set(publisher, key);
    }
    return book.stateOf(url, { id: publisher, key }) === 'proved';
  }

  /** What each change that stores or renews an object is about. */
  async #claims(changes: readonly (Change | Noted)[], source: ServerId): Promise<ReadonlyMap<Change, Claim>> {
    const claims = new Map<Change, Claim>();
    for (const change of changes) {
      if (change.kind === 'put') {
        const { oid, digest, publisher, body } = change.object;
        claims.set(change, { oid, digest, row: { url: decodeObject(body).url, publisher, source } });
      } else if (change.kind === 'refresh') {
        const { oid, publisher } = change.refresh;
        const held = await this.#options.store.describe(oid);
        if (held !== undefined)
          claims.set(change, { oid, digest: held.digest, row: { url: held.url, publisher, source } });
      }
    }
    return claims;
  }

  async #sifted(changes: readonly (Change | Noted)[], claims: ReadonlyMap<Change | Noted, Claim>) {
    const refused = new Map<Oid, Row>();
    const freed = new Set<Oid>();
    const passed: (Change | Noted)[] = [];
    for (const change of changes) {
      const claim = claims.get(change);
      if (claim === undefined || (await this.#isProved(claim.row))) {
        passed.push(change);
        const oid = claim?.oid ?? (change.kind === 'delete' ? change.oid : undefined);
        if (oid === undefined) continue;
        refused.delete(oid);
        freed.add(oid);
      } else {
        const { oid, digest, row } = claim;
        freed.delete(oid);
        refused.set(oid, row);
        passed.push({ kind: 'note', lsn: change.lsn, oid, handle: handleOf(oid), signature: digest });
      }
    }
    return { passed, refused, freed };
  }

  /** Write the rows of objects that are kept out from now on, and remove those of others. */
  async #write(refused: ReadonlyMap<Oid, Row>, freed: Iterable<Oid>): Promise<void> {
    const oids = [...refused.keys(), ...freed];
    if (oids.length === 0 || (refused.size === 0 && this.#bySource.size === 0)) return;
    const before = await this.#rows.getMany(oids.map(keyOf));
    const writes = oids.map((oid): Write => {
      const row = refused.get(oid);
      return row === undefined
        ? { type: 'del', key: keyOf(oid) }
        : { type: 'put', key: keyOf(oid), value: Buffer.from(JSON.stringify(row)) };
    });
    await this.#rows.batch(writes, { sync: true });
    for (const value of before) if (value !== undefined) this.#count(parse(value), -1);
    for (const row of refused.values()) this.#count(row, 1);
  }

  /** An object that was taken before goes at its next change or renewal. */
  async #remove(oids: readonly Oid[]): Promise<void> {
    const { store } = this.#options;
    const held: Oid[] = [];
    for (const oid of oids) if ((await store.describe(oid)) !== undefined) held.push(oid);
    if (held.length > 0) await store.apply(held.map((oid) => ({ kind: 'delete', oid })));
  }

  #count({ url, source }: Row, by: 1 | -1): void {
    for (const [map, key] of [
      [this.#bySource, source],
      [this.#bySite, siteOf(url) ?? ''],
    ] as const) {
      const next = (map.get(key) ?? 0) + by;
      if (next <= 0) map.delete(key);
      else map.set(key, next);
    }
  }
}

/** The proof that a Broker requires of objects; undefined where it requires none. */
export async function provedObjects(
  {
    folder: { store },
    proofFetch: fetch,
    clock,
  }: { readonly folder: Pick<DataFolder, 'store'>; readonly proofFetch?: Fetch; readonly clock: Clock },
  database: Database,
  keyring: Pick<Keyring, 'keyOf'>,
): Promise<ProvedObjects | undefined> {
  if (fetch === undefined) return undefined;
  return ProvedObjects.open({ database, store, keyring, book: new ProofBook({ fetch, clock, maxSites }) });
}

/** A source's copy under the proof that a Broker requires, if it requires one. */
export const proving = (proved: ProvedObjects | undefined, replica: Replica, source: ServerId): Replica =>
  proved === undefined ? replica : proved.guard(replica, source);
