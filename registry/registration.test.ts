import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fetch } from '../fetch/index.ts';
import { ManualClock, seededRandom } from '../kernel/index.ts';
import { type Publication, publicationOf, publish } from '../publication/index.ts';
import { type Identity, identityFrom, newIdentitySecret } from '../soif/index.ts';
import { descriptionObject } from './descriptions/index.ts';
import { Registration } from './registration.ts';
import { described, openRegistry } from './testing/open-registry.ts';

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
      random: seededRandom(1),
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

test('changes are sent together a second later, and the renewal keeps its time', {
  timeout: 20_000,
}, async () => {
  await using registry = await openRegistry();
  const { clock, directory } = registry;
  let [topic, sent] = ['tides', 0];
  // The clock sleeps for what the loop and the change ask; both must sleep before it moves.
  let naps = 0;
  let napped = () => {};
  const waiting = {
    now: () => clock.now(),
    sleep: (ms: number, signal?: AbortSignal) => {
      naps++;
      napped();
      return clock.sleep(ms, signal);
    },
  };
  const asleep = (count: number) =>
    new Promise<void>((resolve) => {
      napped = () => naps >= count && resolve();
      napped();
    });
  await using registration = new Registration({
    ...{ identity: identity(), registries: [registry.url], clock: waiting },
    random: Object.assign(seededRandom(1), { next: () => 0 }),
    describe: () => ({ ...described, attributes: [['Topic', topic]] }),
    fetch: (request) => {
      sent++;
      return registry.fetch(request);
    },
  });
  await asleep(1);
  await directory.upToDate();
  assert.deepEqual([directory.list()[0]?.topic, sent], ['tides', 1]);
  topic = 'ships';
  for (let times = 0; times < 5; times++) registration.changed();
  await asleep(2);
  clock.advance(999);
  assert.equal(sent, 1);
  clock.advance(1);
  await asleep(3);
  await directory.upToDate();
  assert.deepEqual([directory.list()[0]?.topic, sent], ['ships', 2]);
  clock.advance(58_500);
  registration.changed();
  await asleep(4);
  assert.equal(sent, 2);
  clock.advance(500);
  await asleep(5);
  assert.equal(sent, 3);
  // This change follows the renewal in the same second.
  topic = 'quays';
  clock.advance(500);
  await asleep(6);
  assert.equal(sent, 3);
  clock.advance(500);
  await asleep(7);
  await directory.upToDate();
  assert.deepEqual([directory.list()[0]?.topic, sent], ['quays', 4]);
});

test('of a description with a long attribute, a later change is sent alone, and fits what is stored', async () => {
  await using registry = await openRegistry();
  const own = identity();
  const sizes: number[] = [];
  const send = (publication: Publication) =>
    publish(registry.url, publication, {
      fetch: (request) => {
        sizes.push(request.body?.length ?? 0);
        return registry.fetch(request);
      },
    });
  const long = 'summary '.repeat(250).trim();
  const at = (objects: number, updatedAt: number) =>
    descriptionObject({ ...described, description: long, objects }, updatedAt);
  const now = Math.floor(registry.clock.now() / 1000);
  await send(publicationOf(own, at(1, now), { updatedAt: now }));
  const change = publicationOf(own, at(2, now + 1), { updatedAt: now + 1, last: at(1, now) });
  await send(change);
  await registry.directory.upToDate();
  const [listed] = registry.directory.list();
  assert.deepEqual([listed?.objects, listed?.description, listed?.updatedAt], [2, long, now + 1]);
  const [whole = 0, changed = 0] = sizes;
  assert.ok(whole > 2000 && changed < 500, sizes.join());
  // The signature covers the result, so a change that makes another object of the stored one is refused.
  const { object: _, ...next } = publicationOf(own, at(4, now + 3), { updatedAt: now + 3 });
  const delta = change.delta as Uint8Array;
  await assert.rejects(send({ ...next, delta }), refusal(/signature does not match/));
  await assert.rejects(send({ ...next, delta: Uint8Array.of(9) }), refusal(/does not fit/));
  // Few bytes would make an object of several megabytes.
  const keeps = Uint8Array.from([1, ...Array.from({ length: 2000 }, () => [0, 0, 5]).flat()]);
  await assert.rejects(send({ ...next, delta: keeps }), refusal(/does not fit/));
  const unknown = publicationOf(identity(), at(1, now), { updatedAt: now, last: at(2, now) });
  await assert.rejects(send(unknown), refusal(/does not fit/));
});

test('a server that ends in order is withdrawn at once, and may return in the next second', async () => {
  await using registry = await openRegistry();
  const { clock, directory } = registry;
  const own = identity();
  const begin = () =>
    new Registration({
      ...{ identity: own, registries: [registry.url], clock, describe: () => described },
      ...{ fetch: registry.fetch, random: seededRandom(1) },
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
  const { clock, directory, registrar, store } = registry;
  await registry.send(identity());
  const states = () => directory.list().map(({ state }) => state);
  assert.deepEqual(states(), ['live']);
  clock.advance(91_000);
  assert.deepEqual(states(), ['late']);
  clock.advance(209_000);
  assert.deepEqual(states(), []);
  // And its room is free again.
  await registrar.tend();
  assert.deepEqual([store.count, directory.count], [0, 0]);
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
  const unnamed = await registry.send(own, { software: '' }, { updatedAt: now + 1 }).catch((error) => error);
  assert.match(unnamed.message, /Software-Version is missing/);
  assert.equal(unnamed.data.status, 422);
  await assert.rejects(
    registry.send(own, { type: 'FILE' as 'BROKER' }, { updatedAt: now + 1 }),
    refusal(/not that of a server/),
  );
  assert.deepEqual(
    registry.directory.list().map(({ serverId }) => serverId),
    [own.serverId],
  );
});

/** A clock that notes how long its sleepers want to sleep, and wakes them at once. */
class HastyClock extends ManualClock {
  readonly slept: number[] = [];

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw signal.reason;
    this.slept.push(ms);
    this.advance(ms);
  }
}

/** A Registry that gives these answers one after the other, and then none. */
function answers(
  statuses: readonly (readonly [status: number, retryAfter?: string])[],
  ended: () => void,
): Fetch {
  let at = 0;
  return async () => {
    const answer = statuses[at++];
    if (answer === undefined) {
      ended();
      return new Promise<never>(() => undefined);
    }
    const [status, retryAfter] = answer;
    return {
      ...{ url: '', redirects: [], status, notModified: false, etag: undefined, lastModified: undefined },
      ...{ contentType: undefined, location: undefined, wireBytes: 0 },
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      body: (async function* () {})(),
      [Symbol.asyncDispose]: async () => undefined,
    };
  };
}

async function sleeps(
  statuses: Parameters<typeof answers>[0],
  { refreshSeconds = 60, seed = 1 } = {},
): Promise<readonly number[]> {
  const clock = new HastyClock();
  await new Promise<void>((resolve) => {
    const fetch = answers(statuses, resolve);
    // Never disposed of: it waits for an answer that does not come, and holds nothing.
    new Registration({
      ...{
        identity: identity(),
        registries: ['http://127.0.0.1/'],
        clock,
        random: seededRandom(seed),
        fetch,
      },
      describe: () => ({ ...described, refreshSeconds }),
    });
  });
  return clock.slept;
}

test('a refused server returns later and later, never within a second, and not with the others', async () => {
  const bad = Array.from({ length: 12 }, () => [500] as const);
  for (const refreshSeconds of [1, 60]) {
    const slept = await sleeps(bad, { refreshSeconds });
    assert.equal(slept.length, 12);
    for (const [n, ms] of slept.entries()) {
      const base = Math.min(1000 * 2 ** n, Math.max(1000, refreshSeconds * 500));
      assert.ok(ms >= base && ms < 2 * base, `${n}: ${ms}`);
    }
  }
  const others = new Set<number>();
  for (let seed = 1; seed <= 20; seed++) others.add((await sleeps([[500]], { seed }))[0] ?? 0);
  assert.equal(others.size, 20);
  // The renewals of servers that began together drift apart, and none comes late.
  const [renewal = 0] = await sleeps([[200]]);
  assert.ok(renewal > 54_000 && renewal < 60_000, String(renewal));
});

test('a Registry that is overloaded is obeyed, up to an hour', async () => {
  const [first = 0, second = 0, third = 0, fourth = 0] = await sleeps([
    [429, '120'],
    [503, '30'],
    [503],
    [429, '999999999'],
  ]);
  assert.ok(first >= 120_000 && first < 240_000, String(first));
  assert.ok(second >= 30_000 && second < 60_000, String(second));
  assert.ok(third >= 4000 && third < 8000, String(third));
  assert.ok(fourth >= 3_600_000 && fourth < 7_200_000, String(fourth));
});

test('a registration whose answer was lost is withdrawn too', async () => {
  await using registry = await openRegistry();
  const { clock, directory } = registry;
  let isLost = true;
  let lost = () => {};
  const arrived = new Promise<void>((resolve) => {
    lost = resolve;
  });
  const registration = new Registration({
    ...{ identity: identity(), registries: [registry.url], clock, random: seededRandom(1) },
    describe: () => described,
    fetch: async (request) => {
      const response = await registry.fetch(request);
      if (!isLost) return response;
      isLost = false;
      await response[Symbol.asyncDispose]();
      lost();
      throw new Error('the connection broke');
    },
  });
  await arrived;
  await directory.upToDate();
  assert.equal(directory.list().length, 1);
  await registration[Symbol.asyncDispose]();
  await directory.upToDate();
  assert.deepEqual(directory.list(), []);
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
