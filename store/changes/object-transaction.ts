import {
  type PathState,
  type PublishedObject,
  type Refresh,
  type SetFingerprint,
  sameBytes,
  type Withdrawal,
} from '../../awareness/index.ts';
import { deltaOf, type Oid } from '../../soif/index.ts';
import type { Database, Write } from '../database/index.ts';
import {
  decodeLogRow,
  decodeMeta,
  decodePath,
  decodeTombstone,
  encodeDelta,
  encodeLogRow,
  encodeMeta,
  encodePartition,
  encodePath,
  encodePathState,
  encodeState,
  encodeTombstone,
  expiresAtMs,
  type KnownPath,
  keys,
  type LifeBounds,
  lifeOf,
  type ObjectMeta,
  PartitionBytes,
  type PartitionState,
  type PartitionStates,
  pathCount,
  type SetChange,
  type StoreState,
  type Tombstone,
  withdrawalsRow,
} from '../rows/index.ts';
import { ownSet } from '../sets/index.ts';
import { SetElements } from './set-elements.ts';

export interface ObjectToStore {
  readonly object: PublishedObject;
  readonly url: string;
  readonly ttlSeconds: number;
}

const empty = new Uint8Array();
/** The rows of one step of changes. It sees its own changes, and writes nothing itself. */
export class ObjectTransaction {
  readonly #database: Database;
  readonly #states: PartitionStates;
  readonly #bounds: LifeBounds;
  /** What this step adds to the bytes of the sources. */
  readonly bytes = new PartitionBytes();
  readonly #writes: Write[] = [];
  readonly #metas = new Map<Oid, ObjectMeta | undefined>();
  readonly #tombstones = new Map<Oid, Tombstone | undefined>();
  /** The URLs of objects that this step has deleted: their rows cannot be read yet. */
  readonly #buried = new Map<Oid, string>();
  readonly #members = new Map<string, Uint8Array | undefined>();
  readonly #partitions = new Map<number, PartitionState>();
  readonly #paths = new Map<string, KnownPath | undefined>();
  readonly #pathStates = new Map<number, PathState>();
  readonly #fingerprint: SetFingerprint;
  readonly #elements = new SetElements();
  /** Objects whose content this step has written. */
  readonly #bodies = new Set<Oid>();
  readonly #before: StoreState;
  #lsn: number;
  #bodyBytes: number;
  #withdrawals: number;

  constructor(database: Database, states: PartitionStates, state: StoreState, bounds: LifeBounds) {
    this.#database = database;
    this.#states = states;
    this.#before = state;
    this.#bounds = bounds;
    this.#lsn = state.lsn;
    this.#bodyBytes = state.bodyBytes;
    this.#withdrawals = state.withdrawals;
    this.#fingerprint = state.fingerprint.copy();
  }

  /** Whether the step changed anything that a client should learn. */
  get changed(): boolean {
    return this.#lsn !== this.#before.lsn;
  }

  /** Read the rows of these objects together, so that the following calls need not wait for each. */
  async prepare(oids: readonly Oid[], partition?: number): Promise<void> {
    const unknown = [...new Set(oids)].filter((oid) => !this.#metas.has(oid));
    const [metas, tombstones] = await Promise.all([
      this.#database.getMany(unknown.map(keys.meta)),
      this.#database.getMany(unknown.map(keys.tombstoneOf)),
    ]);
    unknown.forEach((oid, i) => {
      const [meta, tombstone] = [metas[i], tombstones[i]];
      this.#metas.set(oid, meta === undefined ? undefined : decodeMeta(meta));
      this.#tombstones.set(oid, tombstone && decodeTombstone(tombstone));
    });
    if (partition === undefined) return;
    const rows = await this.#database.getMany(unknown.map((oid) => keys.member(partition, oid)));
    unknown.forEach((oid, i) => {
      this.#members.set(`${partition} ${oid}`, rows[i]);
    });
  }

  async meta(oid: Oid): Promise<ObjectMeta | undefined> {
    if (!this.#metas.has(oid)) await this.prepare([oid]);
    return this.#metas.get(oid);
  }

  /** Versions up to this Update-Time were withdrawn by the publisher; 0 for none. */
  async withdrawnAt(oid: Oid): Promise<number> {
    const held = await this.meta(oid);
    return (held ?? this.#tombstones.get(oid))?.withdrawnAt ?? 0;
  }

  /** Store an object; with equal content only its times move. Resolves to whether content changed. */
  async put({ object, url, ttlSeconds }: ObjectToStore, partitions?: readonly number[]): Promise<boolean> {
    const { oid, digest, updatedAt, publisher, signature } = object;
    const old = await this.meta(oid);
    const contentChanged = old === undefined || !sameBytes(old.digest, digest);
    const withdrawnAt = await this.withdrawnAt(oid);
    const lsn = ++this.#lsn;
    this.#unlog(oid, old);
    if (contentChanged) {
      if (old !== undefined) {
        this.#elements.takeOut(ownSet, this.#before.epoch, this.#fingerprint, oid, old.digest);
        this.#bodyBytes -= old.bodyBytes;
      }
      this.#elements.putIn(ownSet, this.#before.epoch, this.#fingerprint, oid, digest);
      if (old !== undefined) await this.#noteDelta(oid, old, object.body);
      this.#put(keys.body(oid), object.body);
      this.#bodies.add(oid);
      this.#bodyBytes += object.body.length;
    }
    const meta: ObjectMeta = {
      lsn,
      contentLsn: contentChanged ? lsn : old.contentLsn,
      updatedAt,
      ...lifeOf(updatedAt, ttlSeconds, this.#bounds),
      digest,
      publisher,
      signature,
      bodyBytes: contentChanged ? object.body.length : old.bodyBytes,
      partitions: partitions ?? old?.partitions ?? [],
      url,
      withdrawnAt,
    };
    this.#write(oid, meta, contentChanged ? 'put' : 'refresh');
    return contentChanged;
  }

  /** Restart an object's time-to-live. Resolves to false when the object is absent. */
  async refresh({ oid, updatedAt, signature }: Omit<Refresh, 'publisher'>): Promise<boolean> {
    const old = await this.meta(oid);
    if (old === undefined) return false;
    const lsn = ++this.#lsn;
    this.#unlog(oid, old);
    const life = lifeOf(updatedAt, old.ttlSeconds, this.#bounds);
    this.#write(oid, { ...old, ...life, lsn, updatedAt, signature }, 'refresh');
    return true;
  }

  /** Delete an object and leave a tombstone, signed or not. Resolves to false when the object is absent. */
  async delete(oid: Oid, withdrawal?: Withdrawal): Promise<boolean> {
    const old = await this.meta(oid);
    if (old === undefined) return false;
    const lsn = ++this.#lsn;
    this.#unlog(oid, old);
    this.#bodyBytes -= old.bodyBytes;
    this.#elements.takeOut(ownSet, this.#before.epoch, this.#fingerprint, oid, old.digest);
    const withdrawnAt = withdrawal?.updatedAt ?? old.withdrawnAt;
    this.#bury(oid, old.url, { lsn, withdrawnAt, withdrawal });
    return true;
  }

  /**
   * Delete an object that its publisher has withdrawn. Where it was deleted before, its tombstone becomes that
   * withdrawal, so that clients learn of it. A later version stays. Resolves to whether an object was deleted.
   */
  async withdraw(oid: Oid, withdrawal: Withdrawal): Promise<boolean> {
    const { updatedAt } = withdrawal;
    const old = await this.meta(oid);
    if (old !== undefined && old.updatedAt <= updatedAt) return this.delete(oid, withdrawal);
    if (old !== undefined) {
      if (old.withdrawnAt >= updatedAt) return false;
      this.#amend(oid, { ...old, withdrawnAt: updatedAt });
      return false;
    }
    const grave = this.#tombstones.get(oid);
    if (grave === undefined || grave.withdrawnAt >= updatedAt) return false;
    const url = this.#buried.get(oid) ?? (await this.#buriedUrl(grave));
    if (url === undefined) return false;
    this.#unlog(oid, undefined);
    this.#bury(oid, url, { lsn: ++this.#lsn, withdrawnAt: updatedAt, withdrawal });
    return false;
  }

  async #buriedUrl({ lsn }: Tombstone): Promise<string | undefined> {
    const row = await this.#database.get(keys.log(lsn));
    const logged = row && decodeLogRow(row);
    return logged?.kind === 'delete' ? logged.url : undefined;
  }

  /** Delete an object whose row cannot be read, leaving a tombstone. The store's check mends the totals. */
  deleteUnreadable(oid: Oid, url: string): void {
    this.#bury(oid, url, { lsn: ++this.#lsn, withdrawnAt: 0 });
  }

  #bury(oid: Oid, url: string, tombstone: Tombstone): void {
    const { lsn } = tombstone;
    this.#delete(keys.meta(oid));
    this.#delete(keys.body(oid));
    this.#delete(keys.delta(oid));
    this.#put(keys.log(lsn), encodeLogRow({ kind: 'delete', oid, atMs: this.#bounds.nowMs, url }));
    this.#put(keys.tombstone(lsn), empty);
    this.#put(keys.tombstoneOf(oid), encodeTombstone(tombstone));
    this.bytes.replace(this.#metas.get(oid), undefined);
    this.#metas.set(oid, undefined);
    this.#tombstones.set(oid, tombstone);
    this.#buried.set(oid, url);
    if (tombstone.withdrawal !== undefined) this.#withdrawals++;
  }

  /** Digest under which a partition holds an object, or undefined. */
  async member(partition: number, oid: Oid): Promise<Uint8Array | undefined> {
    const id = `${partition} ${oid}`;
    if (!this.#members.has(id)) this.#members.set(id, await this.#database.get(keys.member(partition, oid)));
    return this.#members.get(id);
  }

  /** Record that a partition holds an object with this digest, or (undefined) no longer holds it. */
  async setMember(partition: number, oid: Oid, digest: Uint8Array | undefined): Promise<void> {
    const old = await this.member(partition, oid);
    const { marker, fingerprint } = await this.partition(partition);
    if (marker !== undefined) {
      if (old !== undefined) this.#elements.takeOut(partition, marker.epoch, fingerprint, oid, old);
      if (digest !== undefined) this.#elements.putIn(partition, marker.epoch, fingerprint, oid, digest);
    }
    if (digest === undefined) this.#delete(keys.member(partition, oid));
    else this.#put(keys.member(partition, oid), digest);
    this.#members.set(`${partition} ${oid}`, digest);
  }

  /**
   * Set the partitions that hold an object, the one it counts for first. When the first one changes, the log
   * records a change: an index files the object under it.
   */
  async setPartitions(oid: Oid, partitions: readonly number[]): Promise<void> {
    const old = await this.meta(oid);
    if (old === undefined) return;
    const moved = (old.partitions[0] ?? ownSet) !== (partitions[0] ?? ownSet);
    if (!moved) return this.#amend(oid, { ...old, partitions });
    const lsn = ++this.#lsn;
    this.#unlog(oid, old);
    this.#write(oid, { ...old, lsn, contentLsn: lsn, partitions }, 'put');
  }

  /** The path by which an object came into a partition; undefined for the usual one. */
  async path(partition: number, oid: Oid): Promise<KnownPath | undefined> {
    if (this.pathState(partition) === undefined) return undefined;
    const id = `${partition} ${oid}`;
    if (!this.#paths.has(id)) {
      const row = await this.#database.get(keys.path(partition, oid));
      this.#paths.set(id, row === undefined ? undefined : decodePath(row));
    }
    return this.#paths.get(id);
  }

  /** Record the path by which an object came into a partition, or (undefined) that it is the usual one. */
  async setPath(partition: number, oid: Oid, path: KnownPath | undefined): Promise<void> {
    const old = await this.path(partition, oid);
    if (old === undefined && path === undefined) return;
    this.#pathStates.set(partition, pathCount(this.pathState(partition), old, path));
    if (path === undefined) this.#delete(keys.path(partition, oid));
    else this.#put(keys.path(partition, oid), encodePath(path));
    this.#paths.set(`${partition} ${oid}`, path);
  }

  pathState(partition: number): PathState | undefined {
    return this.#pathStates.get(partition) ?? this.#states.paths(partition);
  }

  setPathState(partition: number, state: PathState): void {
    this.#pathStates.set(partition, state);
  }

  /** Record in the log a change that is not part of the object, such as one of its path. */
  async touch(oid: Oid): Promise<void> {
    const old = await this.meta(oid);
    if (old === undefined) return;
    const lsn = ++this.#lsn;
    this.#unlog(oid, old);
    this.#write(oid, { ...old, lsn }, 'refresh');
  }

  async partition(partition: number): Promise<PartitionState> {
    const changed = this.#partitions.get(partition);
    if (changed !== undefined) return changed;
    const state = await this.#states.get(partition);
    this.#partitions.set(partition, state);
    return state;
  }

  setPartition(partition: number, state: PartitionState): void {
    this.#partitions.set(partition, state);
  }

  /** The elements of the partition get other names: its sketch is useless from now on. */
  renameElements(partition: number): void {
    this.#elements.rename(partition);
  }

  count(set: number): number {
    return set === ownSet ? this.#fingerprint.count : (this.#partitions.get(set)?.fingerprint.count ?? 0);
  }

  get partitions(): ReadonlyMap<number, PartitionState> {
    return this.#partitions;
  }

  get pathStates(): ReadonlyMap<number, PathState> {
    return this.#pathStates;
  }

  /** Sets whose sketch must be dropped with this step. */
  get renamed(): ReadonlySet<number> {
    return this.#elements.renamed;
  }

  /** The elements added to and removed from the sets whose sketches stay. */
  get elements(): ReadonlyMap<number, SetChange> {
    return this.#elements.changes;
  }

  /** All writes, the store's and the partitions' own rows included, and the resulting state. */
  finish(): { readonly writes: readonly Write[]; readonly state: StoreState } {
    const state: StoreState = {
      ...this.#before,
      lsn: this.#lsn,
      bodyBytes: this.#bodyBytes,
      fingerprint: this.#fingerprint,
      withdrawals: this.#withdrawals,
    };
    if (state.withdrawals !== this.#before.withdrawals) this.#writes.push(withdrawalsRow(state));
    for (const [partition, row] of this.#partitions)
      this.#put(keys.partition(partition), encodePartition(row));
    for (const [partition, paths] of this.#pathStates)
      this.#put(keys.pathState(partition), encodePathState(paths));
    this.#put(keys.state(), encodeState(state));
    return { writes: this.#writes, state };
  }

  /** Store the difference from the last content, where it is short: clients are seldom further behind. */
  async #noteDelta(oid: Oid, old: ObjectMeta, body: Uint8Array): Promise<void> {
    const last = this.#bodies.has(oid) ? undefined : await this.#database.get(keys.body(oid));
    const delta = last && deltaOf(last, body);
    if (delta === undefined) this.#delete(keys.delta(oid));
    else this.#put(keys.delta(oid), encodeDelta(old, delta));
  }

  #put(key: Uint8Array, value: Uint8Array): void {
    this.#writes.push({ type: 'put', key, value });
  }

  #delete(key: Uint8Array): void {
    this.#writes.push({ type: 'del', key });
  }

  /** Remove an object's earlier log row, expiry and tombstone: the log holds each object once. */
  #unlog(oid: Oid, old: ObjectMeta | undefined): void {
    if (old !== undefined) {
      this.#delete(keys.log(old.lsn));
      this.#delete(keys.expiry(expiresAtMs(old), oid));
    }
    const tombstone = this.#tombstones.get(oid);
    if (tombstone === undefined) return;
    this.#delete(keys.log(tombstone.lsn));
    this.#delete(keys.tombstone(tombstone.lsn));
    this.#delete(keys.tombstoneOf(oid));
    if (tombstone.withdrawal !== undefined) this.#withdrawals--;
    this.#tombstones.set(oid, undefined);
  }

  #write(oid: Oid, meta: ObjectMeta, kind: 'put' | 'refresh'): void {
    this.#amend(oid, meta);
    this.#put(keys.log(meta.lsn), encodeLogRow({ kind, oid, atMs: this.#bounds.nowMs }));
    this.#put(keys.expiry(expiresAtMs(meta), oid), empty);
  }

  #amend(oid: Oid, meta: ObjectMeta): void {
    this.bytes.replace(this.#metas.get(oid), meta);
    this.#metas.set(oid, meta);
    this.#put(keys.meta(oid), encodeMeta(meta));
  }
}
