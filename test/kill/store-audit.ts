import assert from 'node:assert/strict';
import {
  bytesOfHandle,
  type Entry,
  type Epoch,
  elementId,
  handleOf,
  SetFingerprint,
  type SetSummary,
  summarise,
} from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { decodeObject, digestOf, type Oid, oidFromBytes } from '../../soif/index.ts';
import { type Database, ObjectStore, openDatabase } from '../../store/index.ts';
import type { StoreContents, TrueObject, TruePartition, TrueTombstone } from './store-truth.ts';

// Rows as docs/storage.md describes them: one letter for the kind, then numbers of 8 bytes and OIDs of 32.
const kindOf = { meta: 'o', body: 'b', log: 'l', tombstone: 'd', tombstoneOf: 't', expiry: 'x', member: 'p' };
const otherKinds = ['q', 'n', 'm', 's', 'k', 'j', 'e', 'r', 'y', 'i'];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const numberAt = (key: Uint8Array, at: number) =>
  Number(new DataView(key.buffer, key.byteOffset).getBigUint64(at));
const oidAtEnd = (key: Uint8Array): Oid => oidFromBytes(key.subarray(key.length - 32));

/** Keys of every row by the letter of its kind. */
async function keysByKind(database: Database): Promise<Map<string, Uint8Array[]>> {
  const known = [...Object.values(kindOf), ...otherKinds];
  const found = new Map<string, Uint8Array[]>(known.map((kind) => [kind, []]));
  for await (const key of database.keys()) {
    const rows = found.get(String.fromCharCode(key[0] as number));
    assert.ok(rows, `a row of no known kind: ${hex(key)}`);
    rows.push(Uint8Array.from(key));
  }
  return found;
}

function fingerprint(epoch: Parameters<typeof elementId>[0], elements: Iterable<readonly [Oid, string]>) {
  const set = new SetFingerprint();
  for (const [oid, digest] of elements) set.add(elementId(epoch, oid, Buffer.from(digest, 'hex')));
  return hex(set.digest());
}

/** A sketch that was updated with each change, or replayed after a kill, is the sketch of the present elements. */
async function auditSketch(
  what: string,
  kept: SetSummary | undefined,
  epoch: Epoch,
  elements: Iterable<readonly [Oid, string]>,
): Promise<void> {
  assert.ok(kept, `${what} has a sketch`);
  const rebuilt = await summarise(
    (async function* () {
      yield [...elements].map(([oid, digest]) => ({
        handle: bytesOfHandle(handleOf(oid)),
        element: elementId(epoch, oid, Buffer.from(digest, 'hex')),
      }));
    })(),
    kept.sketch.length,
  );
  assert.equal(
    hex(kept.sketch.encode()),
    hex(rebuilt.summary.sketch.encode()),
    `the sketch of ${what} rebuilt`,
  );
  assert.equal(hex(kept.sums.dump()), hex(rebuilt.summary.sums.dump()), `the sums of ${what} rebuilt`);
}

/**
 * Read a closed store, recompute all its derived data from its rows, and return its contents. Throws an
 * AssertionError where two rows disagree.
 */
export async function auditStore(path: string): Promise<StoreContents> {
  const database = await openDatabase(path);
  const rows = await keysByKind(database);
  const keys = (kind: keyof typeof kindOf) => rows.get(kindOf[kind]) as Uint8Array[];
  await using store = await ObjectStore.open(database, {
    clock: new ManualClock(),
    random: seededRandom(1),
  });
  await using snapshot = await store.snapshot({ sketch: true });
  const { state } = snapshot;

  const objects = new Map<Oid, TrueObject>();
  const entries: Entry[] = [];
  let bodyBytes = 0;
  for await (const entry of snapshot.scan()) entries.push(entry);
  const details = await Promise.all(
    entries.map(({ oid }) => Promise.all([snapshot.get(oid), store.describe(oid)])),
  );
  for (const [i, { oid, lsn, contentLsn, digest }] of entries.entries()) {
    const [stored, known] = details[i] ?? [];
    assert.ok(stored && known, `object ${oid} is whole`);
    assert.equal(hex(digestOf(decodeObject(stored.body))), hex(digest), `the body of ${oid} has its digest`);
    const { url, updatedAt, expiresAtMs, partitions } = known;
    const { length } = stored.body;
    bodyBytes += length;
    const signature = hex(stored.signature);
    const times = { lsn, contentLsn, updatedAt, expiresAtMs };
    objects.set(oid, { url, digest: hex(digest), ...times, bodyBytes: length, signature, partitions });
  }
  assert.equal(store.bodyBytes, bodyBytes, 'bytes of all bodies');
  assert.equal(state.count, objects.size, 'the count of objects');
  assert.equal(
    hex(state.fingerprint),
    fingerprint(
      state.epoch,
      [...objects].map(([oid, { digest }]) => [oid, digest]),
    ),
    'the fingerprint recomputed from a scan',
  );
  const ownElements = [...objects].map(([oid, { digest }]) => [oid, digest] as const);
  await auditSketch('the own set', await snapshot.summary(), state.epoch, ownElements);
  const oids = [...objects.keys()];
  assert.deepEqual(keys('body').map(oidAtEnd), oids, 'one body for each object');
  assert.deepEqual(
    keys('expiry')
      .map((key) => `${oidAtEnd(key)} ${numberAt(key, 1)}`)
      .sort(),
    oids.map((oid) => `${oid} ${objects.get(oid)?.expiresAtMs}`).sort(),
    'one expiry for each object, at its time',
  );

  const tombstones = new Map<Oid, TrueTombstone>();
  const logged: number[] = [];
  for await (const changes of snapshot.log(0)) {
    for (const { lsn, row } of changes) {
      logged.push(lsn);
      assert.ok(lsn <= state.lsn, `log row ${lsn} is not ahead of the store's ${state.lsn}`);
      if (row.kind === 'delete') {
        const { atMs: deletedAtMs, url } = row;
        assert.ok(!tombstones.has(row.oid) && !objects.has(row.oid), `${row.oid} is deleted once and absent`);
        tombstones.set(row.oid, { lsn, deletedAtMs, url });
      } else assert.equal(objects.get(row.oid)?.lsn, lsn, `log row ${lsn} is the last change of its object`);
    }
  }
  assert.equal(logged.length, objects.size + tombstones.size, 'the log has each object and tombstone once');
  assert.deepEqual(
    keys('log').map((key) => numberAt(key, 1)),
    logged,
    'log rows',
  );
  const graves = [...tombstones].map(([, { lsn }]) => lsn).sort((a, b) => a - b);
  assert.deepEqual(
    keys('tombstone').map((key) => numberAt(key, 1)),
    graves,
    'tombstones by LSN',
  );
  let withdrawals = 0;
  for (const key of keys('tombstoneOf')) {
    const value = await database.get(key);
    // An LSN, a time, a publisher and a signature.
    if (value?.length === 8 + 6 + 16 + 64) withdrawals++;
    const at = tombstones.get(oidAtEnd(key))?.lsn;
    assert.equal(value && numberAt(value, 0), at, 'a tombstone by OID');
  }
  assert.equal(keys('tombstoneOf').length, tombstones.size, 'tombstones by OID');
  assert.equal(store.withdrawals, withdrawals, 'tombstones with a signature');
  await auditChanges(snapshot, objects, tombstones);

  const partitions = new Map<string, TruePartition>();
  for (const [name, number] of store.partitions) {
    const replica = await store.replica(name);
    const { marker, count, fingerprint: kept } = await replica.state();
    const members = new Map<Oid, string>();
    for await (const { oid, digest } of replica.scan()) {
      members.set(oid, hex(digest));
      assert.ok(
        objects.get(oid)?.partitions.includes(number),
        `member ${oid} of ${name} names its partition`,
      );
    }
    assert.equal(count, members.size, `the count of ${name}`);
    if (marker === undefined) assert.equal(members.size, 0, `${name} has members only under a marker`);
    else {
      assert.equal(hex(kept), fingerprint(marker.epoch, members), `the fingerprint of ${name} recomputed`);
      await auditSketch(name, await replica.summary(), marker.epoch, members);
    }
    partitions.set(name, { number, marker, members });
  }
  const memberships = [...partitions.values()].reduce((sum, { members }) => sum + members.size, 0);
  assert.equal(keys('member').length, memberships, 'no member row without its partition');
  const claims = [...objects.values()].reduce((sum, object) => sum + object.partitions.length, 0);
  assert.equal(claims, memberships, 'no object claims a partition that does not hold it');
  return { lsn: state.lsn, horizon: state.horizon, objects, tombstones, partitions };
}

/** The changes for clients: everything from the start, and from the middle contents only where they are new. */
async function auditChanges(
  snapshot: Awaited<ReturnType<ObjectStore['snapshot']>>,
  objects: ReadonlyMap<Oid, TrueObject>,
  tombstones: ReadonlyMap<Oid, TrueTombstone>,
): Promise<void> {
  for (const since of [0, Math.floor(snapshot.state.lsn / 2)]) {
    const listed: string[] = [];
    for await (const change of snapshot.changesSince(since)) {
      if (change.kind === 'put') listed.push(`${change.lsn} put ${change.object.oid}`);
      else if (change.kind === 'refresh') listed.push(`${change.lsn} refresh ${change.refresh.oid}`);
      else listed.push(`${change.lsn} delete ${change.oid}`);
    }
    const expected = [
      ...[...objects].map(([oid, { lsn, contentLsn }]) => {
        return { lsn, line: `${lsn} ${contentLsn > since ? 'put' : 'refresh'} ${oid}` };
      }),
      ...[...tombstones].map(([oid, { lsn }]) => ({ lsn, line: `${lsn} delete ${oid}` })),
    ];
    const due = expected.filter(({ lsn }) => lsn > since).sort((a, b) => a.lsn - b.lsn);
    assert.deepEqual(
      listed,
      due.map(({ line }) => line),
      `changes since ${since}`,
    );
  }
}
