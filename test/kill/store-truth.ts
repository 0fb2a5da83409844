import type { Change, Marker } from '../../awareness/index.ts';
import { attributeNumber, decodeObject, type Oid } from '../../soif/index.ts';
import type { ObjectToStore, StoreOperation } from '../../store/index.ts';
import type { Step } from './store-history.ts';

/** One object as plain data; byte strings in hex. */
export interface TrueObject {
  readonly url: string;
  readonly digest: string;
  readonly lsn: number;
  readonly contentLsn: number;
  readonly updatedAt: number;
  readonly expiresAtMs: number;
  readonly bodyBytes: number;
  readonly signature: string;
  readonly partitions: readonly number[];
}

export interface TrueTombstone {
  readonly lsn: number;
  readonly deletedAtMs: number;
  readonly url: string;
}

export interface TruePartition {
  readonly number: number;
  marker: Marker | undefined;
  readonly members: Map<Oid, string>;
}

/** The contents of a store as plain data, to compare the truth with the result of an audit. */
export interface StoreContents {
  lsn: number;
  horizon: number;
  readonly objects: Map<Oid, TrueObject>;
  readonly tombstones: Map<Oid, TrueTombstone>;
  readonly partitions: Map<string, TruePartition>;
}

/** Number of deletions in one batch of a store. */
const batchOfDeletions = 512;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const byBytes = (a: string, b: string) =>
  Buffer.compare(Buffer.from(a, 'base64url'), Buffer.from(b, 'base64url'));

/**
 * The expected contents of a store: plain maps that know nothing of rows. `run` stops wherever a kill may leave the
 * store.
 */
export class Truth implements StoreContents {
  lsn = 0;
  horizon = 0;
  readonly objects = new Map<Oid, TrueObject>();
  readonly tombstones = new Map<Oid, TrueTombstone>();
  readonly partitions = new Map<string, TruePartition>();
  #nowMs = 0;

  /** Do a step; yields after each atomic part of it, with whether it was the last. */
  *run({ nowMs, work }: Step): Generator<boolean> {
    this.#nowMs = nowMs;
    switch (work.kind) {
      case 'apply':
        for (const operation of work.operations) this.#operate(operation);
        yield true;
        return;
      case 'learn': {
        if (!this.partitions.has(work.source)) {
          const number = 1 + Math.max(0, ...[...this.partitions.values()].map((other) => other.number));
          this.partitions.set(work.source, { number, marker: undefined, members: new Map() });
          yield false;
        }
        const partition = this.partitions.get(work.source) as TruePartition;
        partition.marker = work.marker;
        for (const change of work.changes) this.#learn(partition, change);
        yield true;
        return;
      }
      case 'expire':
        return yield* this.#expire(nowMs - work.graceSeconds * 1000);
      case 'forget':
        return yield* this.#forget(nowMs - work.ageSeconds * 1000);
      case 'drop':
        return yield* this.#drop(work.source);
      case 'flush':
        return;
    }
  }

  #operate(operation: StoreOperation): void {
    if (operation.kind === 'put') this.#put(operation, undefined);
    else if (operation.kind === 'delete') this.#delete(operation.oid);
    else this.#refresh(operation);
  }

  #put({ object, url, ttlSeconds }: ObjectToStore, partitions: readonly number[] | undefined): void {
    const old = this.objects.get(object.oid);
    const digest = hex(object.digest);
    const same = old?.digest === digest;
    const lsn = ++this.lsn;
    this.tombstones.delete(object.oid);
    this.objects.set(object.oid, {
      url,
      digest,
      lsn,
      contentLsn: same ? old.contentLsn : lsn,
      updatedAt: object.updatedAt,
      expiresAtMs: (object.updatedAt + ttlSeconds) * 1000,
      bodyBytes: same ? old.bodyBytes : object.body.length,
      signature: hex(object.signature),
      partitions: partitions ?? old?.partitions ?? [],
    });
  }

  #refresh({ oid, updatedAt, signature }: { oid: Oid; updatedAt: number; signature: Uint8Array }): void {
    const old = this.objects.get(oid);
    if (old === undefined) return;
    const expiresAtMs = old.expiresAtMs + (updatedAt - old.updatedAt) * 1000;
    const lsn = ++this.lsn;
    this.objects.set(oid, { ...old, lsn, updatedAt, expiresAtMs, signature: hex(signature) });
  }

  #delete(oid: Oid): void {
    const old = this.objects.get(oid);
    if (old === undefined) return;
    this.objects.delete(oid);
    this.tombstones.set(oid, { lsn: ++this.lsn, deletedAtMs: this.#nowMs, url: old.url });
  }

  #learn(partition: TruePartition, change: Change): void {
    if (change.kind === 'put') {
      const { object } = change;
      const { oid } = object;
      const old = this.objects.get(oid);
      const others = old?.partitions ?? [];
      const known = others.includes(partition.number);
      const partitions = known ? others : [...others, partition.number];
      if (old === undefined || partitions.length === 1 || object.updatedAt >= old.updatedAt) {
        const summary = decodeObject(object.body);
        const ttlSeconds = attributeNumber(summary, 'Time-to-Live') as number;
        this.#put({ object, url: summary.url, ttlSeconds }, partitions);
      } else this.objects.set(oid, { ...old, partitions });
      partition.members.set(oid, hex(object.digest));
    } else if (change.kind === 'refresh') {
      const { refresh } = change;
      const old = this.objects.get(refresh.oid);
      const digest = partition.members.get(refresh.oid);
      if (old === undefined || digest === undefined || refresh.updatedAt <= old.updatedAt) return;
      if (digest === old.digest) this.#refresh(refresh);
      else this.#leave(partition, refresh.oid);
    } else this.#leave(partition, change.oid);
  }

  #leave(partition: TruePartition, oid: Oid): void {
    const old = this.objects.get(oid);
    if (old === undefined || !partition.members.delete(oid)) return;
    const partitions = old.partitions.filter((other) => other !== partition.number);
    const holders = [...this.partitions.values()].filter(({ number }) => partitions.includes(number));
    if (holders.some(({ members }) => members.get(oid) === old.digest)) {
      // An object counts for its first partition: when that changes, the object has changed.
      const lsn = partitions[0] === old.partitions[0] ? undefined : ++this.lsn;
      this.objects.set(oid, { ...old, partitions, ...(lsn !== undefined && { lsn, contentLsn: lsn }) });
      return;
    }
    for (const { members } of holders) members.delete(oid);
    this.#delete(oid);
  }

  *#expire(untilMs: number): Generator<boolean> {
    for (;;) {
      const due = [...this.objects]
        .filter(([, { expiresAtMs }]) => expiresAtMs <= untilMs)
        .sort(([a, x], [b, y]) => x.expiresAtMs - y.expiresAtMs || byBytes(a, b))
        .slice(0, batchOfDeletions);
      for (const [oid] of due) {
        for (const { members } of this.partitions.values()) members.delete(oid);
        this.#delete(oid);
      }
      const last = due.length < batchOfDeletions;
      yield last;
      if (last) return;
    }
  }

  *#forget(untilMs: number): Generator<boolean> {
    const byAge = [...this.tombstones].sort(([, x], [, y]) => x.lsn - y.lsn);
    const young = byAge.findIndex(([, { deletedAtMs }]) => deletedAtMs > untilMs);
    const old = young < 0 ? byAge : byAge.slice(0, young);
    for (;;) {
      const due = old.splice(0, batchOfDeletions);
      for (const [oid, { lsn }] of due) {
        this.tombstones.delete(oid);
        this.horizon = lsn;
      }
      const last = due.length < batchOfDeletions;
      yield last;
      if (last) return;
    }
  }

  *#drop(source: string): Generator<boolean> {
    const partition = this.partitions.get(source);
    if (partition === undefined) return;
    while (partition.members.size > 0) {
      const oids = [...partition.members.keys()].sort(byBytes).slice(0, batchOfDeletions);
      for (const oid of oids) this.#leave(partition, oid);
      yield false;
    }
    this.partitions.delete(source);
    yield true;
  }
}

/** Contents in one fixed order and form, for comparison. */
export function plainContents({ lsn, horizon, objects, tombstones, partitions }: StoreContents): unknown {
  const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => byBytes(a, b));
  return {
    lsn,
    horizon,
    objects: sorted(objects).map(([oid, object]) => ({ oid, ...object })),
    tombstones: sorted(tombstones).map(([oid, tombstone]) => ({ oid, ...tombstone })),
    partitions: [...partitions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { number, marker, members }]) => ({
        name,
        number,
        marker: marker === undefined ? null : { epoch: marker.epoch, lsn: marker.lsn },
        members: sorted(members),
      })),
  };
}
