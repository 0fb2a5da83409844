import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import type { Identity } from '../../soif/index.ts';
import { objectsUnproved } from '../events.ts';
import { OpenBroker, Source, scratch } from '../testing/topic.ts';

/** A site whose document names these servers. */
async function openSite() {
  let servers: readonly unknown[] = [];
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.end(JSON.stringify({ servers }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    asked: () => asked,
    name: ({ serverId, publicKey }: Identity, prefix = url) => {
      servers = [{ id: serverId, key: Buffer.from(publicKey).toString('base64url'), prefix }];
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a Broker that requires proof keeps the objects of the Gatherer that a site names, and not those of a liar', async () => {
  await using folder = await scratch();
  const path = join(folder.path, 'broker');
  await using site = await openSite();
  await using honest = await Source.open(join(folder.path, 'honest'));
  await using liar = await Source.open(join(folder.path, 'liar'));
  honest.site = liar.site = site.url;
  site.name(honest.folder.identity);
  const put = (source: Source, ...names: readonly string[]) =>
    source.folder.store.apply(names.map((name) => source.put(name, `alpha ${name}`)));
  await put(honest, 'a', 'b');
  await put(liar, 'x', 'y', 'z');
  await using client = new HttpClient({ userAgent: 'test', allowHosts: [site.url], delayMs: 0, retries: 0 });
  const clock = new ManualClock(Date.now());
  const open = async () => {
    const opened = await OpenBroker.open(path, [honest.url, liar.url], { proofFetch: client.fetch, clock });
    opened.broker.start();
    return opened;
  };
  const events: number[] = [];
  const stop = objectsUnproved.subscribe(({ objects }) => events.push(objects));
  let topic = await open();
  const names = async () => (await topic.urls('alpha')).map((url) => url.replace(site.url, ''));
  try {
    const tick = async () => {
      clock.advance(3_600_000);
      await topic.broker.orders.proved?.tick(new AbortController().signal);
      await topic.fresh();
      return names();
    };
    const errors = () => topic.broker.collector.status.map(({ error }) => error);
    await topic.fresh();
    assert.deepEqual(await names(), ['a', 'b']);
    assert.deepEqual([events, site.asked()], [[3], 1]);
    assert.deepEqual(errors()[0], null);
    assert.match(errors()[1] ?? '', /keeps out 3 of its objects/);
    await topic.fresh();
    assert.deepEqual([events, site.asked()], [[3], 1], 'what was kept out is not requested again');

    await topic[Symbol.asyncDispose]();
    topic = await open();
    await topic.fresh();
    assert.match(errors()[1] ?? '', /keeps out 3 of its objects/, 'it is known after a restart');
    await liar.folder.store.apply([{ kind: 'delete', oid: liar.oid('z') }]);
    await topic.fresh();
    assert.match(errors()[1] ?? '', /keeps out 2 of its objects/);

    // The site changes sides: what it proves by now returns, what it no longer proves goes when it changes or is renewed.
    site.name(liar.folder.identity);
    assert.deepEqual(await tick(), ['a', 'b', 'x', 'y']);
    assert.deepEqual(errors(), [null, null]);
    await honest.folder.store.apply([honest.put('a', 'alpha changed')]);
    await topic.fresh();
    assert.deepEqual(await names(), ['b', 'x', 'y']);
    assert.match(errors()[0] ?? '', /keeps out 1 of its objects/);
    await honest.folder.store.apply([honest.put('b', 'alpha b', Math.floor(Date.now() / 1000) + 60)]);
    await topic.fresh();
    assert.deepEqual(await names(), ['x', 'y'], 'it is not renewed either');
    assert.match(errors()[0] ?? '', /keeps out 2 of its objects/);
    site.name(honest.folder.identity, `${site.url}a`);
    assert.deepEqual(await tick(), ['a', 'x', 'y']);
    site.name(honest.folder.identity);
    assert.deepEqual(await tick(), ['a', 'b', 'x', 'y']);
    assert.equal(errors()[0], null);
  } finally {
    stop();
    await topic[Symbol.asyncDispose]();
  }
});
