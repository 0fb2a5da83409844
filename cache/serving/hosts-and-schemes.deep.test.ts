import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { systemClock } from '../../kernel/index.ts';
import { acceleratedHosts } from '../doors/accelerated-hosts.ts';
import type { HttpDoorOptions } from '../doors/door-options.ts';
import { openHttpDoor } from '../doors/http-door.ts';
import { localhostCertificate } from '../testing/certificate.ts';
import { type Bench, openBench } from '../testing/object-cache.ts';
import { exchange, statusOf, untilEnd } from '../testing/raw-client.ts';
import { cacheRoutes } from './cache-routes.ts';

const fresh = { 'Cache-Control': 'max-age=60' };

/** An origin that answers with the request that it got. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const { host, forwarded } = request.headers;
  const proto = request.headers['x-forwarded-proto'];
  response.writeHead(200, fresh).end(`<${host}${request.url} ${proto} ${forwarded}>`);
}

function doorOf(bench: Bench, more: Partial<HttpDoorOptions>) {
  return openHttpDoor({
    ...{ port: 0, clock: systemClock, pseudonym: 'test' },
    answer: (request) => bench.opened.cache.answer(request),
    ...more,
  });
}

const get = (target: string, host: string, more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;

test('hosts that are handed on are asked for by their names and have responses of their own', async () => {
  await using bench = await openBench(echo);
  const accelerator = acceleratedHosts([bench.url('')], { passHost: true });
  await using door = await doorOf(bench, { accelerator });
  const ask = (target: string, host: string, more = '') => exchange(door, get(target, host, more));
  assert.match(await ask('/', 'a.example'), /<a\.example\/ /);
  assert.match(await ask('/', 'b.example'), /<b\.example\/ /);
  assert.equal(bench.asked.length, 2);
  // The same host, however it is written.
  for (const [target, host] of [
    ['/', 'A.Example'],
    ['/', 'a.example:80'],
    ['http://A.example:80/', 'b.example'],
  ] as const)
    assert.match(await ask(target, host), /<a\.example\/ /);
  assert.equal(bench.asked.length, 2);
  // Another port is another site, to the origin and to the key.
  assert.match(await ask('/', 'a.example:81'), /<a\.example:81\/ /);
  assert.match(await ask('/', 'a.example'), /<a\.example\/ /);
  // A client's fields for another host are ignored.
  for (const field of [
    'X-Forwarded-Host',
    'X-Host',
    'X-Forwarded-Port',
    'X-Forwarded-Scheme',
    'Front-End-Https',
  ])
    await ask(`/${field}`, 'a.example', `${field}: evil\r\n`);
  assert.ok(bench.asked.every(({ rawHeaders }) => !rawHeaders.includes('evil')));
  assert.equal(statusOf(await ask('/', 'a.example', 'Host: b.example\r\n')), 400);
  assert.equal(statusOf(await ask('/', 'a.example/b')), 400);
  assert.equal(statusOf(await ask('/', 'u@a.example')), 400);
});

test('RFC 9110 7.4: a host that is not listed is misdirected (421)', async () => {
  await using bench = await openBench(echo);
  const hosts = ['a.example', '.b.example', 'c.example:81'];
  for (const passHost of [true, false]) {
    const accelerator = acceleratedHosts([bench.url(''), `own.example=${bench.url('')}`], {
      passHost,
      hosts,
    });
    await using door = await doorOf(bench, { accelerator });
    const status = async (host: string, target = '/') => statusOf(await exchange(door, get(target, host)));
    for (const host of [
      'a.example',
      'a.example:8080',
      'b.example',
      'x.b.example',
      'c.example:81',
      'own.example',
    ])
      assert.equal(await status(host), 200, host);
    for (const host of ['evil.example', 'x.a.example', 'a.example.', 'c.example', '127.0.0.1', '[::1]'])
      assert.equal(await status(host), 421, host);
    assert.equal(await status('a.example', 'http://evil.example/'), 421);
    assert.equal(await status('evil.example', 'http://a.example/'), 200);
  }
});

test('a proxy that hands hosts on keeps what it accelerates apart from what others serve', async () => {
  await using bench = await openBench(echo);
  const accelerator = acceleratedHosts([bench.url('')], { passHost: true, hosts: ['a.example'] });
  await using door = await doorOf(bench, { accelerator, proxy: true });
  assert.match(await exchange(door, get('http://a.example/x', 'a.example')), /<a\.example\/x /);
  assert.match(await exchange(door, get('/x', 'a.example')), /<a\.example\/x /);
  assert.equal(bench.asked.length, 1);
  assert.equal(statusOf(await exchange(door, get('/x', 'other.example'))), 421);
});

const certificate = localhostCertificate();
const withTls = { timeout: 20_000, ...(certificate === undefined && { skip: 'SKIPPED: needs openssl' }) };

async function overTls(port: number, bytes: string): Promise<string> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  socket.on('error', () => undefined);
  socket.write(bytes);
  return (await untilEnd(socket)).text;
}

/** An origin that wants everybody to come over TLS. */
function insists(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['x-forwarded-proto'] === 'https')
    return void response.writeHead(200, fresh).end('safe');
  response.writeHead(301, { ...fresh, Location: `https://${request.headers.host}${request.url}` }).end();
}

for (const passHost of [false, true])
  test(
    `an origin that sends everybody to TLS leads nobody in a circle${passHost ? ', hosts handed on' : ''}`,
    withTls,
    async () => {
      assert.ok(certificate);
      await using bench = await openBench(insists);
      const accelerator = acceleratedHosts([bench.url('')], { passHost });
      await using plain = await doorOf(bench, { accelerator });
      await using secure = await doorOf(bench, { accelerator, tls: certificate });
      const request = get('/a', 'www.example');
      for (let times = 0; times < 2; times += 1) {
        assert.equal(statusOf(await exchange(plain, request)), 301);
        assert.match(await overTls(secure.port, request), /^HTTP\/1\.1 200[\s\S]*safe/);
      }
      assert.equal(bench.asked.length, 2);
      // A client through a server that ends TLS gets the response for TLS, and no other client gets it.
      assert.match(await exchange(plain, get('/a', 'www.example', 'X-Forwarded-Proto: https\r\n')), /safe/);
      const chain = 'Forwarded: for=192.0.2.1;proto=https, for=192.0.2.2;proto=http\r\n';
      assert.match(await exchange(plain, get('/a', 'www.example', chain)), /safe/);
      assert.equal(
        statusOf(await exchange(plain, get('/a', 'www.example', 'X-Forwarded-Proto: ws\r\n'))),
        301,
      );
      assert.equal(bench.asked.length, 2);

      const { cache, store } = bench.opened;
      const place = { name: 'test', origin: bench.url(''), origins: [], proxy: false, addresses: [] };
      const routes = cacheRoutes({
        ...{ cache, store, clock: systemClock, place, accelerator, neighbours: () => [] },
      });
      const call = async (path: string, parts: object) =>
        (await routes.find((route) => route.path === path)?.handle(parts as never))?.json as Record<
          string,
          unknown
        >;
      for (const [url, isOverTls] of [
        ['https://www.example/a', true],
        ['http://www.example/a', false],
      ] as const) {
        const { entries, recent } = await call('/why', { query: { url }, queries: {} });
        const lately = (recent as { status: number; overTls: boolean; url: string }[]).map(
          (one) => `${one.status} ${one.overTls} ${one.url.endsWith('/a')}`,
        );
        assert.deepEqual(lately.sort(), ['200 true true', '301 false true']);
        const seen = (entries as { status: number; overTls: boolean; chosen: boolean }[]).map(
          ({ status, overTls, chosen }) => [status, overTls, chosen],
        );
        const [safe, moved] = [
          [200, true, isOverTls],
          [301, false, !isOverTls],
        ];
        assert.deepEqual(seen, isOverTls ? [safe, moved] : [moved, safe], url);
      }
      const purge = (body: object) => call('/purge', { body: Buffer.from(JSON.stringify(body)) });
      assert.equal((await purge({ url: 'http://www.example/a' }))?.purged, 2);
      await exchange(plain, request);
      await overTls(secure.port, request);
      assert.equal((await purge({ prefix: 'https://www.example/' }))?.purged, 2);
      assert.equal(bench.asked.length, 4);
    },
  );

test(
  'RFC 9111 4.4: a change that came over TLS makes what plain clients get unusable, and the other way',
  withTls,
  async () => {
    assert.ok(certificate);
    await using bench = await openBench(echo);
    const accelerator = acceleratedHosts([bench.url('')], { passHost: true });
    await using plain = await doorOf(bench, { accelerator });
    await using secure = await doorOf(bench, { accelerator, tls: certificate });
    const both = async () => {
      await exchange(plain, get('/a', 'www.example'));
      await overTls(secure.port, get('/a', 'www.example'));
      return bench.asked.length;
    };
    const post = get('/a', 'www.example').replace('GET', 'POST');
    assert.equal(await both(), 2);
    assert.equal(await both(), 2);
    await overTls(secure.port, post);
    assert.equal(await both(), 5);
    await exchange(plain, post);
    assert.equal(await both(), 8);
  },
);

test(
  "an origin that does not get the client's protocol has one response for all clients",
  withTls,
  async () => {
    assert.ok(certificate);
    await using bench = await openBench(echo);
    const accelerator = acceleratedHosts([bench.url('')], { passHost: true });
    await using plain = await doorOf(bench, { accelerator, forwarded: false });
    await using secure = await doorOf(bench, { accelerator, forwarded: false, tls: certificate });
    await exchange(plain, get('/a', 'www.example'));
    await overTls(secure.port, get('/a', 'www.example:443'));
    assert.equal(bench.asked.length, 1);
  },
);

test('peers are queried by the URL, with a mark when it is stored separately', async () => {
  const asked: [string, boolean | undefined][] = [];
  await using bench = await openBench(echo, {
    router: {
      routes: async ({ url, isApart }) => {
        asked.push([url, isApart]);
        return [{ to: 'origin' }];
      },
      outcome: () => undefined,
    },
  });
  await using door = await doorOf(bench, {
    accelerator: acceleratedHosts([bench.url('')], { passHost: true }),
  });
  for (const more of ['', 'X-Forwarded-Proto: https\r\n']) await exchange(door, get('/a', 'a.example', more));
  assert.deepEqual(asked, [
    ['http://a.example/a', false],
    ['http://a.example/a', true],
  ]);
});
