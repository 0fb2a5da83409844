import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import {
  type FetchResponse,
  type FtpLogin,
  fetchErrors,
  ftpErrors,
  gopherErrors,
  listingType,
  parseMenu,
} from '../../fetch/index.ts';
import { failure, ManualClock } from '../../kernel/index.ts';
import type { Upstream, UpstreamRequest } from '../requests/request-response.ts';
import { Fields } from '../rules/fields/fields.ts';
import { type SchemeClients, withSchemes } from './upstream-schemes.ts';

const clock = new ManualClock(Date.UTC(1994, 9, 20));
const http: Upstream = {
  send: () => Promise.reject(new Error('by HTTP')),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

const fetched = (url: string, status: number, text: string): FetchResponse => ({
  ...{
    url,
    redirects: [],
    status,
    headers: {},
    notModified: false,
    etag: undefined,
    lastModified: undefined,
  },
  contentType: undefined,
  location: undefined,
  body: (async function* () {
    if (text !== '') yield Buffer.from(text);
  })(),
  wireBytes: text.length,
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

const changed = 782_000_000;
const refused = (url: string, code: number) =>
  failure(ftpErrors.FETCH_FTP_REFUSED, { url, code, why: `${code}` });

/** An FTP and a Gopher server with a few names, and the logins. */
const clients = (logins: (FtpLogin | undefined)[] = [], files: string[] = []): SchemeClients => ({
  ftp: {
    open: async (url, { login } = {}) => {
      logins.push(login);
      files.push(url);
      if (url.endsWith('/secret'))
        throw failure(fetchErrors.FETCH_PRIVATE_ADDRESS, { host: 'f', address: 'x' });
      if (url.endsWith('/slow')) throw failure(fetchErrors.FETCH_TIMEOUT, { url, what: 'it', seconds: 1 });
      if (url.endsWith('/big')) throw failure(fetchErrors.FETCH_TOO_LARGE, { url, maxBytes: 1 });
      if (url.endsWith('/cut')) throw failure(fetchErrors.FETCH_INTERRUPTED, { url, why: 'it' });
      if (url.endsWith('/members') && login?.password !== 'sésame')
        throw failure(ftpErrors.FETCH_FTP_LOGIN, { host: 'f', why: '530' });
      if (url.endsWith('/closed')) throw refused(url, 553);
      if (url.endsWith('/pub') || url.endsWith('/none')) throw refused(url, 550);
      const modified = url.endsWith('/undated') ? undefined : changed;
      const content = Readable.from([Buffer.from('a '), Buffer.from('file')]);
      if (url.endsWith('/broken'))
        content.once('data', () =>
          content.destroy(failure(fetchErrors.FETCH_INTERRUPTED, { url, why: 'it' })),
        );
      return { content, modified, size: url.endsWith('/unsized') ? undefined : 6 };
    },
    modified: async (url) => (/none|undated/.test(url) ? undefined : changed),
    list: async (url) => {
      if (!url.endsWith('/pub/')) throw refused(url, url.endsWith('/closed/') ? 553 : 550);
      return [
        { name: 'a<b>:c', kind: 'file', size: 7, listed: 'Nov 21 10:20' },
        { name: 'sub', kind: 'folder', size: 0, listed: 'Nov 21 10:20' },
      ];
    },
  },
  gopher: {
    fetch: async ({ url }) => (url.endsWith('/none') ? fetched(url, 404, '') : fetched(url, 200, 'a text')),
    menu: async (url) => {
      const why = 'it';
      if (url.endsWith('/none')) throw failure(gopherErrors.FETCH_GOPHER_MENU, { url, why, isMissing: true });
      if (url.includes('%09')) return parseMenu(Buffer.from(`iFor ${url}\tx\ty\t1\r\n.\r\n`));
      if (url.endsWith('/odd')) throw failure(gopherErrors.FETCH_GOPHER_MENU, { url, why });
      return parseMenu(Buffer.from('iHello <you>\tx\ty\t1\r\n0About\t/about\tg.example\t70\r\n.\r\n'));
    },
  },
});

async function ask(
  url: string,
  more: Partial<UpstreamRequest> = {},
  given = clients(),
  options: object = {},
) {
  const upstream = withSchemes(http, given, { clock, ...options });
  const signal = new AbortController().signal;
  const response = await upstream.send({
    ...{ method: 'GET', url, fields: [], route: { to: 'origin' }, signal, ...more },
  });
  const text = String(Buffer.concat(await response.content.toArray()));
  return { ...response, text, field: (name: string) => new Fields(response.fields).get(name) };
}

const basic = (pair: string) => ['Authorization', `Basic ${Buffer.from(pair).toString('base64')}`];

test('a file by FTP has a date and a type by its name; one without a date has an hour to be fresh', async () => {
  const { status, text, field, contentLength } = await ask('ftp://f.example/pub/a.txt');
  assert.deepEqual([status, text, contentLength], [200, 'a file', 6]);
  assert.equal(field('content-type'), 'text/plain');
  assert.equal(field('content-length'), '6');
  assert.equal(field('last-modified'), 'Wed, 12 Oct 1994 22:13:20 GMT');
  assert.equal(field('date'), 'Thu, 20 Oct 1994 00:00:00 GMT');
  // RFC 9111 4.2.2: its lifetime follows from its age.
  assert.equal(field('cache-control'), undefined);
  const undated = await ask('ftp://f.example/undated');
  assert.deepEqual(
    [undated.field('last-modified'), undated.field('cache-control')],
    [undefined, 'max-age=3600'],
  );
  const odd = await ask('ftp://f.example/pub/a.constructor');
  assert.equal(odd.field('content-type'), 'application/octet-stream');
});

test('a file by FTP is validated by its date, and what is asked for its head alone is there', async () => {
  const files: string[] = [];
  const since = (date: string) => ({ fields: ['If-Modified-Since', date] });
  const url = 'ftp://f.example/a';
  const same = await ask(url, since('Wed, 12 Oct 1994 22:13:20 GMT'), clients([], files));
  assert.deepEqual([same.status, same.text, same.contentLength], [304, '', undefined]);
  assert.equal(same.field('content-length'), undefined);
  assert.deepEqual(files, []);
  assert.equal((await ask(url, since('Wed, 12 Oct 1994 22:13:19 GMT'))).status, 200);
  const head = await ask(url, { method: 'HEAD' }, clients([], files));
  assert.deepEqual(
    [head.status, head.text, head.field('last-modified')],
    [200, '', 'Wed, 12 Oct 1994 22:13:20 GMT'],
  );
  assert.deepEqual(files, []);
  assert.equal((await ask('ftp://f.example/none', { method: 'HEAD' })).status, 404);
});

test('a folder by FTP is a page whose links can do no harm, and is found without its slash', async () => {
  const { text, field } = await ask('ftp://f.example/pub/');
  assert.match(text, /<a href="\.\/a%3Cb%3E:c">a&lt;b&gt;:c<\/a>/);
  assert.match(text, /<a href="\.\/sub\/">sub\/<\/a>/);
  assert.equal(field('content-type'), 'text/html; charset=utf-8');
  assert.match(field('content-security-policy') ?? '', /default-src 'none'/);
  assert.deepEqual([field('vary'), field('cache-control')], ['Accept, Authorization', 'max-age=3600']);
  const moved = await ask('ftp://f.example/pub');
  assert.deepEqual([moved.status, moved.field('location')], [301, 'ftp://f.example/pub/']);
  const reported = async (url: string) => (await ask(url)).status;
  assert.equal(await reported('ftp://f.example/none'), 404);
  assert.equal(await reported('ftp://f.example/none/'), 404);
  assert.equal(await reported('ftp://f.example/closed'), 403);
});

test('programs that ask for it get a listing to read', async () => {
  const fields = ['Accept', `${listingType}, text/html;q=0.1`];
  const folder = await ask('ftp://f.example/pub/', { fields });
  assert.equal(folder.field('content-type'), listingType);
  assert.deepEqual(JSON.parse(folder.text).entries[1], {
    ...{ name: 'sub', kind: 'folder', size: 0, listed: 'Nov 21 10:20' },
  });
  const menu = await ask('gopher://g.example/', { fields });
  assert.equal(JSON.parse(menu.text).items[1].selector, '/about');
});

test('Basic authentication logs in by FTP, and nothing of it can be a command', async () => {
  const logins: (FtpLogin | undefined)[] = [];
  const url = 'ftp://f.example/members';
  const none = await ask(url, {}, clients(logins));
  assert.deepEqual(
    [none.status, none.field('www-authenticate')],
    [401, 'Basic realm="FTP f.example", charset="UTF-8"'],
  );
  const wrong = await ask(url, { fields: basic('anna:x') }, clients(logins));
  assert.equal(wrong.status, 401);
  const right = await ask(url, { fields: basic('anna:sésame') }, clients(logins));
  assert.deepEqual([right.status, right.text, right.field('vary')], [200, 'a file', 'Authorization']);
  for (const odd of ['anna:x\r\nDELE a', ':x', 'anna', 'an\0na:x'])
    await ask(url, { fields: basic(odd) }, clients(logins));
  assert.deepEqual(logins.splice(0), [
    undefined,
    { user: 'anna', password: 'x' },
    { user: 'anna', password: 'sésame' },
    ...[undefined, undefined, undefined, undefined],
  ]);
});

test('a Gopher menu is a page, a text is a text, and what is not there is not found', async () => {
  const menu = await ask('gopher://g.example/');
  assert.match(menu.text, /Hello &lt;you&gt;\n<a href="gopher:\/\/g\.example\/0\/about">About<\/a>/);
  const text = await ask('gopher://g.example/0/about');
  assert.deepEqual(
    [text.text, text.field('content-type'), text.field('cache-control')],
    ['a text', 'text/plain', 'max-age=3600'],
  );
  assert.equal((await ask('gopher://g.example/0/about', { method: 'HEAD' })).text, '');
  assert.equal((await ask('gopher://g.example/9/a.zip')).field('content-type'), 'application/zip');
  assert.equal((await ask('gopher://g.example/0/none')).status, 404);
  assert.equal((await ask('gopher://g.example/1/none')).status, 404);
  await assert.rejects(ask('gopher://g.example/1/odd'), { code: 'CACHE_BAD_RESPONSE' });
});

test('a search of Gopher is a page with a form, and its words are asked for', async () => {
  const page = await ask('gopher://g.example/7/s%3Fa&b');
  assert.match(
    page.text,
    /<form action="gopher:\/\/g\.example\/7\/s%3Fa&amp;b">\n<input type="search" name="search" value=""/,
  );
  assert.equal(page.field('content-type'), 'text/html; charset=utf-8');
  assert.match((await ask('gopher://g.example/7/s?search=')).text, /<form/);
  const for2 = 'gopher://g.example/7/s%09two%20w%C3%B6rds';
  for (const url of [for2, 'gopher://g.example/7/s?search=two+w%C3%B6rds']) {
    const { status, text } = await ask(url);
    assert.equal(status, 200);
    assert.ok(text.includes(`\nFor ${for2}\n`), text);
    assert.match(text, /<form action="gopher:\/\/g\.example\/7\/s">\n.* value="two wörds"/);
  }
  const harm = await ask('gopher://g.example/7/s?search=%22%3E%3Cscript%3E');
  assert.match(harm.text, /value="&quot;&gt;&lt;script&gt;"/);
  assert.doesNotMatch(harm.text, /<script/);
  for (const bad of ['a%09b', 'a%0D%0Ab', 'a'.repeat(1100)])
    await assert.rejects(ask(`gopher://g.example/7/s?search=${bad}`), { code: 'CACHE_BAD_REQUEST' }, bad);
  await assert.rejects(ask('gopher://g.example/0/s%09a'), { code: 'CACHE_BAD_REQUEST' });
});

test('what an FTP or Gopher server has comes with the words of its status', async () => {
  const reason = async (url: string, more = {}) => (await ask(url, more)).reason;
  assert.equal(await reason('ftp://f.example/pub/a.txt'), 'OK');
  assert.equal(await reason('ftp://f.example/none'), 'Not Found');
  assert.equal(await reason('ftp://f.example/pub'), 'Moved Permanently');
  assert.equal(await reason('gopher://g.example/'), 'OK');
});

test("only what can be asked is asked, and errors are this cache's own", async () => {
  await assert.rejects(ask('http://a/'), { message: 'by HTTP' });
  const route = { to: 'parent', host: 'p', port: 1, because: 'default' } as const;
  await assert.rejects(ask('ftp://f.example/a', { route }), { message: 'by HTTP' });
  await assert.rejects(ask('ftp://f.example/a', { method: 'POST' }), { code: 'CACHE_METHOD' });
  await assert.rejects(ask('ftp://f.example/secret'), { code: 'CACHE_ADDRESS_REFUSED' });
  await assert.rejects(ask('ftp://f.example/slow'), { code: 'CACHE_SILENT' });
  await assert.rejects(ask('ftp://f.example/big'), { code: 'CACHE_BAD_RESPONSE' });
  await assert.rejects(ask('ftp://f.example/cut'), { code: 'CACHE_BROKEN_OFF' });
  await assert.rejects(ask('gopher://g.example/0%0d%0aevil'), { code: 'CACHE_BAD_REQUEST' });
});

test('ports of other protocols are asked only where the operator named them', async () => {
  for (const url of [
    'gopher://g.example:25/0/x',
    'ftp://f.example:25/x',
    'gopher://g.example:21/',
    'ftp://f.example:70/x',
  ])
    await assert.rejects(ask(url), { code: 'CACHE_ADDRESS_REFUSED' }, url);
  assert.equal((await ask('gopher://g.example:7070/0/x')).status, 200);
  const named = await ask('gopher://g.example:105/0/x', {}, clients(), { allowHosts: ['g.example:105'] });
  assert.equal(named.status, 200);
});

test('a file that breaks off is an error of this cache, and one without a size has no length', async () => {
  await assert.rejects(ask('ftp://f.example/broken'), { code: 'CACHE_BROKEN_OFF' });
  const unsized = await ask('ftp://f.example/unsized');
  assert.deepEqual(
    [unsized.text, unsized.contentLength, unsized.field('content-length')],
    ['a file', undefined, undefined],
  );
});

test('unread contents are bounded, and those that are read or dropped make room again', async () => {
  const upstream = withSchemes(http, clients(), { clock, maxHeldBytes: 12 });
  const signal = new AbortController().signal;
  const url = 'gopher://g.example/0/a';
  const send = () => upstream.send({ method: 'GET', url, fields: [], route: { to: 'origin' }, signal });
  const [first, second] = [await send(), await send()];
  await assert.rejects(send(), { code: 'CACHE_BUSY' });
  await first.content.toArray();
  const third = await send();
  await assert.rejects(send(), { code: 'CACHE_BUSY' });
  for (const { content } of [second, third]) {
    const closed = new Promise((resolve) => content.once('close', resolve));
    content.destroy();
    await closed;
  }
  assert.equal((await send()).status, 200);
});
