import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock, systemRandom } from '../kernel/index.ts';
import { ObjectStore, openDatabase } from '../store/index.ts';
import { startServer, temporaryFolder } from './commands/command.ts';
import { collectInto, dial, SyntheticSource } from './synthetic-source.ts';
import { TcpProxy } from './tcp-proxy.ts';

test('an unchanged round costs under 200 bytes both ways, the same for 100 and for 100,000 objects', async (t) => {
  const costs = new Map<number, number[]>();
  for (const count of [100, 100_000]) {
    await using source = await SyntheticSource.open(count, 40);
    const copy = await source.copy();
    await source.fill(copy);
    assert.equal((await source.store.state()).count, count);
    // Bytes are counted on the connection, WebSocket framing included.
    await using proxy = await TcpProxy.open(source.port);
    await using session = await dial(proxy.url);
    const handshake = [proxy.up, proxy.down];
    const rounds: string[] = [];
    const totals: number[] = [];
    for (let round = 0; round < 3; round++) {
      const before = [proxy.up, proxy.down] as const;
      const report = await collectInto(copy, session);
      assert.deepEqual([report.schemes, report.learned, report.forgotten], [[], 0, 0]);
      const [up, down] = [proxy.up - before[0], proxy.down - before[1]];
      assert.deepEqual(
        [report.bytesUp, report.bytesDown],
        [up, down],
        'the report differs from the counted bytes',
      );
      rounds.push(`${up}+${down}`);
      totals.push(up + down);
    }
    costs.set(count, totals);
    t.diagnostic(
      `${count} objects: handshake and hello ${handshake.join('+')} bytes up+down, unchanged rounds ${rounds.join(', ')}`,
    );
  }
  const [few = [], many = []] = [...costs.values()];
  assert.ok(Math.max(...few, ...many) < 200, `rounds took ${few} and ${many} bytes`);
  // A few bytes: a number in the request may be longer.
  for (const [round, bytes] of few.entries())
    assert.ok(Math.abs((many[round] ?? 0) - bytes) <= 8, `round ${round}: ${bytes} and ${many[round]} bytes`);
});

test('ten Brokers collect from one Gatherer and the provider is read once', async (t) => {
  const asked = new Map<string, number>();
  const pages = 40;
  await using provider = await new Promise<AsyncDisposable & { url: string }>((resolve) => {
    const server = createServer(({ url = '', headers }, response) => {
      asked.set(url, (asked.get(url) ?? 0) + 1);
      const n = /^\/page-(\d+)$/.exec(url)?.[1];
      if (url !== '/' && n === undefined) return response.writeHead(404).end();
      const etag = `"${url}"`;
      if (headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
      const links = Array.from({ length: pages }, (_, i) => `<a href="/page-${i}">${i}</a>`).join(' ');
      const body = `<title>Page ${n}</title><p>This is page ${n}.</p>${n === undefined ? links : ''}`;
      response.writeHead(200, { etag, 'content-type': 'text/html' }).end(body);
    });
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        [Symbol.asyncDispose]: async () => {
          server.closeAllConnections();
          await new Promise((done) => server.close(done));
        },
      }),
    );
  });
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  await using gatherer = await startServer<{ collect: string }>([
    'gatherer',
    'serve',
    '--root',
    provider.url,
    '--data',
    data,
    '--port',
    '0',
  ]);
  while (!gatherer.log.some(({ msg }) => msg === 'run'))
    await new Promise((resolve) => setImmediate(resolve));
  let bytes = 0;
  for (let n = 0; n < 10; n++) {
    await using copy = await ObjectStore.open(await openDatabase(join(folder.path, `broker-${n}`)), {
      clock: systemClock,
      random: systemRandom,
    });
    await using session = await dial(gatherer.ready.collect);
    const first = await collectInto(copy, session);
    assert.equal(first.learned, pages + 1);
    assert.deepEqual((await collectInto(copy, session)).schemes, []);
    bytes += first.bytesUp + first.bytesDown;
  }
  const often = [...asked].filter(([, times]) => times > 1);
  t.diagnostic(`${asked.size} URLs requested once each; ${bytes} bytes on the wire for ten Brokers`);
  assert.deepEqual(often, []);
  assert.ok(asked.size > pages);
});
