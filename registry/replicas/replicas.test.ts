import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { replicaRoutes } from './replica-routes.ts';
import { type KnownReplica, Replicas } from './replicas.ts';

const known = (name: string, more: Partial<KnownReplica> = {}): KnownReplica => ({
  ...{ url: `https://${name}.example/`, name, serverId: null, isReplica: true, isSelf: false },
  ...more,
});

/** All that is due has run. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A Registry that knows others: two replicas, and strangers at one host. A test sets the round trip of each, or its failure. */
function open() {
  const clock = new ManualClock();
  const registries = [
    known('own', { isSelf: true }),
    known('near'),
    known('far'),
    known('stranger', { isReplica: false }),
    known('second', { isReplica: false, url: 'https://stranger.example/second/' }),
  ];
  const trips: Record<string, number | 'fails' | 'hangs'> = {
    own: 20,
    near: 5,
    far: 50,
    stranger: 1,
    second: 1,
  };
  const probed: string[] = [];
  const replicas = new Replicas({
    ...{ clock, random: seededRandom(1), known: async () => registries },
    probe: async ({ name }) => {
      probed.push(name);
      const trip = trips[name];
      if (trip === 'hangs') return new Promise<never>(() => undefined);
      if (typeof trip !== 'number') throw new Error('connection refused');
      return trip;
    },
  });
  replicas.start();
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      clock.advance(Math.min(left, 500));
      await settled();
    }
  };
  return { clock, trips, probed, replicas, pass };
}

const routesOf = ({ replicas }: ReturnType<typeof open>) => {
  const routes = replicaRoutes(replicas, () => ({ servers: 7, fingerprint: new Uint8Array(32) }));
  return async (path: string, query: Readonly<Record<string, string>> = {}) => {
    const route = routes.find((one) => one.path === path);
    const {
      status = 200,
      headers,
      json,
    } = await (route as (typeof routes)[number]).handle({ query } as never);
    return {
      status,
      location: headers?.location,
      json: json as { replicas: { name: string }[] } | undefined,
    };
  };
};

test('a client is led to the live replica with the shortest round trip, and never to a stranger', async () => {
  const registry = open();
  await using replicas = registry.replicas;
  const get = routesOf(registry);
  await settled();
  assert.deepEqual(
    (await replicas.list()).map(({ name, state, roundTripMs }) => [name, state, roundTripMs]),
    [
      ['own', 'live', 20],
      ['near', 'live', 5],
      ['far', 'live', 50],
      ['stranger', 'live', 1],
      ['second', 'unknown', null],
    ],
  );
  const query = { path: '/servers?type=broker&after=a%2Fb' };
  assert.deepEqual(await get('/replicas/nearest', query), {
    ...{ status: 307, location: 'https://near.example/servers?type=broker&after=a%2Fb', json: undefined },
  });
  const given = new Set<string | undefined>();
  for (let n = 0; n < 50; n++) given.add((await get('/replicas/random')).location);
  assert.deepEqual([...given].toSorted(), ['../', 'https://far.example/', 'https://near.example/']);
  for (const path of ['/replicas', '/replicas/nearest']) {
    const { status, json } = await get(path, { list: '' });
    assert.deepEqual([status, json?.replicas.length], [200, 5]);
  }
  for (const path of ['servers', '', '/http://evil.example/', '///evil.example/', `/${'x'.repeat(2000)}`])
    await assert.rejects(get('/replicas/nearest', { path }), { code: 'HTTP_BAD_PARAMETER' }, path);
});

test('a replica that is dead or silent is not given after one suspicion time, and given again when it answers', async () => {
  const registry = open();
  await using _ = registry.replicas;
  const get = routesOf(registry);
  await settled();
  for (const fault of ['fails', 'hangs'] as const) {
    registry.trips.near = fault;
    await registry.pass(6000);
    for (let n = 0; n < 20; n++)
      assert.notEqual((await get('/replicas/random')).location, 'https://near.example/');
    assert.equal((await get('/replicas/nearest')).location, '../', 'itself comes next');
    registry.trips.near = 5;
    await registry.pass(6000);
    assert.equal((await get('/replicas/nearest')).location, 'https://near.example/');
  }
});

test('each Registry is probed once in three seconds, a stranger once in thirty, and never twice at once', async () => {
  const registry = open();
  await using _ = registry.replicas;
  await settled();
  registry.probed.length = 0;
  await registry.pass(60_000);
  const count = (name: string) => registry.probed.filter((probed) => probed === name).length;
  assert.deepEqual([count('near'), count('far'), count('stranger')], [20, 20, 2]);
  registry.trips.near = 'hangs';
  await registry.pass(3000);
  registry.probed.length = 0;
  await registry.pass(1500);
  assert.equal(count('near'), 0, 'the probe that hangs is still waited for');
});
