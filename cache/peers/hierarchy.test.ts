import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { CacheNode, CountingOrigin, ourHost } from '../testing/cache-node.ts';
import { decodeIcp, encodeIcp } from './icp.ts';
import type { PeerConfig } from './peer.ts';

async function origin(t: TestContext): Promise<CountingOrigin> {
  const opened = await CountingOrigin.open();
  t.after(() => opened[Symbol.asyncDispose]());
  return opened;
}

async function node(t: TestContext, ...args: Parameters<typeof CacheNode.open>): Promise<CacheNode> {
  const opened = await CacheNode.open(...args);
  t.after(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** A node as another's peer, queried by ICP. */
const peerOf = (role: PeerConfig['role'], { door, peers }: CacheNode): PeerConfig => ({
  role,
  host: ourHost,
  port: door.port,
  icpPort: peers.icpPort,
});

test('three levels: a thousand requests of ten children at once are one request at the origin', async (t) => {
  const site = await origin(t);
  // A thousand requests may keep this process busy for longer than a peer has, or than the origin takes.
  const patient = { timeoutMs: 60_000, raceAfterMs: 60_000 };
  const root = await node(t, 'root', [site.place]);
  const middle = await node(t, 'middle', [site.place], [peerOf('parent', root)], patient);
  const leaves: CacheNode[] = [];
  for (let n = 0; n < 10; n++)
    leaves.push(await node(t, `leaf-${n}`, [site.place], [peerOf('parent', middle)], patient));
  const got = await Promise.all(
    Array.from({ length: 1000 }, (_, n) => leaves[n % 10]?.get(site.url('/popular'))),
  );
  assert.deepEqual(new Set(got.map((each) => each?.body)), new Set(['content of /popular']));
  assert.equal(site.count('/popular'), 1);
  for (const leaf of leaves)
    assert.deepEqual(leaf.sent, [`GET ${site.url('/popular')} parent first-parent-miss`]);
  assert.deepEqual(root.sent, [`GET ${site.url('/popular')} origin`]);
});

test('RFC 9211 2: each level says what it did, the one nearest to the origin first', async (t) => {
  const site = await origin(t);
  const root = await node(t, 'root', [site.place]);
  const middle = await node(t, 'middle', [site.place], [peerOf('parent', root)]);
  const leaf = await node(t, 'leaf', [site.place], [peerOf('parent', middle)]);
  const { headers } = await leaf.get(site.url('/path'));
  const members = String(headers['cache-status']).split(', ');
  assert.deepEqual(
    members.map((member) => member.split(';')[0]),
    ['root', 'middle', 'leaf'],
  );
  assert.match(members[1] ?? '', /detail=parent-first-parent-miss/);
  assert.equal(headers.via, '1.1 root, 1.1 middle, 1.1 leaf');
  const again = await middle.get(site.url('/path'));
  assert.match(String(again.headers['cache-status']), /^root; fwd.*, middle; hit/);
});

test('a dead parent costs the time-out once, whether it is silent to questions or to connections', async (t) => {
  const site = await origin(t);
  // Takes connections and says nothing: the worst kind of dead.
  const silent = createServer().listen(0, ourHost);
  await once(silent, 'listening');
  t.after(() => silent.close());
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const gone = await CacheNode.open('gone', [site.place]);
  const dead = peerOf('parent', gone);
  await gone[Symbol.asyncDispose]();
  const leaf = await node(t, 'leaf', [site.place], [dead], { timeoutMs: 400 });
  const bound = await node(
    t,
    'bound',
    [site.place],
    [{ role: 'parent', host: ourHost, port, domains: ['127.0.0.1'] }],
    {
      silenceMs: 400,
      reachable: async () => false,
    },
  );
  for (const [each, state] of [
    [leaf, 'silent'],
    [bound, 'down'],
  ] as const) {
    const start = performance.now();
    assert.equal((await each.get(site.url('/0'))).status, 200);
    const took = performance.now() - start;
    assert.ok(took >= 390, `the first took ${took} ms`);
    assert.equal(each.peers.status()[0]?.state, state);
    // A silent peer is not waited for (peer-router.test.ts has the times), and one that is down is not tried.
    for (let n = 1; n < 10; n++) assert.equal((await each.get(site.url(`/${n}`))).status, 200);
    const tried = each.sent.filter((line) => !line.endsWith('origin'));
    assert.equal(tried.length, each === bound ? 1 : 0, tried.join());
  }
});

test('a parent that gets requests without a question and then hangs costs less than the race, and that once', async (t) => {
  const site = await origin(t);
  let hangs = false;
  let tried = 0;
  const http = createHttpServer((_request, response) => {
    tried++;
    if (!hangs) response.end('of the parent');
  });
  const udp = createSocket('udp4', (datagram, { address, port }) => {
    const query = decodeIcp(datagram);
    const reply = query && encodeIcp({ kind: 'miss', requestNumber: query.requestNumber, url: query.url });
    if (reply && !hangs) udp.send(reply, port, address);
  });
  http.listen(0, ourHost);
  udp.bind(0, ourHost);
  await Promise.all([once(http, 'listening'), once(udp, 'listening')]);
  t.after(() => {
    http.closeAllConnections();
    http.close();
    udp.close();
  });
  const { port } = http.address() as AddressInfo;
  const parent = { role: 'parent', host: ourHost, port, icpPort: udp.address().port } as const;
  const more = { probeOrigin: async () => {}, raceAfterMs: 60_000, timeoutMs: 120_000 };
  const leaf = await node(t, 'leaf', [site.place], [parent], more);
  for (let n = 0; n < 17; n++) assert.equal((await leaf.get(site.url(`/${n}`))).body, 'of the parent');
  assert.match(leaf.sent.at(-1) ?? '', /parent only-parent$/);
  hangs = true;
  const start = performance.now();
  assert.equal((await leaf.get(site.url('/hangs'))).body, 'content of /hangs');
  const took = performance.now() - start;
  assert.ok(took < 60_000, `it took ${took} ms`);
  for (let n = 0; n < 5; n++)
    assert.equal((await leaf.get(site.url(`/later/${n}`))).body, `content of /later/${n}`);
  assert.equal(tried, 18);
});

test('a request that a parent cannot fetch goes past it; when no route works, its own answer is sent', async (t) => {
  // Answers all requests except those through the parents, and none below /gone.
  const picky = createHttpServer((request, response) => {
    if (/1\.1 (left|right)/.test(request.headers.via ?? '') || request.url?.startsWith('/gone'))
      response.destroy();
    else response.end(`${request.method} of ${request.url}`);
  });
  picky.listen(0, '127.0.0.1');
  await once(picky, 'listening');
  t.after(() => {
    picky.closeAllConnections();
    picky.close();
  });
  const place = `http://127.0.0.1:${(picky.address() as AddressInfo).port}`;
  const left = await node(t, 'left', [place]);
  const right = await node(t, 'right', [place]);
  const leaf = await node(t, 'leaf', [place], [peerOf('parent', left), peerOf('parent', right)]);
  const got = await leaf.get(`${place}/here`);
  assert.equal(got.status, 200);
  assert.equal(got.body, 'GET of /here');
  assert.equal(leaf.sent.length, 3, leaf.sent.join());
  assert.ok(left.sent.length === 1 && right.sent.length === 1);
  assert.deepEqual(
    leaf.peers.status().map(({ state, lame }) => `${state} ${lame}`),
    ['up 1', 'up 1'],
  );
  const next = await leaf.get(`${place}/next`);
  assert.equal(next.body, 'GET of /next');
  assert.equal(leaf.sent.length, 4, 'lame ones are not tried first');
  const other = await node(t, 'other', [place], [{ ...peerOf('parent', left), icpPort: 0 }]);
  const gone = await other.get(`${place}/gone`);
  assert.equal(gone.status, 502);
  assert.match(String(gone.headers['proxy-status']), /^left; error=/);
  assert.deepEqual(
    other.sent.map((line) => line.replace(place, '')),
    ['GET /gone parent default', 'GET /gone origin'],
  );
});

test('two nodes that have each other as parents do not send a request round and round', async (t) => {
  const site = await origin(t);
  const first = await node(t, 'first', [site.place]);
  const second = await node(t, 'second', [site.place], [peerOf('parent', first)]);
  await first.peers.add(peerOf('parent', second));
  const got = await first.get(site.url('/round'));
  assert.equal(got.body, 'content of /round');
  assert.ok(first.sent.length + second.sent.length <= 4, [...first.sent, ...second.sent].join('\n'));
});

test('siblings that know nothing of each other but digests share what they have', async (t) => {
  const site = await origin(t);
  const left = await node(t, 'left', [site.place]);
  for (let n = 0; n < 30; n++) await left.get(site.url(`/${n}`));
  await left.peers.renewDigest();
  const place = `http://${ourHost}:${left.door.port}`;
  const right = await node(
    t,
    'right',
    [site.place, place],
    [{ role: 'sibling', host: ourHost, port: left.door.port, digest: true }],
  );
  for (let tries = 0; right.peers.status()[0]?.digestEntries === undefined && tries < 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  for (let n = 0; n < 30; n++) assert.equal((await right.get(site.url(`/${n}`))).body, `content of /${n}`);
  for (let n = 0; n < 30; n++) assert.equal(site.count(`/${n}`), 1);
  assert.equal((await right.get(site.url('/other'))).status, 200);
});
