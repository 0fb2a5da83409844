import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import {
  digestOf,
  encodeObject,
  type Identity,
  type IdentitySecret,
  identityFrom,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
  succeedingSecret,
  summaryObject,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation, within } from '../../store/index.ts';
import { ObjectTable } from './object-table.ts';
import { Revocations } from './revocations.ts';

/** A server with its first key, and later ones; `r` revokes, `k` makes a key. */
function server(steps: string): readonly Identity[] {
  let secret: IdentitySecret = newIdentitySecret();
  const found = [identityFrom(secret)];
  for (const step of steps) {
    secret = succeedingSecret(secret, { at: 1, isRevoked: step === 'r' });
    found.push(identityFrom(secret));
  }
  return found;
}

function putting({ serverId: publisher, sign }: Identity, page: number): StoreOperation {
  const url = `http://example.org/${page}`;
  const summary = summaryObject(url, [['Title', url]]);
  const [oid, digest, updatedAt] = [oidOf(publisher, url), digestOf(summary), 1000];
  const signature = sign(provenanceBytes(oid, digest, updatedAt));
  const object = { oid, digest, body: encodeObject(summary), updatedAt, publisher, signature };
  return { kind: 'put', object, url, ttlSeconds: 1000 };
}

/** A Broker's table and store. */
async function opened() {
  const folder = await mkdtemp(join(tmpdir(), 'garner-revocations-'));
  const [database, objects] = [await openDatabase(join(folder, 'table')), join(folder, 'store')];
  const store = await ObjectStore.open(await openDatabase(objects), {
    ...{ clock: new ManualClock(), random: seededRandom(1) },
  });
  /** Resolves when the store has this many objects. */
  const holds = (count: number) =>
    new Promise<void>((resolve) => {
      const stop = store.onChange(look);
      function look() {
        if (store.count !== count) return;
        stop();
        resolve();
      }
      look();
    });
  return {
    ...{ store, table: await ObjectTable.open(within(database, 'table')), holds },
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

test('a revocation counts also when as many keys are revoked as before, among the last changes', async () => {
  await using open = await opened();
  const { table } = open;
  const keys = server('krkrkrkrkr');
  const [first, fourth, last] = [keys[0], keys[8], keys[10]] as [Identity, Identity, Identity];
  await table.learn(first.serverId, first.publicKey);
  let revocations = 0;
  table.onRevocation = () => revocations++;
  await table.succeed(first.serverId, fourth.succession ?? []);
  await table.revoked(first.serverId, fourth.succession ?? []);
  assert.deepEqual([revocations, (await table.revoking()).size], [1, 0]);
  await table.succeed(first.serverId, last.succession ?? []);
  assert.deepEqual([revocations, [...(await table.revoking()).keys()]], [2, [first.serverId]]);
});

test('a revocation that comes while the objects of a server are checked is followed too', async () => {
  await using open = await opened();
  const { table } = open;
  const [first, , second, , last] = server('krkr') as Identity[] as [
    Identity,
    Identity,
    Identity,
    Identity,
    Identity,
  ];
  await table.learn(first.serverId, first.publicKey);
  await table.succeed(first.serverId, second.succession ?? []);
  const checking = (await table.revoking()).get(first.serverId) ?? [];
  await table.succeed(first.serverId, last.succession ?? []);
  await table.revoked(first.serverId, checking);
  assert.deepEqual([...(await table.revoking()).keys()], [first.serverId]);
  await table.revoked(first.serverId, last.succession ?? []);
  assert.equal((await table.revoking()).size, 0);
});

test('what a round stores after the check, by a key that was revoked while it ran, is dropped at its end', async () => {
  await using open = await opened();
  const { table, store, holds } = open;
  const [first, , last] = server('kr') as [Identity, Identity, Identity];
  let endRound = () => {};
  const round = new Promise<void>((resolve) => {
    endRound = resolve;
  });
  let isRunning = false;
  await using revocations = new Revocations({
    ...{ store, table, rounds: () => (isRunning ? round : undefined) },
    collect: async () => undefined,
  });
  revocations.start();
  await table.learn(first.serverId, first.publicKey);
  await store.apply([putting(first, 1)]);
  isRunning = true;
  await table.succeed(first.serverId, last.succession ?? []);
  await holds(0);
  // The round verified it before.
  await store.apply([putting(first, 2), putting(last, 3)]);
  assert.equal(store.count, 2);
  isRunning = false;
  endRound();
  await holds(1);
  // After the check nothing is left to do.
  while ((await table.revoking()).size > 0) await new Promise((resolve) => setImmediate(resolve));
});
