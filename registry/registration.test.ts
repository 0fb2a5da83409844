import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MemoryKeyring } from '../exchange/index.ts';
import { HttpClient } from '../fetch/index.ts';
import { serveHttp } from '../http/index.ts';
import { ManualClock, seededRandom } from '../kernel/index.ts';
import { publicationOf, publicationRoute, publish } from '../publication/index.ts';
import { type Identity, identityFrom, newIdentitySecret } from '../soif/index.ts';
import { ObjectStore, openDatabase } from '../store/index.ts';
import { descriptionObject, type ServerDescription } from './description.ts';
import { Directory } from './directory.ts';
import { registrarDesk } from './registrar.ts';
import { Registration } from './registration.ts';

const described: ServerDescription = {
  ...{ type: 'BROKER', url: 'https://harbour.example/', name: 'Harbour', description: '' },
  ...{ administrator: '', location: '', software: '', objects: 1 },
  ...{ refreshSeconds: 60, ttlSeconds: 300 },
};

/** A Registry on a real port, with a clock that only the test moves. */
async function openRegistry({ maxServers = 10 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'garner-registry-'));
  const clock = new ManualClock();
  const store = await ObjectStore.open(await openDatabase(folder), { clock, random: seededRandom(1) });
  const directory = await Directory.open(store, clock);
  const desk = registrarDesk({ store, keyring: new MemoryKeyring(), clock, directory, maxServers });
  const http = await serveHttp({
    ...{ routes: [publicationRoute(desk)], port: 0, clock, title: 'Registry', version: '0' },
  });
  const client = new HttpClient({ userAgent: 'test', allowHosts: [http.url], delayMs: 0, retries: 0 });
  return {
    ...{ clock, directory, url: http.url, fetch: client.fetch },
    clean: async () => {
      await store.expire();
      await directory.upToDate();
    },
    changed: () =>
      new Promise<void>((resolve) => {
        const stop = store.onChange(() => {
          stop();
          void directory.upToDate().then(resolve);
        });
      }),
    send: async (
      identity: Identity,
      own: Partial<ServerDescription> = {},
      { updatedAt = Math.floor(clock.now() / 1000), isUnchanged = false } = {},
    ) => {
      const object = descriptionObject({ ...described, ...own }, updatedAt);
      await publish(http.url, publicationOf(identity, object, { updatedAt, isUnchanged }), client);
      await directory.upToDate();
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const identity = () => identityFrom(newIdentitySecret());
const refusal = (message: RegExp) => ({ code: 'PUBLICATION_FAILED', message });

test('a server is listed, renews its lease with a short message, and sends what changed', async () => {
  await using registry = await openRegistry();
  const { clock, directory } = registry;
  let objects = 1;
  const sizes: number[] = [];
  let asleep = () => {};
  const waiting = {
    now: () => clock.now(),
    sleep: (ms: number, signal?: AbortSignal) => {
      asleep();
      return clock.sleep(ms, signal);
    },
  };
  const sleeps = () =>
    new Promise<void>((resolve) => {
      asleep = resolve;
    });
  let sleeping = sleeps();
  const registered = registry.changed();
  await using _registration = new Registration({
    ...{
      identity: identity(),
      registries: [registry.url],
      clock: waiting,
      describe: () => ({ ...described, objects }),
    },
    fetch: (request) => {
      sizes.push(request.body?.length ?? 0);
      return registry.fetch(request);
    },
  });
  await registered;
  assert.deepEqual(
    directory.list().map(({ name, state, objects }) => [name, state, objects]),
    [['Harbour', 'live', 1]],
  );
  const renew = async () => {
    // The loop sleeps once its last message was answered.
    await sleeping;
    sleeping = sleeps();
    const renewed = registry.changed();
    clock.advance(60_000);
    await renewed;
    return directory.list()[0];
  };
  const started = clock.now() / 1000;
  assert.deepEqual(await renew().then((server) => [server?.updatedAt, server?.objects]), [started + 60, 1]);
  objects = 2;
  assert.deepEqual(await renew().then((server) => [server?.updatedAt, server?.objects]), [started + 120, 2]);
  const [first = 0, refresh = 0, second = 0] = sizes;
  assert.ok(refresh < first * 0.7 && second > refresh, sizes.join());
});

test('a server that ends in order is withdrawn at once, and may return in the next second', async () => {
  await using registry = await openRegistry();
  const { clock, directory } = registry;
  const own = identity();
  const begin = () =>
    new Registration({
      ...{ identity: own, registries: [registry.url], clock, describe: () => described },
      fetch: registry.fetch,
    });
  for (let start = 0; start < 2; start++) {
    const registered = registry.changed();
    const registration = begin();
    await registered;
    assert.equal(directory.list().length, 1);
    const withdrawn = registry.changed();
    await registration[Symbol.asyncDispose]();
    await withdrawn;
    assert.deepEqual(directory.list(), []);
    clock.advance(1000);
  }
  // What was withdrawn does not return by a message that somebody has kept.
  const before = Math.floor(clock.now() / 1000) - 1;
  await assert.rejects(registry.send(own, {}, { updatedAt: before }), refusal(/not newer/));
  assert.deepEqual(directory.list(), []);
});

test('a server whose lease is not renewed is late, then gone', async () => {
  await using registry = await openRegistry();
  await registry.send(identity());
  const states = () => registry.directory.list().map(({ state }) => state);
  assert.deepEqual(states(), ['live']);
  registry.clock.advance(91_000);
  assert.deepEqual(states(), ['late']);
  registry.clock.advance(209_000);
  assert.deepEqual(states(), []);
});

test('a Registry refuses forged, stale and future registrations, other objects, and servers beyond its maximum', async () => {
  await using registry = await openRegistry({ maxServers: 1 });
  const [own, stranger] = [identity(), identity()];
  await registry.send(own);
  const now = Math.floor(registry.clock.now() / 1000);
  const impostor: Identity = { ...stranger, serverId: own.serverId };
  await assert.rejects(registry.send(impostor, {}, { updatedAt: now + 1 }), refusal(/another key is known/));
  const forged: Identity = { ...own, sign: (bytes) => stranger.sign(bytes) };
  await assert.rejects(
    registry.send(forged, {}, { updatedAt: now + 1 }),
    refusal(/signature does not match/),
  );
  await assert.rejects(registry.send(own, {}, { updatedAt: now }), refusal(/not newer/));
  await assert.rejects(registry.send(own, {}, { updatedAt: now + 400 }), refusal(/in the future/));
  await assert.rejects(registry.send(stranger), refusal(/lists 1 servers/));
  await assert.rejects(registry.send(stranger, {}, { isUnchanged: true }), refusal(/no such object here/));
  await assert.rejects(
    registry.send(own, { ttlSeconds: 99_999_999 }, { updatedAt: now + 1 }),
    refusal(/Time-to-Live is more than 30 days/),
  );
  await assert.rejects(
    registry.send(own, { type: 'FILE' as 'BROKER' }, { updatedAt: now + 1 }),
    refusal(/not that of a server/),
  );
  assert.deepEqual(
    registry.directory.list().map(({ serverId }) => serverId),
    [own.serverId],
  );
});

test('what is no publication is refused with the reason', async () => {
  await using registry = await openRegistry();
  const answers = async (body: string) => {
    const response = await fetch(`${registry.url}publish`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
    });
    const { error } = (await response.json()) as { readonly error: { readonly code: string } };
    return [response.status, error.code];
  };
  const wrong = ['{', '[]', 'null', '{}', '{"url":"x","updatedAt":-1}', '{"url":"x","updatedAt":1,"soif":7}'];
  for (const body of [...wrong, '{"url":"x","updatedAt":1,"publisher":"abc"}'])
    assert.deepEqual(await answers(body), [400, 'PUBLICATION_INVALID'], body);
});

test('a directory calls back when a server turns late, when its lease ends, and not for its deletion alone', async () => {
  await using registry = await openRegistry();
  const { clock, directory } = registry;
  const own = identity();
  let calls = 0;
  directory.onChange(() => {
    calls++;
  });
  const states = () => directory.known().map(({ name, state }) => `${name} ${state}`);
  await registry.send(own);
  assert.deepEqual([calls, states()], [1, ['Harbour live']]);
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
    return [calls, states()];
  };
  assert.deepEqual(await pass(89_999), [1, ['Harbour live']]);
  assert.deepEqual(await pass(1), [2, ['Harbour late']]);
  assert.deepEqual(await pass(210_000), [3, ['Harbour broken']]);
  assert.deepEqual(directory.list(), []);
  // The store removes it, and it is remembered; a server at the same address takes its place.
  await registry.clean();
  assert.deepEqual(states(), ['Harbour broken']);
  await registry.send(identity());
  assert.deepEqual(states(), ['Harbour live']);
  await pass(3_600_000);
  assert.deepEqual(states(), ['Harbour broken']);
  await pass(300_000);
  assert.deepEqual(states(), []);
});
