import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { wholeOf } from '../testing/whole-digest.ts';
import { CacheDigest } from './digest.ts';
import { openPeers, type Peers, type PeersOptions } from './open-peers.ts';
import { originProbe } from './origin-probe.ts';

const host = '127.0.0.1';
const stored = 'http://origin.example/stored';
const other = 'http://origin.example/other';

async function node(
  t: TestContext,
  more: Partial<PeersOptions>,
  has: readonly string[] = [],
): Promise<Peers> {
  const peers = await openPeers({
    peers: [],
    host,
    lookup: { has: (url) => has.includes(url), isFresh: () => true },
    clear: () => false,
    random: seededRandom(5),
    ...more,
  });
  t.after(() => peers[Symbol.asyncDispose]());
  return peers;
}

const routes = (peers: Peers, url: string) =>
  peers.router.routes({
    method: 'GET',
    url,
    fields: [],
    fromCache: false,
    signal: new AbortController().signal,
  });

/** Containers often have none; then there is nothing to be tried. */
const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((own) => own?.address === '::1');

/** A free UDP port, to be taken at once. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

test('a miss is asked about at a sibling and a parent of our own kind, by ICP and by HTCP', async (t) => {
  const above = await node(t, { icpPort: 0 });
  const beside = await node(t, { htcpPort: 0 }, [stored]);
  const here = await node(t, {
    peers: [
      { role: 'parent', host, port: 81, icpPort: above.icpPort },
      { role: 'sibling', host, port: 82, htcpPort: beside.htcpPort },
    ],
  });
  assert.deepEqual(await routes(here, stored), [
    { to: 'sibling', host, port: 82, because: 'htcp-hit' },
    { to: 'parent', host, port: 81, because: 'next-parent' },
    { to: 'origin' },
  ]);
  assert.deepEqual(await routes(here, other), [
    { to: 'parent', host, port: 81, because: 'first-parent-miss' },
    { to: 'origin' },
  ]);
  const [first, second] = here.status();
  assert.equal(first?.answered, 2);
  assert.deepEqual([second?.hits, second?.misses], [1, 1]);
  assert.equal(above.counts().icp?.misses, 2);
  assert.equal(beside.counts().htcp?.hits, 1);
});

test('one socket asks over IPv4, and over IPv6 where there is any', async (t) => {
  const own = hasIpv6 ? '::1' : host;
  const one = await node(t, { host: own, icpPort: 0, htcpPort: 0 }, [stored]);
  const four = await node(t, { icpPort: 0 }, [stored]);
  const here = await node(t, {
    host: hasIpv6 ? '::' : '0.0.0.0',
    peers: [
      { role: 'sibling', host: own, port: 81, icpPort: one.icpPort },
      { role: 'sibling', host: own, port: 82, htcpPort: one.htcpPort },
      { role: 'sibling', host, port: 83, icpPort: four.icpPort },
    ],
  });
  assert.equal((await routes(here, stored)).length, 2);
  await routes(here, other);
  assert.deepEqual(
    here.status().map(({ answered }) => answered),
    [2, 2, 2],
  );
  assert.ok(here.isPeer(own) && here.isPeer('::ffff:127.0.0.1') && !here.isPeer('::2'));
});

test('an unpermitted query is refused, and after a hundred refusals a node sends no more', async (t) => {
  const strict = await node(t, { icpPort: 0, askFrom: ['192.0.2.0/24'] }, [stored]);
  const here = await node(t, { peers: [{ role: 'sibling', host, port: 81, icpPort: strict.icpPort }] });
  for (let n = 0; n < 100; n++) assert.deepEqual(await routes(here, stored), [{ to: 'origin' }]);
  assert.equal(here.status()[0]?.state, 'denying');
  await routes(here, stored);
  assert.equal(here.status()[0]?.asked, 100);
});

test('a purge is passed on to peers by HTCP, which obey only permitted caches', async (t) => {
  const cleared: string[] = [];
  const clear = (url: string) => cleared.push(url) > 0;
  const strict = await node(t, { htcpPort: 0, clear: () => assert.fail('it may not') });
  const obeying = await node(t, { htcpPort: 0, clear, clearFrom: ['loopback'] });
  const here = await node(t, {
    peers: [strict, obeying].map(({ htcpPort }, n) => ({ role: 'sibling', host, port: 81 + n, htcpPort })),
  });
  here.clear(stored);
  // An answer to a question that was sent after it says that it has arrived.
  await routes(here, stored);
  assert.deepEqual(cleared, [stored]);
  assert.equal(strict.counts().htcp?.denied, 1);
});

test('RFC 2756 2: between peers with a key nothing counts that is not signed with it, and what is signed does', async (t) => {
  const cleared: string[] = [];
  const clear = (url: string) => cleared.push(url) > 0;
  const [theirPort, ourPort] = [await freePort(), await freePort()];
  const their = { role: 'sibling', host, port: 81, htcpPort: theirPort, htcpKey: 'k' } as const;
  const our = { role: 'sibling', host, port: 82, htcpPort: ourPort, htcpKey: 'k', mayClear: true } as const;
  const htcpKeys = new Map([['k', 'a-long-secret']]);
  // One has an address of its own, the other all there are.
  await node(t, { peers: [our], htcpPort: theirPort, htcpKeys, clear, host: '0.0.0.0' }, [stored]);
  {
    await using here = await openPeers({
      ...{ peers: [their], host, htcpPort: ourPort, htcpKeys, random: seededRandom(5), clear: () => false },
      lookup: { has: () => false, isFresh: () => false },
    });
    assert.deepEqual((await routes(here, stored))[0], {
      ...{ to: 'sibling', host, port: 81, because: 'htcp-hit' },
    });
    here.clear(stored);
    await routes(here, stored);
    assert.deepEqual(cleared, [stored]);
  }
  for (const keys of [undefined, new Map([['k', 'another-secret']])]) {
    const { htcpKey: _, ...unsigned } = their;
    await using stranger = await openPeers({
      ...{
        peers: [keys ? their : unsigned],
        host,
        htcpPort: ourPort,
        timeoutMs: 100,
        random: seededRandom(6),
      },
      ...(keys && { htcpKeys: keys }),
      ...{ clear: () => false, lookup: { has: () => false, isFresh: () => false } },
    });
    stranger.clear(stored);
    assert.deepEqual(await routes(stranger, stored), [{ to: 'origin' }]);
    const [status] = stranger.status();
    // A peer without a key gets the reason; for one with a key, an answer with another signature is invalid.
    assert.equal(status?.denied, keys ? 0 : 1);
  }
  // Nor from another port of the same machine.
  await using beside = await openPeers({
    ...{ peers: [{ role: 'sibling', host, port: 81, htcpPort: theirPort }], host, timeoutMs: 100 },
    ...{ clear: () => false, lookup: { has: () => false, isFresh: () => false } },
  });
  beside.clear(stored);
  await routes(beside, stored);
  assert.equal(beside.status()[0]?.denied, 1);
  assert.deepEqual(cleared, [stored]);
  await assert.rejects(node(t, { peers: [{ ...their, htcpKey: 'none' }], htcpKeys }), { code: 'CACHE_PEER' });
  await assert.rejects(node(t, { peers: [{ role: 'parent', host, port: 1, htcpKey: 'k' }], htcpKeys }), {
    code: 'CACHE_PEER',
  });
});

test('the rights of a peer with a key do not extend to one without at the same address', async (t) => {
  const cleared: string[] = [];
  const [keyPort, barePort, ourPort] = [await freePort(), await freePort(), await freePort()];
  await node(t, {
    peers: [
      { role: 'sibling', host, port: 82, htcpPort: keyPort, htcpKey: 'k', mayClear: true },
      { role: 'sibling', host, port: 83, htcpPort: barePort },
    ],
    ...{ htcpPort: ourPort, htcpKeys: new Map([['k', 'a-long-secret']]) },
    clear: (url: string) => cleared.push(url) > 0,
  });
  await using bare = await openPeers({
    ...{ peers: [{ role: 'sibling', host, port: 81, htcpPort: ourPort }], host, htcpPort: barePort },
    ...{ clear: () => false, lookup: { has: () => false, isFresh: () => false } },
  });
  bare.clear(stored);
  // It may ask all the same; the answer says that what was sent before has arrived.
  await routes(bare, stored);
  assert.deepEqual([cleared, bare.status()[0]?.denied], [[], 0]);
});

test('our digest has what is stored, and a node with it sends no queries', async (t) => {
  const clock = new ManualClock();
  const contents = {
    entries: () => 1,
    keys: async function* () {
      yield stored;
    },
  };
  const beside = await node(t, { clock, contents });
  await beside.renewDigest();
  beside.stored(`${stored}/later`);
  const path = '/squid-internal-periodic/store_digest';
  const ours = new Set(['127.0.0.1:82']);
  const asked = (target: string, method = 'GET', clientAddress = host) =>
    beside.digestAnswer({ method, target, clientAddress }, ours);
  const answer = asked(`http://127.0.0.1:82${path}`);
  assert.equal(answer?.status, 200);
  assert.equal(asked(path, 'HEAD')?.status, 200);
  assert.equal(asked(path, 'GET', '::ffff:127.0.0.1')?.status, 200);
  assert.equal(asked(path, 'GET', '192.0.2.1')?.status, 403, 'a stranger may not know what is stored');
  for (const not of [`http://127.0.0.1:83${path}`, 'http://127.0.0.1:82/other', `/x${path}`])
    assert.equal(asked(not), undefined, not);
  assert.equal(asked(path, 'POST'), undefined);
  assert.ok(answer.content && !(answer.content instanceof Uint8Array));
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.content) {
    pieces.push(piece);
    // The mask comes after a pause.
    setImmediate(() => clock.advance(100));
  }
  assert.deepEqual(
    pieces.map(({ length }) => length),
    [128, 625],
  );
  const bytes = Buffer.concat(pieces);
  const here = await node(t, {
    clock,
    peers: [{ role: 'sibling', host, port: 82, digest: true }],
    fetchDigest: async ({ port }) => {
      assert.equal(port, 82);
      return { bytes };
    },
  });
  await new Promise((resolve) => setImmediate(resolve));
  for (const url of [stored, `${stored}/later`])
    assert.deepEqual((await routes(here, url))[0], { to: 'sibling', host, port: 82, because: 'digest-hit' });
  assert.equal(here.status()[0]?.digestEntries, 2);
});

test('a digest that is not renewed is thrown away after two hours', async (t) => {
  const clock = new ManualClock();
  let asked = 0;
  const digest = CacheDigest.empty(10);
  digest.add(stored);
  const here = await node(t, {
    clock,
    peers: [{ role: 'sibling', host, port: 82, digest: true }],
    fetchDigest: async () => (asked++ === 0 ? { bytes: wholeOf(digest) } : undefined),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  for (let minute = 0; minute < 119; minute++) {
    assert.equal((await routes(here, stored)).length, 2, `after ${minute} minutes`);
    clock.advance(60_000);
    await settle();
  }
  for (let minute = 0; minute < 12; minute++) {
    clock.advance(60_000);
    await settle();
  }
  assert.deepEqual(await routes(here, stored), [{ to: 'origin' }]);
  assert.ok(asked > 5 && asked < 30, `asked ${asked} times`);
});

test('a peer that failed over HTTP is tried until it takes connections', async (t) => {
  const clock = new ManualClock();
  let there = false;
  let tries = 0;
  const here = await node(t, {
    clock,
    peers: [{ role: 'parent', host, port: 82 }],
    reachable: async () => {
      tries++;
      return there;
    },
  });
  const route = { to: 'parent', host, port: 82, because: 'default' } as const;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  here.router.outcome(route, 'failed');
  here.router.outcome(route, 'failed');
  assert.deepEqual(await routes(here, stored), [{ to: 'origin' }]);
  for (let second = 0; second < 20; second++) {
    clock.advance(1000);
    await settle();
  }
  assert.equal(tries, 4, 'after 1, 3, 7 and 15 seconds');
  there = true;
  clock.advance(30_000);
  await settle();
  assert.deepEqual(await routes(here, stored), [route, { to: 'origin' }]);
});

test('peers come and go while a node runs; two at one place are refused', async (t) => {
  const here = await node(t, {});
  await here.add({ role: 'parent', host, port: 82 });
  await assert.rejects(here.add({ role: 'sibling', host, port: 82 }), { code: 'CACHE_PEER' });
  assert.equal((await routes(here, stored)).length, 2);
  here.remove(host, 82);
  assert.deepEqual(await routes(here, stored), [{ to: 'origin' }]);
});

test('a port that is taken and a source that is none are typed errors', async (t) => {
  const first = await node(t, { icpPort: await freePort() });
  await assert.rejects(node(t, { icpPort: first.icpPort }), {
    code: 'CACHE_UDP_PORT',
    message: `UDP port ${first.icpPort} of 127.0.0.1 cannot be opened: it is already in use`,
    hint: /--icp-port/,
  });
  await assert.rejects(node(t, { icpPort: 0, askFrom: ['loopback', 'x.example'] }), { code: 'CACHE_SOURCE' });
});

test('an origin races by taking a connection; a private address only when it was named', async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const { signal } = new AbortController();
  const url = `http://${host}:${address.port}/x`;
  await originProbe((_host, port) => port === address.port)(url, signal);
  const strict = originProbe(() => false);
  await assert.rejects(strict(url, signal), /private/);
  await assert.rejects(strict(`http://localhost:${address.port}/x`, signal), /private/);
  const left = new AbortController();
  left.abort();
  await assert.rejects(originProbe(() => true)(url, left.signal), { name: 'AbortError' });
});

test('a peer with addresses of both kinds is asked at one that datagrams leave for', async (t) => {
  const beside = await node(t, { icpPort: 0 }, [stored]);
  const here = await node(t, {
    peers: [{ role: 'sibling', host: 'both.example', port: 81, icpPort: beside.icpPort }],
    resolve: async () => ['2001:db8::1', host],
    timeoutMs: 500,
  });
  assert.deepEqual((await routes(here, stored))[0], {
    ...{ to: 'sibling', host: 'both.example', port: 81, because: 'icp-hit' },
  });
});

test('a digest that says yes to nearly everything is as good as none', async (t) => {
  const full = CacheDigest.empty(100);
  for (let n = 0; n < 400; n++) full.add(`http://origin.example/${n}`);
  assert.ok(full.saysNothing);
  const fair = CacheDigest.empty(100);
  for (let n = 0; n < 100; n++) fair.add(`http://origin.example/${n}`);
  assert.equal(fair.saysNothing, false);
  for (const digest of [full, fair]) {
    let fetched = 0;
    const here = await node(t, {
      peers: [{ role: 'sibling', host, port: 81, digest: true }],
      fetchDigest: async () => {
        fetched++;
        return { bytes: wholeOf(digest) };
      },
    });
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(fetched, 1);
    assert.equal(here.status()[0]?.digestEntries, digest === fair ? 100 : undefined);
  }
});
