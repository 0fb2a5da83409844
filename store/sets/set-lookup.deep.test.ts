import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  bytesOfHandle,
  type Entry,
  type Epoch,
  elementId,
  type Handle,
  handleOf,
  type ShortId,
  shortIdOf,
} from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import {
  encodeObject,
  identityFrom,
  newIdentitySecret,
  type Oid,
  oidFromBytes,
  summaryObject,
} from '../../soif/index.ts';
import type { StoreOperation } from '../changes/store-step.ts';
import { openDatabase } from '../database/database.ts';
import { ObjectStore } from '../objects/object-store.ts';

const publisher = identityFrom(newIdentitySecret(seededRandom(1))).serverId;
const hash = (text: string) => createHash('sha256').update(text).digest();

/** OIDs of which every 16 begin alike, so that a short name has neighbours. */
function oidFor(n: number): Oid {
  const bytes = hash(`object ${n}`);
  bytes.set(hash(`place ${Math.floor(n / 16)}`).subarray(0, 3));
  return oidFromBytes(bytes);
}

function put(n: number, version: number): StoreOperation {
  const url = `http://example.org/${n}`;
  const digest = hash(`${n} ${version}`);
  const body = encodeObject(summaryObject(url, [['Title', `Version ${version}`]]));
  const object = {
    ...{ oid: oidFor(n), digest, body, updatedAt: 4_000_000_000, publisher },
    signature: new Uint8Array(64),
  };
  return { kind: 'put', object, url, ttlSeconds: 3600 };
}

test('objects are found by handle and by short id, changed recently or long ago, and absent ones are not', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-lookup-'));
  try {
    const clock = new ManualClock(1_700_000_000_000);
    const random = seededRandom(2);
    await using store = await ObjectStore.open(await openDatabase(path), { clock, random });
    const count = 4000;
    for (let n = 0; n < count; n += 1000)
      await store.apply(Array.from({ length: 1000 }, (_, i) => put(n + i, 0)));
    const versions = new Map<number, number>(Array.from({ length: count }, (_, n) => [n, 0]));
    const shortIdFor = (n: number, version: number): ShortId =>
      shortIdOf(
        bytesOfHandle(handleOf(oidFor(n))),
        elementId(store.epoch as Epoch, oidFor(n), hash(`${n} ${version}`)),
      );
    for (let step = 1; step <= 3; step++) {
      const operations: StoreOperation[] = [];
      for (let i = 0; i < 700; i++) {
        const n = Math.floor(random.next() * count);
        if (random.next() < 0.3) {
          versions.delete(n);
          operations.push({ kind: 'delete', oid: oidFor(n) });
        } else {
          versions.set(n, step);
          operations.push(put(n, step));
        }
      }
      await store.apply(operations);
      await using snapshot = await store.snapshot();
      // In several calls on one snapshot, as usual; a later change does not affect it.
      await store.apply([put(count + step, 0), { kind: 'delete', oid: oidFor(count + step) }]);
      const numbers = Array.from({ length: 1500 }, () => Math.floor(random.next() * (count + 100)));
      for (let at = 0; at < numbers.length; at += 300) {
        const part = numbers.slice(at, at + 300);
        const current = (n: number) => versions.get(n) ?? 0;
        const names = part.map((n, i): Handle | ShortId =>
          i % 3 === 0 ? handleOf(oidFor(n)) : shortIdFor(n, i % 3 === 1 ? current(n) : current(n) + 7),
        );
        const wanted = part.map((n, i) => (versions.has(n) && i % 3 !== 2 ? oidFor(n) : undefined));
        const found: readonly (Entry | undefined)[] = await snapshot.find(names);
        assert.deepEqual(
          found.map((entry) => entry?.oid),
          wanted,
        );
        for (const [i, entry] of found.entries())
          if (entry !== undefined)
            assert.deepEqual(
              Buffer.from(entry.digest),
              hash(`${part[i]} ${versions.get(part[i] as number)}`),
            );
      }
    }
  } finally {
    await rm(path, { recursive: true, force: true });
  }
});
