import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveHttp } from '../http/index.ts';
import { isGarnerError, ManualClock } from '../kernel/index.ts';
import type { Api } from './api.ts';
import { webErrors } from './errors.ts';
import { searchPageRoutes } from './search-page.ts';

const clock = new ManualClock();
const noResult = { query: 'x', total: 0, hits: [], sources: [] };

async function serve(api: Api) {
  return serveHttp({ routes: searchPageRoutes({ api, clock }), port: 0, clock, title: 'test', version: '0' });
}

test('the page asks the API for what its own address says, and nothing else', async () => {
  const asked: string[] = [];
  await using server = await serve(async (path) => {
    asked.push(path);
    return { status: 200, json: path === '/status' ? { objects: 0, sources: [] } : noResult };
  });
  const first = await fetch(server.url);
  assert.equal(first.status, 200);
  assert.match(first.headers.get('content-type') ?? '', /^text\/html/);
  const policy = first.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'.*script-src 'self'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.match(await first.text(), /Nothing has been collected yet/);
  assert.match(await (await fetch(`${server.url}?q=a+b&type=HTML&from=11`)).text(), /No result for/);
  assert.deepEqual(asked, ['/status', '/search?q=a+b&limit=10&offset=10&type=HTML&fold=1']);
});

test('of a status the page carries what it shows and no more', async () => {
  const rounds = Array.from({ length: 50 }, () => ({ schemes: ['log'], bytesDown: 12_345 }));
  const source = { id: 'a', name: 'Site', url: 'ws://a/', state: 'ok', objects: 3, lastLearnedAt: 1 };
  const json = { objects: 3, sources: [{ ...source, rounds }], examples: [] };
  await using server = await serve(async () => ({ status: 200, json }));
  const page = await (await fetch(server.url)).text();
  assert.match(page, /3 objects from 1 site/);
  assert.doesNotMatch(page, /rounds|12345/);
});

test('a failing API still gives a page that says what to do, with the status of the failure', async () => {
  const outcomes: [Api, number, RegExp][] = [
    [async () => Promise.reject(new Error('down')), 503, /The Broker does not answer/],
    [
      async () => ({ status: 400, json: { error: { message: 'Unclosed <quote>' } } }),
      400,
      /Unclosed &lt;quote&gt;/,
    ],
    [async () => ({ status: 200, json: 'nonsense' }), 502, /The answer cannot be read/],
  ];
  for (const [api, status, words] of outcomes) {
    await using server = await serve(api);
    const response = await fetch(`${server.url}?q=x`);
    assert.equal(response.status, status);
    assert.match(await response.text(), words);
  }
});

test('assets: kept for good under their hash, checked under their plain name, nothing else is served', async () => {
  await using server = await serve(async () => ({ status: 200, json: noResult }));
  const page = await (await fetch(`${server.url}?q=x`)).text();
  const addresses = [...page.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map((match) => match[1] ?? '');
  assert.ok(addresses.some((address) => address.endsWith('.css')));
  for (const address of addresses) {
    const response = await fetch(new URL(address, server.url));
    assert.equal(response.status, 200, address);
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    await response.arrayBuffer();
  }
  const plain = await fetch(new URL('assets/search.css', server.url));
  assert.match(plain.headers.get('content-type') ?? '', /^text\/css/);
  assert.equal(plain.headers.get('cache-control'), 'no-cache');
  await plain.text();
  const again = await fetch(new URL('assets/search.css', server.url), {
    headers: { 'if-none-match': plain.headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
  const icon = await fetch(new URL('favicon.ico', server.url));
  assert.equal(icon.headers.get('content-type'), 'image/svg+xml');
  assert.match(await icon.text(), /<svg/);
  const old = await fetch(new URL('assets/older-version/search.css', server.url));
  assert.equal(old.headers.get('cache-control'), 'no-cache');
  await old.text();
  for (const path of [
    'assets/',
    'assets/page.ts',
    'assets/a/b/search.css',
    'assets/..%2fpackage.json',
    'assets/constructor',
  ]) {
    const response = await fetch(new URL(path, server.url));
    assert.ok([400, 404].includes(response.status), `${path}: ${response.status}`);
    await response.text();
  }
});

test('missing files are named at once', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'garner-web-'));
  try {
    assert.throws(
      () =>
        searchPageRoutes({
          api: async () => ({ status: 200, json: {} }),
          assets: { styles: empty, modules: empty },
        }),
      (error) => isGarnerError(error, webErrors.WEB_ASSETS_MISSING) && error.message.includes(empty),
    );
  } finally {
    await rm(empty, { recursive: true });
  }
});
