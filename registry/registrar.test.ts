import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  digestOf,
  type Identity,
  identityFrom,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
} from '../soif/index.ts';
import { descriptionObject } from './descriptions/index.ts';
import { RegistrarKeys } from './keys/index.ts';
import { described, openRegistry } from './testing/open-registry.ts';

const identity = () => identityFrom(newIdentitySecret());
const refusal = (message: RegExp) => ({ code: 'PUBLICATION_FAILED', message });
const at = (n: number) => ({ url: `https://harbour.example/${n}/` });

test('a registration under a foreign id leaves the keys of collecting alone, and theirs are respected', async () => {
  await using registry = await openRegistry();
  const { collected } = registry;
  const [collectedFrom, unknown, stranger] = [identity(), identity(), identity()];
  await collected.learn(collectedFrom.serverId, collectedFrom.publicKey);
  const as = ({ serverId }: Identity): Identity => ({ ...stranger, serverId });
  await assert.rejects(registry.send(as(collectedFrom)), refusal(/another key is known/));
  await registry.send(as(unknown));
  assert.equal(await collected.keyOf(unknown.serverId), undefined);
  assert.ok(await collected.learn(unknown.serverId, unknown.publicKey), 'the server proves its own key');
});

test('the key of a server is known for a month after its last description, and no more of them than servers', async () => {
  await using registry = await openRegistry({ maxServers: 2 });
  const { clock, registrar, database, collected } = registry;
  const servers = [identity(), identity(), identity()];
  const known = async () => {
    const keys = await RegistrarKeys.open({ database, clock, collected, maxEnded: 2 });
    const found = await Promise.all(servers.map(({ serverId }) => keys.keyOf(serverId)));
    return found.map((key) => key !== undefined);
  };
  for (const server of servers) {
    await registry.send(server);
    await registry.withdraw(server);
    await registrar.tend();
    clock.advance(1000);
  }
  assert.deepEqual(await known(), [false, true, true], 'the first that ended is dropped');
  const [, second, third] = servers as [Identity, Identity, Identity];
  await assert.rejects(
    registry.send({ ...identity(), serverId: second.serverId }),
    refusal(/another key is known/),
  );
  const monthMs = 30 * 86_400_000;
  for (let day = 0; day < 30; day++) {
    clock.advance(monthMs / 30);
    await registry.send(third, { ttlSeconds: 86_400 });
    await registrar.tend();
  }
  clock.advance(2000);
  await registrar.tend();
  assert.deepEqual(await known(), [false, false, true]);
});

test('each refused registration is named in the answer and in the audit', async () => {
  const blocked = identity();
  await using registry = await openRegistry({
    maxServers: 20,
    isBlocked: async ({ publisher }) => publisher === blocked.serverId,
  });
  const { clock, refusals } = registry;
  const own = identity();
  await registry.send(own);
  const now = Math.floor(clock.now() / 1000);
  const copied = (thief: Identity): Identity => {
    const object = descriptionObject(described, now);
    const stolen = own.sign(provenanceBytes(oidOf(own.serverId, object.url), digestOf(object), now));
    return { ...thief, sign: () => stolen };
  };
  const cases: readonly (readonly [RegExp, () => Promise<void>])[] = [
    [/another key is known for server/, () => registry.send({ ...identity(), serverId: own.serverId })],
    [/the signature does not match/, () => registry.send({ ...own, sign: identity().sign })],
    [
      new RegExp(`it is copied from server ${own.serverId}`),
      () => registry.send(copied(identity()), {}, { updatedAt: now }),
    ],
    [/not newer than the last one/, () => registry.send(own, {}, { updatedAt: now })],
    [/in the future/, () => registry.send(own, {}, { updatedAt: now + 1000 })],
    [/more than 300 seconds old/, () => registry.send(identity(), {}, { updatedAt: now - 400 })],
    [/Time-to-Live is more than 30 days/, () => registry.send(identity(), { ttlSeconds: 99_999_999 })],
    [
      /longer than 2000 characters/,
      () => registry.send(identity(), { url: `https://a/${'b'.repeat(2000)}` }),
    ],
    [/larger than 160 KiB/, () => registry.send(identity(), { attributes: [['Note', 'x'.repeat(170_000)]] })],
    [
      /the request body is larger than 196608/,
      () => registry.send(identity(), { description: 'x'.repeat(1e6) }),
    ],
    [/keeps out this server/, () => registry.send(blocked)],
  ];
  for (const [message, send] of cases) {
    await assert.rejects(send(), refusal(message));
    assert.match(refusals.at(-1) ?? '', message);
    assert.match(refusals.at(-1) ?? '', /^[A-Z_]+ .*from 127\.0\.0\.1: /);
    clock.advance(15_000);
  }
  assert.equal(refusals.length, cases.length);
  assert.match(
    refusals[0] ?? '',
    new RegExp(`^PUBLICATION_REFUSED ${own.serverId} https://harbour.example/ `),
  );
});

test('one server id has few descriptions, and an ended one makes room', async () => {
  await using registry = await openRegistry({ maxServers: 20 });
  const own = identity();
  for (let n = 0; n < 8; n++) await registry.send(own, at(n));
  await assert.rejects(registry.send(own, at(8)), refusal(/has 8 descriptions here/));
  await registry.withdraw(own, at(0));
  await registry.send(own, at(8));
  assert.equal(registry.directory.countOf(own.serverId), 8);
});

test('ids that are registered and withdrawn again and again fill neither the store nor the keys', async () => {
  await using registry = await openRegistry({ maxServers: 4 });
  const { clock, store, registrar, directory } = registry;
  const graves = async () => {
    await using snapshot = await store.snapshot();
    let count = 0;
    for await (const { kind } of snapshot.changesSince(0)) if (kind === 'delete') count++;
    return count;
  };
  const kept = identity();
  await registry.send(kept, { ttlSeconds: 86_400 });
  for (let n = 0; n < 6; n++) {
    const own = identity();
    await registry.send(own, at(n));
    await registry.withdraw(own, at(n));
  }
  await registrar.tend();
  assert.equal(await graves(), 6, 'they are needed while an old registration would be taken');
  for (let n = 6; n < 12; n++) {
    const own = identity();
    await registry.send(own, at(n));
    await registry.withdraw(own, at(n));
  }
  clock.advance(901_000);
  await registrar.tend();
  assert.equal(await graves(), 0);
  assert.deepEqual(
    directory.list().map(({ serverId }) => serverId),
    [kept.serverId],
  );
  const keys = [];
  for await (const [key] of registry.database.entries()) keys.push(key);
  assert.equal(keys.length, 5, 'four that ended, and the one that is listed');
});

test('a registration that was kept does not bring a withdrawn server back, even when its end is forgotten', async () => {
  await using registry = await openRegistry();
  const { clock, store, registrar, directory } = registry;
  const own = identity();
  const kept = Math.floor(clock.now() / 1000);
  await registry.send(own, { ttlSeconds: 86_400 });
  clock.advance(2000);
  await registry.withdraw(own);
  await assert.rejects(registry.send(own, { ttlSeconds: 86_400 }, { updatedAt: kept }), refusal(/not newer/));
  clock.advance(901_000);
  await registrar.tend();
  await store.forgetTombstones(0);
  await assert.rejects(
    registry.send(own, { ttlSeconds: 86_400 }, { updatedAt: kept }),
    refusal(/seconds old/),
  );
  assert.deepEqual(directory.list(), []);
});

test('a version that is collected while a registration is verified is not overwritten', async () => {
  const own = identity();
  let meanwhile = async () => {};
  await using registry = await openRegistry({
    isBlocked: async () => {
      await meanwhile();
      return false;
    },
  });
  const { clock, store, directory } = registry;
  const now = Math.floor(clock.now() / 1000);
  await registry.send(own, {}, { updatedAt: now - 10 });
  const oid = oidOf(own.serverId, described.url);
  meanwhile = async () => {
    await store.apply([{ kind: 'refresh', oid, updatedAt: now + 5, signature: new Uint8Array(64) }]);
  };
  await assert.rejects(registry.send(own, { name: 'Old' }, { updatedAt: now }), refusal(/not newer/));
  await directory.upToDate();
  assert.deepEqual(
    directory.list().map(({ name, updatedAt }) => [name, updatedAt]),
    [['Harbour', now + 5]],
  );
});

test('a client network has a rate of registrations, and learns when to return', async () => {
  await using registry = await openRegistry({ perSecond: 1, maxServers: 50 });
  const { clock, refusals } = registry;
  for (let n = 0; n < 10; n++) await registry.send(identity(), at(n));
  await assert.rejects(registry.send(identity()), (error: unknown) => {
    const { status, retryAfter } = (error as { readonly data: Record<string, unknown> }).data;
    assert.deepEqual([status, retryAfter], [429, '1']);
    return true;
  });
  assert.match(refusals.at(-1) ?? '', /^PUBLICATION_RATE from 127\.0\.0\.1: /);
  clock.advance(1000);
  await registry.send(identity());
});
