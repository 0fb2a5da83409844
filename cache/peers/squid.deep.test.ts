import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CacheNode, ourHost } from '../testing/cache-node.ts';
import { squidHost, squidPorts, withoutSquid } from '../testing/squid.ts';
import { allowPurge, node, origin, squid, until } from '../testing/squid-client.ts';
import { CarpArray } from './carp.ts';

// Debian's squid as our sibling, our parent and our child. Tests end with squid's own access log, word for word, and
// with what each URL was worth to the origin.

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
    // Squid writes a line some time after its answer, when the next one may be there already.
    return (await theirs.squid.transcript(0)).some((line) => /\/squid \S+ SIBLING_HIT/.test(line));
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
