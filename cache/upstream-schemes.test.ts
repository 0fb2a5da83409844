import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FetchRequest, type FetchResponse, fetchErrors, parseMenu } from '../fetch/index.ts';
import { failure, ManualClock } from '../kernel/index.ts';
import type { Upstream, UpstreamRequest } from './exchange.ts';
import { Fields } from './rules/index.ts';
import { type SchemeClients, withSchemes } from './upstream-schemes.ts';

const clock = new ManualClock(Date.UTC(1994, 9, 20));
const http: Upstream = {
  send: () => Promise.reject(new Error('by HTTP')),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

function fetched(url: string, status: number, text: string, lastModified?: number): FetchResponse {
  const body = async function* () {
    if (text !== '') yield Buffer.from(text);
  };
  return {
    ...{
      url,
      redirects: [],
      status,
      headers: {},
      notModified: status === 304,
      etag: undefined,
      lastModified,
    },
    ...{ contentType: undefined, location: undefined, body: body(), wireBytes: text.length },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const clients = (asked: FetchRequest[]): SchemeClients => ({
  ftp: {
    fetch: async (request) => {
      asked.push(request);
      if (request.url.endsWith('/secret'))
        throw failure(fetchErrors.FETCH_PRIVATE_ADDRESS, { host: 'f', address: 'x' });
      if (request.url.endsWith('/slow'))
        throw failure(fetchErrors.FETCH_TIMEOUT, { url: request.url, what: 'it', seconds: 1 });
      if (request.url.endsWith('/pub') || request.url.endsWith('/none')) return fetched(request.url, 404, '');
      if (request.lastModified === 782_000_000) return fetched(request.url, 304, '', 782_000_000);
      return fetched(request.url, 200, 'a file', 782_000_000);
    },
    list: async (url) => {
      if (url.endsWith('/none/')) throw failure(fetchErrors.FETCH_UNREACHABLE, { url, why: 'no folder' });
      return [
        { name: 'a<b>:c', kind: 'file', size: 7, listed: 'Nov 21 10:20' },
        { name: 'sub', kind: 'folder', size: 0, listed: 'Nov 21 10:20' },
      ];
    },
  },
  gopher: {
    fetch: async ({ url }) => fetched(url, 200, 'a text'),
    menu: async () =>
      parseMenu(Buffer.from('iHello <you>\tx\ty\t1\r\n0About\t/about\tg.example\t70\r\n.\r\n')),
  },
});

async function ask(url: string, more: Partial<UpstreamRequest> = {}, asked: FetchRequest[] = []) {
  const upstream = withSchemes(http, clients(asked), { clock });
  const signal = new AbortController().signal;
  const response = await upstream.send({
    method: 'GET',
    url,
    fields: [],
    route: { to: 'origin' },
    signal,
    ...more,
  });
  const text = String(Buffer.concat(await response.content.toArray()));
  return { ...response, text, field: (name: string) => new Fields(response.fields).get(name) };
}

test('a file by FTP has a date, a type by its name and an hour to be fresh', async () => {
  const { status, text, field, contentLength } = await ask('ftp://f.example/pub/a.txt');
  assert.deepEqual([status, text, contentLength], [200, 'a file', 6]);
  assert.equal(field('content-type'), 'text/plain');
  assert.equal(field('last-modified'), 'Wed, 12 Oct 1994 22:13:20 GMT');
  assert.equal(field('date'), 'Thu, 20 Oct 1994 00:00:00 GMT');
  assert.equal(field('cache-control'), 'max-age=3600');
  assert.equal(
    (await ask('ftp://f.example/pub/a.constructor')).field('content-type'),
    'application/octet-stream',
  );
});

test('a file by FTP is validated by its date', async () => {
  const asked: FetchRequest[] = [];
  const fields = ['If-Modified-Since', 'Wed, 12 Oct 1994 22:13:20 GMT'];
  const { status, text, contentLength } = await ask('ftp://f.example/a', { fields }, asked);
  assert.deepEqual([status, text, contentLength], [304, '', undefined]);
  assert.equal(asked[0]?.lastModified, 782_000_000);
});

test('a folder by FTP is a page whose links can do no harm, and is found without its slash', async () => {
  const { text, field } = await ask('ftp://f.example/pub/');
  assert.match(text, /<a href="\.\/a%3Cb%3E:c">a&lt;b&gt;:c<\/a>/);
  assert.match(text, /<a href="\.\/sub\/">sub\/<\/a>/);
  assert.equal(field('content-type'), 'text/html; charset=utf-8');
  const moved = await ask('ftp://f.example/pub');
  assert.deepEqual([moved.status, moved.field('location')], [301, 'ftp://f.example/pub/']);
  assert.equal((await ask('ftp://f.example/none')).status, 404);
});

test('a Gopher menu is a page, and a text is a text', async () => {
  const menu = await ask('gopher://g.example/');
  assert.match(menu.text, /Hello &lt;you&gt;\n<a href="gopher:\/\/g\.example\/0\/about">About<\/a>/);
  const text = await ask('gopher://g.example/0/about');
  assert.deepEqual([text.text, text.field('content-type')], ['a text', 'text/plain']);
  assert.equal((await ask('gopher://g.example/0/about', { method: 'HEAD' })).text, '');
});

test("only what can be asked is asked, and errors are this cache's own", async () => {
  await assert.rejects(ask('http://a/'), { message: 'by HTTP' });
  const route = { to: 'parent', host: 'p', port: 1, because: 'default' } as const;
  await assert.rejects(ask('ftp://f.example/a', { route }), { message: 'by HTTP' });
  await assert.rejects(ask('ftp://f.example/a', { method: 'POST' }), { code: 'CACHE_METHOD' });
  await assert.rejects(ask('ftp://f.example/secret'), { code: 'CACHE_ADDRESS_REFUSED' });
  await assert.rejects(ask('ftp://f.example/slow'), { code: 'CACHE_SILENT' });
  await assert.rejects(ask('gopher://g.example/0%0d%0aevil'), { code: 'CACHE_BAD_REQUEST' });
});
