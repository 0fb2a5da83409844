import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import { serveHttp } from '../../http/index.ts';
import { type Clock, ManualClock, systemClock } from '../../kernel/index.ts';
import { brokerRoutes } from '../routes/routes.ts';
import { OpenBroker, Source, scratch } from '../testing/topic.ts';
import { federatedSearch } from './federated-route.ts';
import { searchFederated } from './federated-search.ts';

/** A server with one behaviour; `asked` resolves at its first request for `path`. */
async function misbehaving(
  path: string,
  behave: (request: IncomingMessage, response: ServerResponse) => void,
) {
  let note = () => {};
  const asked = new Promise<void>((resolve) => {
    note = resolve;
  });
  const server = createServer((request, response) => {
    behave(request, response);
    if (request.url?.startsWith(path)) note();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const statistics = JSON.stringify({ text: '[0]' });

test('a federated search waits for no Broker longer than its deadline, and names each that failed', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await source.folder.store.apply([source.put('harbour', 'the tide of the harbour')]);
  await using opened = await OpenBroker.open(join(folder.path, 'broker'), [source.url]);
  opened.broker.start();
  await opened.fresh();
  await using http = await serveHttp({
    ...{ routes: brokerRoutes(opened.broker), port: 0, clock: systemClock, title: 'Broker', version: '0' },
  });
  const silent = () => undefined;
  const endless = (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const fill = () => {
      while (response.write('x'.repeat(65_536)));
    };
    response.on('drain', fill);
    fill();
  };
  const answering =
    (body: string, status = 200, headers = {}) =>
    (_: IncomingMessage, response: ServerResponse) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  await using stalled = await misbehaving('/statistics', silent);
  await using late = await misbehaving('/search', (request, response) =>
    request.url?.startsWith('/statistics') ? answering(statistics)(request, response) : silent(),
  );
  await using huge = await misbehaving('/statistics', endless);
  await using garbled = await misbehaving('/statistics', answering('<html>'));
  await using failing = await misbehaving('/statistics', answering('{}', 500));
  await using redirecting = await misbehaving(
    '/statistics',
    answering('', 302, { location: 'http://169.254.169.254/latest/' }),
  );
  const others = { stalled, late, huge, garbled, failing, redirecting };
  const urls = [http.url, ...Object.values(others).map(({ url }) => url)];
  await using client = new HttpClient({ userAgent: 'test', allowHosts: urls, delayMs: 0, retries: 0 });
  const clock = new ManualClock();
  let waits = 0;
  const counted: Clock = {
    now: () => clock.now(),
    sleep: (ms, signal) => {
      waits++;
      return clock.sleep(ms, signal).finally(() => {
        waits--;
      });
    },
  };
  // One wait is that for the deadline, and each Broker that has not answered has one.
  const onlyOneIsMissing = async () => {
    while (waits !== 2) await new Promise((resolve) => setImmediate(resolve));
  };
  const brokers = [
    { url: http.url, name: 'harbour' },
    ...Object.entries(others).map(([name, { url }]) => ({ url, name })),
  ];
  const searching = searchFederated(
    { brokers: () => brokers, fetch: client.fetch, clock: counted, deadlineMs: 2000 },
    federatedSearch(
      {
        ...{ method: 'GET', url: '/federated?q=tide', path: '/federated', params: {}, headers: {} },
        ...{ query: { q: 'tide' }, queries: { q: ['tide'] }, body: new Uint8Array() },
        signal: new AbortController().signal,
      },
      2000,
    ),
  );
  await stalled.asked;
  await onlyOneIsMissing();
  // The counts of the terms get a part of the deadline, so that the search has the rest.
  clock.advance(800);
  await late.asked;
  await onlyOneIsMissing();
  clock.advance(1200);
  const answer = await searching;
  assert.deepEqual(
    answer.hits.map(({ title, broker }) => [title, broker]),
    [['Page harbour', http.url]],
  );
  const reasons = Object.fromEntries(answer.brokers.map(({ title, error }) => [title, error]));
  assert.deepEqual(
    Object.keys(reasons),
    brokers.map(({ name }) => name),
  );
  const why: Readonly<Record<string, RegExp>> = {
    stalled: /longer than 0.8 seconds/,
    late: /has not answered in 2 s/,
    huge: /larger than 262144 bytes/,
    garbled: /not JSON/,
    failing: /status 500/,
    redirecting: /redirects to another address/,
  };
  assert.equal(reasons.harbour, null);
  for (const [name, pattern] of Object.entries(why)) assert.match(reasons[name] ?? '', pattern, name);
});
