import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError, ManualClock } from '../../kernel/index.ts';
import { FtpThroughCache } from '../file-protocols/ftp-through-cache.ts';
import { GopherThroughCache } from '../file-protocols/gopher-through-cache.ts';
import { listingType, printListing, readEntries, readMenu } from '../file-protocols/listings.ts';
import { RobotsTxt } from '../robots/robots-policy.ts';
import { HttpClient, type HttpClientOptions } from './http-client.ts';
import { Proxies, type ProxySettings } from './proxy.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const limits = { connections: 2, headersTimeoutMs: 5000, idleTimeoutMs: 5000, connectTimeoutMs: 5000 };
const code = (wanted: string, words?: RegExp) => (error: unknown) =>
  isGarnerError(error) && error.code === wanted && (words === undefined || words.test(error.message));

/** A cache that answers as a handler says, and all its clients. */
async function openThrough(
  handler: Handler,
  settings: ProxySettings = {},
  options: Partial<HttpClientOptions> = {},
) {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url} ${request.headers.host}`);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cache = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxies = new Proxies({ cache, ...settings }, limits);
  const client = new HttpClient({
    ...{ userAgent: 'Garner/test', retries: 0, delayMs: 0, proxies, ...options },
  });
  const refuse = () => Promise.reject(new Error('requested directly'));
  const direct = { fetch: refuse, list: refuse, modified: refuse, read: refuse, readDated: refuse };
  const through = { fetch: client.fetch, proxies };
  const credentials = (url: string) =>
    url.includes('members') ? { user: 'anna', password: 'é' } : undefined;
  return {
    ...{ requested, cache, client, proxies },
    ftp: new FtpThroughCache({ ...through, direct, credentials }),
    gopher: new GopherThroughCache({ ...through, direct: { fetch: refuse, menu: refuse } }),
    text: async (url: string) => {
      await using response = await client.fetch({ url });
      let text = '';
      for await (const piece of response.body) text += Buffer.from(piece).toString();
      return `${response.status} ${text}`;
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await proxies[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a cache on this machine gets every scheme by its whole URL, and nothing else gets a request', async () => {
  await using through = await openThrough((request, response) => response.end(request.url));
  const urls = [
    'http://a.example/x?y=%20z',
    'https://b.example:8443/x',
    'ftp://c.example/pub/a%20b',
    'gopher://d.example/0/about',
  ];
  for (const url of urls) assert.equal(await through.text(url), `200 ${url}`);
  assert.deepEqual(through.requested, [
    'GET http://a.example/x?y=%20z a.example',
    'GET https://b.example:8443/x b.example:8443',
    'GET ftp://c.example/pub/a%20b c.example',
    'GET gopher://d.example/0/about d.example',
  ]);
});

test('a cache elsewhere gets https only through a tunnel, and never URLs of this machine', async () => {
  await using proxies = new Proxies({ cache: 'cache.example:3128' }, limits);
  const through = (url: string) => proxies.cacheFor(new URL(url)) !== undefined;
  assert.deepEqual(['http://a/', 'ftp://a/', 'gopher://a/'].map(through), [true, true, true]);
  assert.equal(through('https://a/'), false);
  assert.notEqual(proxies.dispatcher(new URL('https://a/')), undefined);
  assert.deepEqual(['http://localhost/', 'ftp://127.0.0.1/', 'gopher://[::1]/'].map(through), [
    false,
    false,
    false,
  ]);
  await using secure = new Proxies({ cache: 'https://cache.example' }, limits);
  assert.notEqual(secure.cacheFor(new URL('https://a/')), undefined);
  await using near = new Proxies({ cache: 'localhost:3128', none: ['a:70', 'b:21', 'c'] }, limits);
  const direct = (url: string) => near.cacheFor(new URL(url)) === undefined;
  assert.deepEqual(
    ['gopher://a/', 'gopher://a:71/', 'ftp://b/', 'ftp://b:22/', 'https://x.c/', 'http://127.0.0.1/'].map(
      direct,
    ),
    [true, false, true, false, true, false],
  );
  assert.throws(
    () => new Proxies({ cache: 'http://u:secret@h/' }, limits),
    code('FETCH_PROXY', /fetch\.cache/),
  );
});

test('a cache that does not answer is named, and so is one that refuses', async () => {
  // No port of the system's choice: another server may get the one that was just closed.
  const cache = '127.0.0.1:1';
  await using silent = await openThrough((_request, response) => response.end(), { cache });
  await assert.rejects(
    silent.text('http://a.example/'),
    code('FETCH_CACHE_SILENT', new RegExp(`${cache}.*no server`)),
  );
  await assert.rejects(silent.ftp.list('ftp://a.example/'), code('FETCH_CACHE_SILENT'));
  await using reset = await openThrough((request) => request.socket.destroy());
  await assert.rejects(reset.text('http://a.example/'), code('FETCH_CACHE_SILENT'));
  const verdicts: Record<string, [number, string]> = {
    '/private': [403, 'destination_ip_prohibited; details="CACHE_ADDRESS_REFUSED"'],
    '/denied': [403, 'http_request_denied'],
    '/down': [502, 'destination_unavailable'],
    '/odd': [502, 'http_protocol_error'],
  };
  await using judged = await openThrough((request, response) => {
    const [status, kind] = verdicts[new URL(request.url ?? '').pathname] ?? [403, ''];
    response.writeHead(status, kind === '' ? {} : { 'proxy-status': `c; error=${kind}` }).end('words');
  });
  await assert.rejects(judged.text('http://a.example/private'), code('FETCH_CACHE_REFUSED', /private/));
  await assert.rejects(judged.text('http://a.example/denied'), code('FETCH_CACHE_REFUSED', /access/));
  await assert.rejects(
    judged.text('http://a.example/down'),
    code('FETCH_UNREACHABLE', /destination unavailable/),
  );
  await assert.rejects(judged.text('http://a.example/odd'), code('FETCH_BAD_RESPONSE'));
  // An answer of the origin itself stays its answer.
  assert.equal(await judged.text('http://a.example/forbidden'), '403 words');
});

test('an answer that breaks off is an error, an abort ends at once, and a slow cache is abandoned', async () => {
  await using broken = await openThrough((_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half', () => response.destroy());
  });
  await assert.rejects(broken.text('http://a.example/'), code('FETCH_INTERRUPTED'));
  let called: () => void = () => undefined;
  const taken = new Promise<void>((resolve) => (called = resolve));
  await using stalled = await openThrough(() => called());
  const stop = new AbortController();
  const asking = stalled.client.fetch({ url: 'http://a.example/', signal: stop.signal });
  await taken;
  const reason = new Error('enough');
  stop.abort(reason);
  await assert.rejects(asking, reason);
  const hasty = new Proxies({ cache: stalled.cache }, { ...limits, headersTimeoutMs: 30 });
  await using slow = new HttpClient({ userAgent: 'Garner/test', retries: 0, delayMs: 0, proxies: hasty });
  await assert.rejects(slow.fetch({ url: 'http://a.example/' }), code('FETCH_TIMEOUT'));
  await hasty[Symbol.asyncDispose]();
});

test('an idle connection that the cache has closed costs nothing', async () => {
  let answers = 0;
  await using through = await openThrough((request, response) => {
    answers += 1;
    if (answers === 2) request.socket.destroy();
    else response.end('here');
  });
  assert.equal(await through.text('http://a.example/1'), '200 here');
  assert.equal(await through.text('http://a.example/2'), '200 here');
  assert.equal(through.requested.length, 3);
});

test('conditions, robots.txt and the address guard hold through a cache', async () => {
  await using through = await openThrough((request, response) => {
    if (request.url?.endsWith('/robots.txt')) response.end('User-agent: *\nDisallow: /no/\n');
    else response.writeHead(request.headers['if-none-match'] === '"a"' ? 304 : 200).end();
  });
  const { client } = through;
  const { notModified } = await client.fetch({ url: 'http://a.example/', etag: '"a"' });
  assert.equal(notModified, true);
  const robots = new RobotsTxt({
    fetch: client.fetch,
    clock: { now: () => 0, sleep: () => Promise.resolve() },
  });
  assert.equal((await robots.allowed('http://a.example/no/x')).allowed, false);
  assert.equal((await robots.allowed('http://a.example/yes')).allowed, true);
  assert.deepEqual(through.requested.slice(1), ['GET http://a.example/robots.txt a.example']);
  await assert.rejects(client.fetch({ url: 'http://10.0.0.1/' }), code('FETCH_PRIVATE_ADDRESS'));
  await assert.rejects(client.fetch({ url: 'ftp://u:p@a.example/' }), code('FETCH_BAD_URL'));
});

test('the delay between two requests to one host holds through a cache, for any scheme', async () => {
  const clock = new ManualClock(0);
  await using through = await openThrough(
    (_request, response) => response.end(),
    {},
    { clock, delayMs: 1000 },
  );
  const { fetch } = through.client;
  for (const [at, path] of ['http://a.example/1', 'http://a.example/2', 'ftp://a.example/3'].entries()) {
    await using response = await advanced(clock, fetch({ url: path }));
    assert.equal(response.status, 200);
    assert.ok(clock.now() >= at * 1000, String(clock.now()));
  }
});

/** Let time pass until a promise settles. */
async function advanced<Result>(clock: ManualClock, promise: Promise<Result>): Promise<Result> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  promise.then(mark, mark);
  for (; !settled; clock.advance(10)) await new Promise((resolve) => setImmediate(resolve));
  return await promise;
}

test('folders, files and menus come through a cache as they come from their servers', async () => {
  const entries = [{ name: 'gr\xfc\xdfe', kind: 'file', size: 3, listed: 'Nov 21 10:20' } as const];
  const item = { type: '0', label: 'a', selector: '/a', hostname: 'g.example', port: 70 };
  const menu = { items: [item], broken: 0, cut: false, ended: true };
  await using through = await openThrough((request, response) => {
    const { url = '', headers } = request;
    const listed = headers.accept === listingType && url.endsWith('/');
    if (url.includes('members') && headers.authorization !== 'Basic YW5uYTrDqQ==')
      response.writeHead(401).end();
    else if (url.endsWith('/none') || url.endsWith('/none/')) response.writeHead(404).end();
    else if (url.includes('page')) response.writeHead(200, { 'content-type': 'text/html' }).end();
    else if (listed)
      response
        .writeHead(200, { 'content-type': listingType })
        .end(printListing(url.startsWith('ftp:') ? { entries } : menu));
    else response.writeHead(200, { 'last-modified': 'Wed, 12 Oct 1994 22:13:20 GMT' }).end('abc');
  });
  const { ftp, gopher } = through;
  assert.deepEqual(await ftp.list('ftp://f.example/pub'), entries);
  const { bytes, modified } = await ftp.readDated('ftp://f.example/pub/a');
  assert.deepEqual([Buffer.from(bytes).toString(), modified], ['abc', 782_000_000]);
  assert.equal(await ftp.modified('ftp://f.example/members/a'), 782_000_000);
  await assert.rejects(ftp.read('ftp://f.example/none'), code('FETCH_FTP_REFUSED'));
  await assert.rejects(ftp.list('ftp://f.example/page/'), code('FETCH_CACHE_FOREIGN'));
  await assert.rejects(ftp.list('http://f.example/'), code('FETCH_BAD_URL'));
  assert.deepEqual(await gopher.menu('gopher://g.example/'), menu);
  await assert.rejects(gopher.menu('gopher://g.example/1/none'), code('FETCH_GOPHER_MENU'));
  await assert.rejects(gopher.menu('gopher://g.example/1/page'), code('FETCH_CACHE_FOREIGN'));
  const requested = through.requested.map((line) => line.split(' ').slice(0, 2).join(' '));
  assert.deepEqual(requested.slice(0, 3), [
    'GET ftp://f.example/pub/',
    'GET ftp://f.example/pub/a',
    'HEAD ftp://f.example/members/a',
  ]);
});

test('listings: printed ones are read again, and names that no server may list are refused', () => {
  const name = fc
    .uint8Array({ minLength: 1, maxLength: 20 })
    .map((bytes) => Buffer.from(bytes).toString('latin1'))
    .filter((text) => !/[/\0\r\n]/.test(text) && text !== '.' && text !== '..');
  const kind = fc.constantFrom('file', 'folder', 'link', 'other') as fc.Arbitrary<'file'>;
  const entry = fc.record(
    { name, kind, size: fc.nat(), modified: fc.nat(), listed: fc.string() },
    { requiredKeys: ['name', 'kind', 'size', 'listed'] },
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
      const plain = JSON.parse(JSON.stringify(entries)) as unknown;
      assert.deepEqual(readEntries(printListing({ entries })), plain);
    }),
  );
  for (const bad of ['..', 'a/b', 'a\r\nDELE b', ''])
    assert.equal(
      readEntries(printListing({ entries: [{ name: bad, kind: 'file', size: 0, listed: '' }] })),
      undefined,
    );
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (text, value) => {
      for (const odd of [text, JSON.stringify(value), JSON.stringify({ items: value, entries: value })]) {
        const entries = readEntries(odd);
        assert.ok(entries === undefined || entries.length === 0);
        assert.equal(readMenu(odd), undefined);
      }
    }),
  );
});
