import { type Change, handleOf, type Noted, type Replica, withApply } from '../../awareness/index.ts';
import type { Keyring } from '../../exchange/index.ts';
import type { Fetch } from '../../fetch/index.ts';
import { type Clock, failure, type GarnerError, TaskQueue } from '../../kernel/index.ts';
import { ProofBook, siteOf } from '../../publication/index.ts';
import { decodeObject, type Oid, type ServerId } from '../../soif/index.ts';
import {
  type Database,
  type DataFolder,
  isOwn,
  type ObjectStore,
  type Write,
  within,
} from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import { objectsUnproved } from '../events.ts';
import { SiteProofs, type SiteProofsOptions, sitesKept, sitesOfBatch } from './site-proofs.ts';

export interface ProvedObjectsOptions extends SiteProofsOptions {
  readonly database: Database;
  readonly store: Pick<ObjectStore, 'apply' | 'describe' | 'isOffered' | 'unlearn'>;
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

const sweepSize = 256;

const keyOf = (oid: Oid) => Buffer.from(oid);
const parse = (value: Uint8Array) => JSON.parse(Buffer.from(value).toString()) as Row;

/**
 * Takes an object only when the site of its URL names the Gatherer that signed it. A source's copy still lists the
 * others, so that both sides agree; they are requested again once their site names the Gatherer. What the store holds
 * was proved once: a silent site removes nothing, an answer without the Gatherer does.
 */
export class ProvedObjects {
  readonly #rows: Database;
  readonly #options: ProvedObjectsOptions;
  readonly #sites: SiteProofs;
  /** The number of objects kept out, by source. */
  readonly #bySource = new Map<string, number>();
  readonly #turns = new TaskQueue();

  private constructor(options: ProvedObjectsOptions) {
    this.#options = options;
    this.#sites = new SiteProofs(options);
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
        const { passed, refused, freed, left } = await this.#sifted(changes, claims);
        await this.#offerAgain(freed);
        await this.#write(refused, freed);
        await replica.apply(passed, marker);
        await this.#remove([...refused.keys()]);
        await this.#write(new Map(), await this.#unoffered(left));
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
    const due = this.#sites.due();
    if (due.length === 0) return;
    await this.#sites.look(due, { signal });
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
        if (!(await store.isOffered(oid)) || (await this.#sites.stateOf(row)) === 'proved') free.push(oid);
      if (free.length === 0) return;
      // In this order a crash in between leaves rows that are swept again.
      await store.unlearn(free);
      await this.#write(new Map(), free);
    });
  }

  /** Request the documents of the sites of these objects, where that is due. */
  async #ask(claims: Iterable<Claim>): Promise<void> {
    const { book, store, clock } = this.#options;
    const since = clock.now();
    this.#sites.readKeysAgain();
    const [due, again] = [new Set<string>(), new Set<string>()];
    for (const { oid, row } of claims) {
      const site = siteOf(row.url);
      if (site === undefined || again.has(site)) continue;
      if (this.#sites.isAsking(site)) due.add(site);
      if (!book.isDue(site, since)) continue;
      // An answer of before a new key or a new document removes nothing.
      if ((await this.#sites.stateOf(row)) === 'unproved' && (await store.describe(oid)) !== undefined)
        again.add(site);
      else if (due.size < sitesOfBatch && book.isDue(site)) due.add(site);
    }
    await this.#sites.look([...again], { since });
    await this.#sites.look([...due]);
  }

  /** Whether an object is taken: a new one by its site's word alone. */
  async #isTaken({ oid, row }: Claim): Promise<boolean> {
    if ((await this.#sites.stateOf(row)) === 'proved') return true;
    const held = await this.#options.store.describe(oid);
    if (held === undefined) return false;
    // The operator lists the addresses of those that publish here.
    return isOwn(held.partitions) || !(await this.#sites.isDenied(row));
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
    const [freed, left] = [new Set<Oid>(), new Set<Oid>()];
    const passed: (Change | Noted)[] = [];
    for (const change of changes) {
      const claim = claims.get(change);
      if (claim === undefined) {
        passed.push(change);
        if (change.kind !== 'delete') continue;
        refused.delete(change.oid);
        left.add(change.oid);
        continue;
      }
      const { oid, digest, row } = claim;
      left.delete(oid);
      if (await this.#isTaken(claim)) {
        passed.push(change);
        refused.delete(oid);
        freed.add(oid);
      } else {
        freed.delete(oid);
        refused.set(oid, row);
        passed.push({ kind: 'note', lsn: change.lsn, oid, handle: handleOf(oid), signature: digest });
      }
    }
    return { passed, refused, freed, left };
  }

  /** Objects that were kept out and are taken now: copies of other sources list them too, without their content. */
  async #offerAgain(taken: ReadonlySet<Oid>): Promise<void> {
    if (taken.size === 0 || this.#bySource.size === 0) return;
    const { store } = this.#options;
    const oids = [...taken];
    const rows = await this.#rows.getMany(oids.map(keyOf));
    const absent: Oid[] = [];
    for (const [at, oid] of oids.entries())
      if (rows[at] !== undefined && (await store.describe(oid)) === undefined) absent.push(oid);
    if (absent.length > 0) await store.unlearn(absent);
  }

  /** Those of these objects that no source lists any more: another one may still list what this one has left out. */
  async #unoffered(oids: Iterable<Oid>): Promise<readonly Oid[]> {
    const gone: Oid[] = [];
    if (this.#bySource.size === 0) return gone;
    for (const oid of oids) if (!(await this.#options.store.isOffered(oid))) gone.push(oid);
    return gone;
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
    // In this order a site that remains is not taken for a new one.
    for (const row of refused.values()) this.#count(row, 1);
    for (const value of before) if (value !== undefined) this.#count(parse(value), -1);
  }

  /** An object that was taken before goes at its next change or renewal. */
  async #remove(oids: readonly Oid[]): Promise<void> {
    const { store } = this.#options;
    const held: Oid[] = [];
    for (const oid of oids) if ((await store.describe(oid)) !== undefined) held.push(oid);
    if (held.length > 0) await store.apply(held.map((oid) => ({ kind: 'delete', oid })));
  }

  #count({ url, source }: Row, by: 1 | -1): void {
    const objects = (this.#bySource.get(source) ?? 0) + by;
    if (objects <= 0) this.#bySource.delete(source);
    else this.#bySource.set(source, objects);
    const site = siteOf(url);
    // An address without a site is never proved.
    if (site !== undefined) this.#sites.count(site, by);
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
  const book = new ProofBook({ fetch, clock, maxSites: sitesKept });
  return ProvedObjects.open({ database, store, keyring, book, clock });
}

/** A source's copy under the proof that a Broker requires, if it requires one. */
export const proving = (proved: ProvedObjects | undefined, replica: Replica, source: ServerId): Replica =>
  proved === undefined ? replica : proved.guard(replica, source);
