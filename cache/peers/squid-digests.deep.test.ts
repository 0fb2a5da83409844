import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ourHost } from '../testing/cache-node.ts';
import { squidHost, squidPorts, withoutSquid } from '../testing/squid.ts';
import { allowPurge, node, origin, squid, until } from '../testing/squid-client.ts';

// Cache digests between Debian's squid and us, as siblings and along a line of parents.

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

  // Squid rebuilds its digest every two seconds; we send requests until it has everything.
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
