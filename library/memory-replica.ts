import {
  type Change,
  cellsFor,
  type Entry,
  type Epoch,
  elementId,
  type GroupScheme,
  type Handle,
  handleOf,
  type Marker,
  type Noted,
  OrderedArray,
  type OrderedView,
  type PublishedObject,
  type Replica,
  type ReplicaState,
  SetFingerprint,
  SetSummary,
  type ShortId,
  Sketch,
  shortIdFor,
  signatureOf,
  signatureSum,
} from '../awareness/index.ts';
import { decodeObject, type Oid, type SummaryObject } from '../soif/index.ts';

/** Before anything was learned: no element is named under it. */
const noEpoch = '' as Epoch;

const byHandle = (a: Entry, b: Entry) => (handleOf(a.oid) < handleOf(b.oid) ? -1 : 1);

/**
 * A copy of one source in memory, for programs that need the objects and no disk: some 100,000 objects, since a round
 * sums up all of them. It learns whole objects and every scheme but those in the order of timestamps.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { MemoryReplica } from 'garner/awareness';
 * import { identityFrom, newIdentitySecret } from 'garner/soif';
 * import { collect, connect, MemoryKeyring, systemClock, systemRandom } from 'garner/wire';
 *
 * const identity = identityFrom(newIdentitySecret());
 * const common = { clock: systemClock, random: systemRandom };
 * const session = await connect({ url: 'ws://127.0.0.1:8500', identity, name: 'copy', role: 'client', ...common });
 * const replica = new MemoryReplica();
 * const round = { session, replica, keyring: new MemoryKeyring(), clock: systemClock, name: 'site', deleteGuard: 1 };
 *
 * const first = await collect(round);
 * assert.equal(first.learned, 2);
 * assert.deepEqual([...replica.objects()].map(({ url }) => url).toSorted(), [
 *   'https://harbour.example/fees.html',
 *   'https://harbour.example/moorings.html',
 * ]);
 *
 * // Nothing has changed, so almost nothing travels.
 * const second = await collect(round);
 * assert.ok(second.learned === 0 && second.bytesDown < 200);
 * await session.close();
 */
export class MemoryReplica implements Replica {
  readonly #objects = new Map<Oid, { readonly object: PublishedObject; readonly entry: Entry }>();
  #marker: Marker | undefined;

  /** The number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** The summary objects, in no order. */
  *objects(): Generator<SummaryObject, void, undefined> {
    for (const { object } of this.#objects.values()) yield decodeObject(object.body);
  }

  /** An object with its provenance, or undefined. */
  get(oid: Oid): PublishedObject | undefined {
    return this.#objects.get(oid)?.object;
  }

  async state(): Promise<ReplicaState> {
    const fingerprint = new SetFingerprint();
    for (const { oid, digest } of this.#entries()) fingerprint.add(elementId(this.#epoch, oid, digest));
    return { marker: this.#marker, count: this.size, fingerprint: fingerprint.digest() };
  }

  async *scan(after?: Oid): AsyncGenerator<Entry, void, undefined> {
    for (const entry of this.#entries().sort(byHandle))
      if (after === undefined || handleOf(entry.oid) > handleOf(after)) yield entry;
  }

  async digests(oids: readonly Oid[]): Promise<readonly (Uint8Array | undefined)[]> {
    return oids.map((oid) => this.#objects.get(oid)?.entry.digest);
  }

  async bodies(oids: readonly Oid[]): Promise<readonly (Uint8Array | undefined)[]> {
    return oids.map((oid) => this.#objects.get(oid)?.object.body);
  }

  async find(names: readonly (Handle | ShortId)[]): Promise<readonly (Entry | undefined)[]> {
    const found = new Map<Handle | ShortId, Entry>();
    for (const entry of this.#entries())
      found.set(handleOf(entry.oid), entry).set(this.#shortId(entry), entry);
    return names.map((name) => found.get(name));
  }

  async summary(): Promise<SetSummary> {
    const summary = new SetSummary(new Sketch(cellsFor(this.size)));
    for (const entry of this.#entries()) summary.add(this.#shortId(entry));
    return summary;
  }

  async ordered({ order }: GroupScheme, epoch: Epoch): Promise<OrderedView | undefined> {
    if (order !== 'handle') return undefined;
    const placed = this.#entries().map(({ oid, digest }) => ({
      ...{ position: handleOf(oid), handle: handleOf(oid), signature: signatureOf(digest) },
    }));
    return new OrderedArray(placed, () => signatureSum(epoch));
  }

  /** Throws TypeError for a note: this copy wants whole objects. */
  async apply(changes: readonly (Change | Noted)[], marker: Marker): Promise<void> {
    for (const change of changes) {
      if (change.kind === 'note') throw new TypeError('a MemoryReplica learns whole objects');
      if (change.kind === 'put') this.#put(change.object, change.lsn);
      else if (change.kind === 'delete') this.#objects.delete(change.oid);
      else this.#refresh(change);
    }
    this.#marker = marker;
  }

  get #epoch(): Epoch {
    return this.#marker?.epoch ?? noEpoch;
  }

  #entries(): Entry[] {
    return Array.from(this.#objects.values(), ({ entry }) => entry);
  }

  #shortId({ oid, digest }: Entry): ShortId {
    return shortIdFor(this.#epoch, handleOf(oid), signatureOf(digest));
  }

  #put(object: PublishedObject, lsn: number): void {
    const { oid, digest } = object;
    this.#objects.set(oid, { object, entry: { oid, lsn, contentLsn: lsn, digest } });
  }

  #refresh({ lsn, refresh: { oid, updatedAt, signature } }: Change & { kind: 'refresh' }): void {
    const known = this.#objects.get(oid);
    if (known === undefined) return;
    const { object, entry } = known;
    this.#objects.set(oid, { object: { ...object, updatedAt, signature }, entry: { ...entry, lsn } });
  }
}
