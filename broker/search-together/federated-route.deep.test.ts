import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
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

test('a federated search connects to no private address, whatever its name resolves to', async () => {
  const connected: string[] = [];
  const watch = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    socket.on('connect', () => connected.push(`${socket.remoteAddress}:${socket.remotePort}`));
  };
  await using inner = await misbehaving('/', (_, response) => response.end());
  await using outer = await misbehaving('/statistics', (_, response) =>
    response.writeHead(302, { location: inner.url }).end(),
  );
  await using client = new HttpClient({
    ...{ userAgent: 'test', allowHosts: [outer.url], delayMs: 0, retries: 0 },
    lookup: (name, _, callback) =>
      callback(null, [{ address: name === 'inner.example' ? '10.0.0.1' : '192.0.2.1', family: 4 }]),
  });
  const why: Readonly<Record<string, RegExp>> = {
    'http://169.254.169.254/': /private address/,
    [inner.url]: /private address/,
    'http://inner.example/': /private address/,
    [outer.url]: /redirects/,
  };
  channel('net.client.socket').subscribe(watch);
  try {
    const answer = await searchFederated(
      {
        brokers: () => Object.keys(why).map((url) => ({ url, name: url })),
        ...{ fetch: client.fetch, check: client.check, clock: systemClock, deadlineMs: 10_000 },
      },
      {
        parameters: { q: 'tide', limit: 10, offset: 0, sources: [], types: [] },
        ...{ max: 16, deadlineMs: 10_000, signal: new AbortController().signal },
      },
    );
    const reasons = [
      ...answer.brokers.map(({ name, error }) => [name, error] as const),
      ...answer.omitted.map((one) => [one.name, one.why] as const),
    ];
    assert.equal(reasons.length, 4);
    for (const [name, reason] of reasons) assert.match(reason ?? '', why[name] ?? /never/, name);
    assert.deepEqual(answer.coverage, { answered: 0, asked: 2 });
    assert.equal(answer.omittedTotal, 2);
  } finally {
    channel('net.client.socket').unsubscribe(watch);
  }
  assert.deepEqual(connected, [new URL(outer.url).host]);
});

test('the parameters of a federated search are bounded', () => {
  const read = (query: Readonly<Record<string, string>>) =>
    federatedSearch(
      {
        ...{ method: 'GET', url: '/', path: '/', params: {}, headers: {}, body: new Uint8Array() },
        ...{ query: { q: 'x', ...query }, queries: {}, signal: new AbortController().signal },
      },
      2000,
    );
  const { max, deadlineMs, parameters } = read({});
  assert.deepEqual([max, deadlineMs, parameters.fold], [16, 2000, true]);
  assert.equal(read({ brokers: '64' }).max, 64);
  assert.equal(read({ deadline: '0.25' }).deadlineMs, 250);
  assert.deepEqual(
    [read({ deadline: '2s' }).deadlineMs, read({ deadline: '500ms' }).deadlineMs],
    [2000, 500],
  );
  assert.equal(read({ fold: '0' }).parameters.fold, false);
  for (const brokers of ['0', '65', '-1', 'x', '1e1'])
    assert.throws(() => read({ brokers }), /brokers must be/);
  for (const deadline of ['0', '0s', '3s', '2.1', '-1', 'x', '1e1', '0.0001'])
    assert.throws(() => read({ deadline }), /deadline must be .* registry\.deadline/);
});
