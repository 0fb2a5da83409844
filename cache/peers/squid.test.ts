import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { CarpArray } from './carp.ts';
import { CacheNode, CountingOrigin, ourHost, through } from './node-fixture.test.ts';
import { Squid, squidHost, squidPorts, withoutSquid } from './squid-fixture.test.ts';

// Debian's squid as our sibling, our parent and our child. Each test ends with squid's own access log, word for word,
// and with what each URL was worth to the origin.

async function origin(t: TestContext): Promise<CountingOrigin> {
  const opened = await CountingOrigin.open();
  t.after(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** A node of ours, closed when the test ends. */
async function node(t: TestContext, ...args: Parameters<typeof CacheNode.open>): Promise<CacheNode> {
  const opened = await CacheNode.open(...args);
  t.after(() => opened[Symbol.asyncDispose]());
  return opened;
}

async function squid(t: TestContext, ...args: Parameters<typeof Squid.start>): Promise<SquidClient> {
  const started = await Squid.start(...args);
  t.after(() => started[Symbol.asyncDispose]());
  return new SquidClient(started);
}

/** A squid and what its clients do. */
class SquidClient {
  readonly squid: Squid;

  constructor(started: Squid) {
    this.squid = started;
  }

  get(url: string, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof through> {
    return through({ host: squidHost, port: this.squid.ports.http }, url, headers);
  }

  /** Have it forget a URL. */
  purge(url: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const { http: port } = this.squid.ports;
      const asked = request(
        { host: squidHost, port, path: url, method: 'PURGE', agent: false },
        (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        },
      );
      asked.once('error', reject).end();
    });
  }

  /** What it wrote down, without the part of URLs that is another each time. */
  async transcript(place: string, count: number): Promise<readonly string[]> {
    return (await this.squid.transcript(count)).map((line) => line.replace(place, ''));
  }
}

const allowPurge = ['acl purge method PURGE', 'http_access allow purge'];

/** Wait for what another process does, for ten seconds at most. */
async function until(what: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('it does not happen');
}

test('squid as our sibling by ICP: hits both ways, misses go to the origin', {
  skip: withoutSquid,
}, async (t) => {
  const ports = await squidPorts();
  const site = await origin(t);
  const peer = { role: 'sibling', host: squidHost, port: ports.http, icpPort: ports.icp } as const;
  const ours = await node(t, 'ours', [site.place], [peer]);
  const theirs = await squid(t, ports, [
    `cache_peer ${ourHost} sibling ${ours.door.port} ${ours.peers.icpPort} proxy-only no-digest`,
  ]);
  const said: string[] = [];
  for (const [who, path] of [
    // The first question wakes the peer: squid takes it for dead until it answers.
    [theirs, '/first'],
    [ours, '/ours'],
    [theirs, '/ours'],
    [theirs, '/squid'],
    [ours, '/squid'],
    [ours, '/squid'],
  ] as const) {
    const got = await who.get(site.url(path));
    assert.equal(got.body, `content of ${path}`);
    said.push(
      `${path} ${got.headers['x-cache'] ?? ''} | ${got.headers['cache-status'] ?? ''}`.replace(
        /; ttl=(600|59\d)$/,
        '',
      ),
    );
  }
  assert.deepEqual(said, [
    '/first MISS from squid.test | ',
    '/ours  | ours; fwd=uri-miss; fwd-status=200; stored',
    '/ours MISS from squid.test | ours; hit',
    '/squid MISS from squid.test | ',
    '/squid HIT from squid.test | ours; fwd=uri-miss; fwd-status=200; stored; detail=sibling-icp-hit',
    '/squid HIT from squid.test | ours; hit',
  ]);
  assert.deepEqual(await theirs.transcript(site.place, 6), [
    '/first TCP_MISS/200 HIER_DIRECT/127.0.0.1',
    '/ours UDP_MISS/000 HIER_NONE/-',
    `/ours TCP_MISS/200 SIBLING_HIT/${ourHost}`,
    '/squid TCP_MISS/200 HIER_DIRECT/127.0.0.1',
    '/squid UDP_HIT/000 HIER_NONE/-',
    '/squid TCP_MEM_HIT/200 HIER_NONE/-',
  ]);
  for (const path of ['/first', '/ours', '/squid']) assert.equal(site.count(path), 1, path);
});

test('squid as our parent by ICP: it is asked first and fetches what it has not', {
  skip: withoutSquid,
}, async (t) => {
  const ports = await squidPorts();
  const site = await origin(t);
  const peer = { role: 'parent', host: squidHost, port: ports.http, icpPort: ports.icp } as const;
  const ours = await node(t, 'ours', [site.place], [peer]);
  const theirs = await squid(t, ports, []);
  for (const [who, path] of [
    [ours, '/through'],
    [theirs, '/through'],
    [theirs, '/above'],
    [ours, '/above'],
  ] as const)
    assert.equal((await who.get(site.url(path))).body, `content of ${path}`);
  assert.deepEqual(
    ours.sent.map((line) => line.replace(site.place, '')),
    ['GET /through parent first-parent-miss', 'GET /above parent icp-hit'],
  );
  assert.deepEqual(await theirs.transcript(site.place, 6), [
    '/through UDP_MISS/000 HIER_NONE/-',
    '/through TCP_MISS/200 HIER_DIRECT/127.0.0.1',
    '/through TCP_MEM_HIT/200 HIER_NONE/-',
    '/above TCP_MISS/200 HIER_DIRECT/127.0.0.1',
    '/above UDP_HIT/000 HIER_NONE/-',
    '/above TCP_MEM_HIT/200 HIER_NONE/-',
  ]);
  for (const path of ['/through', '/above']) assert.equal(site.count(path), 1, path);
});

test('squid as our child by ICP: it sees our hits and misses, and we fetch for it', {
  skip: withoutSquid,
}, async (t) => {
  const ports = await squidPorts();
  const site = await origin(t);
  const ours = await node(t, 'ours', [site.place]);
  const theirs = await squid(t, ports, [
    `cache_peer ${ourHost} parent ${ours.door.port} ${ours.peers.icpPort} no-digest`,
    'never_direct allow all',
    // On a kept connection squid writes down why the connection was opened, not why the request went there.
    'server_persistent_connections off',
  ]);
  for (const [who, path] of [
    [theirs, '/miss'],
    [ours, '/hit'],
    [theirs, '/hit'],
    [theirs, '/miss'],
  ] as const)
    assert.equal((await who.get(site.url(path))).body, `content of ${path}`);
  assert.deepEqual(await theirs.transcript(site.place, 3), [
    `/miss TCP_MISS/200 FIRST_PARENT_MISS/${ourHost}`,
    `/hit TCP_MISS/200 PARENT_HIT/${ourHost}`,
    '/miss TCP_MEM_HIT/200 HIER_NONE/-',
  ]);
  const { hits, misses } = ours.peers.counts().icp ?? {};
  assert.deepEqual({ hits, misses }, { hits: 1, misses: 1 });
  for (const path of ['/miss', '/hit']) assert.equal(site.count(path), 1, path);
});

test('digests: squid finds ours, we find squid, and what was in one and is gone is fetched elsewhere', {
  skip: withoutSquid,
}, async (t) => {
  const ports = await squidPorts();
  const site = await origin(t);
  const place = `http://${squidHost}:${ports.http}`;
  const ours = await node(t, 'ours', [site.place, place]);
  const paths = (name: string) => Array.from({ length: 20 }, (_, n) => `/${name}/${n}`);
  for (const path of paths('ours')) await ours.get(site.url(path));
  await ours.peers.renewDigest();
  const theirs = await squid(t, ports, [
    `cache_peer ${ourHost} sibling ${ours.door.port} 0 no-query proxy-only`,
    ...allowPurge,
  ]);
  // The first of these makes squid fetch our digest.
  for (const path of paths('squid')) await theirs.get(site.url(path));
  let next = 0;
  await until(async () => {
    await theirs.get(site.url(`/ours/${next++}`));
    return (await theirs.squid.transcript(0)).some((line) => line.includes('SIBLING_HIT'));
  });
  assert.ok(next < 10, `after ${next} requests`);
  assert.match(
    String((await theirs.get(site.url('/ours/15'))).headers['cache-status']),
    /^ours; hit; ttl=\d+$/,
  );
  // Gone from ours, but not from the digest that squid has.
  await ours.opened.store.purge({ url: site.url('/ours/16') }, { soft: false });
  assert.equal((await theirs.get(site.url('/ours/16'))).body, 'content of /ours/16');
  const lines = (await theirs.transcript(site.place, 20 + next + 2)).slice(-2);
  assert.deepEqual(lines, [
    `/ours/15 TCP_MISS/200 CD_SIBLING_HIT/${ourHost}`,
    '/ours/16 TCP_MISS/200 HIER_DIRECT/127.0.0.1',
  ]);

  // Squid makes its digest anew every two seconds; we ask until all that it has is in it.
  await until(async () => {
    ours.peers.remove(squidHost, ports.http);
    await ours.peers.add({ role: 'sibling', host: squidHost, port: ports.http, digest: true });
    await until(async () => ours.peers.status()[0]?.digestEntries !== undefined);
    const led = await Promise.all(['/squid/3', '/squid/4'].map((path) => ours.leadsTo(site.url(path))));
    return led.every((route) => route === 'sibling digest-hit');
  });
  const got = await ours.get(site.url('/squid/3'));
  assert.equal(got.body, 'content of /squid/3');
  assert.equal(got.headers['x-cache'], 'HIT from squid.test');
  assert.equal(await theirs.purge(site.url('/squid/4')), 200);
  assert.equal((await ours.get(site.url('/squid/4'))).body, 'content of /squid/4');
  assert.deepEqual(
    ours.sent.slice(-3).map((line) => line.replace(site.place, '')),
    ['GET /squid/3 sibling digest-hit', 'GET /squid/4 sibling digest-hit', 'GET /squid/4 origin'],
  );
  assert.equal(ours.peers.status()[0]?.notThere, 1);
  assert.equal(site.count('/squid/3'), 1);
  assert.equal(site.count('/squid/4'), 2);
  assert.equal(site.count('/ours/15'), 1);
});

test('digests along a line: squid finds its parent by ours, and we find ours by that of squid', {
  skip: withoutSquid,
}, async (t) => {
  const [ports, upper] = [await squidPorts(), await squidPorts()];
  const site = await origin(t);
  const ours = await node(t, 'ours', [site.place, `http://${squidHost}:${upper.http}`]);
  for (let n = 0; n < 20; n++) await ours.get(site.url(`/ours/${n}`));
  await ours.peers.renewDigest();
  const child = await squid(t, ports, [
    `cache_peer ${ourHost} parent ${ours.door.port} 0 no-query`,
    'never_direct allow all',
    'server_persistent_connections off',
  ]);
  // The first of these makes it fetch our digest.
  let next = 0;
  await until(async () => {
    await child.get(site.url(`/ours/${next++}`));
    return (await child.squid.transcript(next)).at(-1)?.includes('CD_PARENT_HIT') === true;
  });
  assert.deepEqual(ours.own, [`http://${ourHost}:${ours.door.port}/squid-internal-periodic/store_digest`]);
  assert.equal((await child.get(site.url('/none'))).body, 'content of /none');
  assert.deepEqual((await child.transcript(site.place, next + 1)).slice(-2), [
    `/ours/${next - 1} TCP_MISS/200 CD_PARENT_HIT/${ourHost}`,
    `/none TCP_MISS/200 FIRSTUP_PARENT/${ourHost}`,
  ]);
  for (let n = 0; n < next; n++) assert.equal(site.count(`/ours/${n}`), 1);

  const above = await squid(t, upper, ['visible_hostname upper.test']);
  await above.get(site.url('/in-squid'));
  await until(async () => {
    ours.peers.remove(squidHost, upper.http);
    await ours.peers.add({ role: 'parent', host: squidHost, port: upper.http, digest: true });
    await until(async () => ours.peers.status()[0]?.digestEntries !== undefined);
    return (await ours.leadsTo(site.url('/in-squid')))?.endsWith('digest-hit') === true;
  });
  // A digest says yes to some that are not there: one that it does not.
  let none = '/not-in-squid';
  while ((await ours.leadsTo(site.url(none))) !== 'parent default') none += 'x';
  for (const path of ['/in-squid', none])
    assert.equal((await ours.get(site.url(path))).body, `content of ${path}`);
  assert.deepEqual(
    ours.sent.slice(-2).map((line) => line.replace(site.place, '')),
    ['GET /in-squid parent digest-hit', `GET ${none} parent default`],
  );
  assert.equal(site.count('/in-squid'), 1);
  assert.equal(site.count(none), 1);
});

test('no false serve: squid is never given another variant, nor we, though ICP cannot tell them apart', {
  skip: withoutSquid,
}, async (t) => {
  const ports = await squidPorts();
  const site = await origin(t);
  const peer = { role: 'sibling', host: squidHost, port: ports.http, icpPort: ports.icp } as const;
  const ours = await node(t, 'ours', [site.place], [peer]);
  const theirs = await squid(t, ports, [
    `cache_peer ${ourHost} sibling ${ours.door.port} ${ours.peers.icpPort} proxy-only no-digest`,
  ]);
  await theirs.get(site.url('/first'));
  for (const language of ['', 'de', 'fr', 'de', ''] as const)
    for (const who of [ours, theirs])
      for (const path of ['/vary/a', '/vary/b']) {
        const got = await who.get(site.url(path), language === '' ? {} : { 'Accept-Language': language });
        assert.equal(got.status, 200);
        assert.equal(got.body, `content of ${path}${language}`);
      }
});

test('HTCP with squid: hits both ways, and each has the other forget', { skip: withoutSquid }, async (t) => {
  const ports = await squidPorts();
  const site = await origin(t);
  const peer = {
    role: 'sibling',
    host: squidHost,
    port: ports.http,
    htcpPort: ports.htcp,
    mayClear: true,
  } as const;
  const ours = await node(t, 'ours', [site.place], [peer]);
  const theirs = await squid(t, ports, [
    `cache_peer ${ourHost} sibling ${ours.door.port} ${ours.peers.htcpPort} htcp no-digest`,
    ...allowPurge,
  ]);
  for (const [who, path] of [
    [theirs, '/first'],
    [ours, '/ours'],
    [theirs, '/ours'],
    [theirs, '/squid'],
    [ours, '/squid'],
  ] as const)
    assert.equal((await who.get(site.url(path))).body, `content of ${path}`);
  for (const path of ['/first', '/ours', '/squid']) assert.equal(site.count(path), 1, path);
  // A purge at squid reaches us.
  await theirs.purge(site.url('/ours'));
  await until(async () => ours.peers.counts().htcp?.cleared === 1);
  await ours.get(site.url('/ours'));
  assert.equal(site.count('/ours'), 2);
  // And the other way: what we have it forget it fetches again, from us.
  ours.peers.clear(site.url('/squid'));
  await until(async () => {
    await theirs.get(site.url('/squid'));
    return (await theirs.squid.transcript(0)).at(-1)?.includes('SIBLING_HIT') === true;
  });
  assert.equal(site.count('/squid'), 1);
  const lines = (await theirs.transcript(site.place, 8)).filter(
    (line) => !line.includes('/squid TCP_MEM_HIT'),
  );
  assert.deepEqual(lines.slice(0, 3), [
    '/first TCP_MISS/200 HIER_DIRECT/127.0.0.1',
    '/ours UDP_MISS/000 HIER_NONE/-',
    `/ours TCP_MISS/200 SIBLING_HIT/${ourHost}`,
  ]);
  assert.equal(lines.at(-1), `/squid TCP_MISS/200 SIBLING_HIT/${ourHost}`);
});

test('CARP: a squid before three of our nodes and we choose the same one for each of 40 URLs', {
  skip: withoutSquid,
}, async (t) => {
  const ports = await squidPorts();
  const site = await origin(t);
  const members = ['north', 'east', 'south'].map((name, at) => ({
    name,
    weight: at + 1,
    host: `127.0.0.${at + 2}`,
  }));
  const nodes: CacheNode[] = [];
  for (const { name, host } of members) nodes.push(await node(t, name, [site.place], [], { host }));
  const theirs = await squid(t, ports, [
    ...members.map(
      ({ name, weight, host }, at) =>
        `cache_peer ${host} parent ${nodes[at]?.door.port} 0 carp no-query no-digest name=${name} weight=${weight}`,
    ),
    'never_direct allow all',
  ]);
  const array = new CarpArray(members);
  for (let n = 0; n < 40; n++) {
    const url = site.url(`/object/${n}`);
    assert.equal((await theirs.get(url)).body, `content of /object/${n}`);
    const asked = members.filter((_, at) => nodes[at]?.sent.includes(`GET ${url} origin`));
    assert.deepEqual(
      asked.map(({ name }) => name),
      [array.order(url)[0]?.name],
      url,
    );
  }
});

test('a squid that dies costs us the time-out once; when we die, squid goes on', {
  skip: withoutSquid,
}, async (t) => {
  const ports = await squidPorts();
  const site = await origin(t);
  const peer = { role: 'parent', host: squidHost, port: ports.http, icpPort: ports.icp } as const;
  const ours = await node(t, 'ours', [site.place], [peer], { timeoutMs: 500 });
  const theirs = await squid(t, ports, [
    `cache_peer ${ourHost} sibling ${ours.door.port} ${ours.peers.icpPort} no-digest`,
  ]);
  await ours.get(site.url('/alive'));
  await theirs.get(site.url('/alive'));
  await ours.door[Symbol.asyncDispose]();
  assert.equal((await theirs.get(site.url('/without-us'))).body, 'content of /without-us');
  const dead = await node(t, 'dead', [site.place], [peer], { timeoutMs: 500 });
  await dead.get(site.url('/before'));
  await theirs.squid.kill();
  const took: number[] = [];
  for (let n = 0; n < 25; n++) {
    const start = performance.now();
    assert.equal((await dead.get(site.url(`/after/${n}`))).body, `content of /after/${n}`);
    took.push(performance.now() - start);
  }
  assert.ok((took[0] ?? 0) >= 490, `the first took ${took[0]} ms`);
  const [state] = dead.peers.status();
  assert.ok(state?.state === 'silent' || state?.state === 'dead', state?.state);
  const later = took.slice(1).sort((a, b) => a - b);
  assert.ok((later[12] ?? 0) < 490, `half of the others took more than ${later[12]} ms`);
  assert.equal(dead.sent.filter((line) => line.endsWith('origin')).length, 25);
});
