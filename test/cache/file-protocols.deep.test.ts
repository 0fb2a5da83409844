import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultPolicy, openCache, openHttpDoor, openUpstream, withSchemes } from '../../cache/index.ts';
import { FtpClient, GopherClient } from '../../fetch/index.ts';
import { ManualClock, seededRandom, systemClock } from '../../kernel/index.ts';
import { temporaryFolder } from '../commands/command.ts';
import { missingGopher, openGophernicus, openPygopherd } from '../gopher-servers.ts';
import { missingServers, serveFtp } from '../hostile/servers.ts';
import { ask } from './kit/raw-client.ts';
import type { Line } from './kit/scripted-origin.ts';

const day = 86_400;
const changedAt = Date.UTC(2020, 0, 1) / 1000;
const mebibyte = 1024 * 1024;

/** A proxy that also fetches by FTP and Gopher, with a clock that the test moves. */
async function openProxy(allowHosts: readonly string[]) {
  const clock = new ManualClock(Date.UTC(2020, 0, 11));
  const asking = { allowHosts, delayMs: 0, clock: systemClock };
  const ftp = new FtpClient(asking);
  const upstream = withSchemes(
    openUpstream({ allowHosts }),
    { ftp, gopher: new GopherClient(asking) },
    { allowHosts, clock },
  );
  const opened = await openCache({
    ...{ name: 'files', memoryBytes: 64 * mebibyte, diskBytes: 0, largestEntryBytes: 32 * mebibyte },
    ...{
      policy: defaultPolicy,
      collapseWaitMs: 5000,
      upstream,
      clock,
      random: seededRandom(1),
    },
  });
  const answer = opened.cache.answer.bind(opened.cache);
  const door = await openHttpDoor({ port: 0, clock, pseudonym: 'files', proxy: true, answer });
  return {
    ...{ clock, ftp },
    get: (url: string, ...fields: readonly Line[]) => ask(door.port, url, { fields }),
    head: (url: string) => ask(door.port, url, { method: 'HEAD' }),
    [Symbol.asyncDispose]: async () => {
      for (const part of [door, upstream, opened, ftp]) await part[Symbol.asyncDispose]();
    },
  };
}

function write(path: string, text: string | Uint8Array): void {
  writeFileSync(path, text);
  chmodSync(path, 0o644);
  utimesSync(path, changedAt, changedAt);
}

test('vsftpd through a proxy as in 1994: files are cached by their dates, validated by them, and folders are pages', async (t) => {
  const missing = missingServers();
  if (missing !== undefined) return t.skip(missing);
  await using home = await temporaryFolder();
  const root = join(home.path, 'root');
  mkdirSync(join(root, 'pub', 'empty'), { recursive: true });
  for (const folder of [home.path, root, join(root, 'pub'), join(root, 'pub', 'empty')])
    chmodSync(folder, 0o755);
  const big = Buffer.alloc(3 * mebibyte, 'abcdefghij');
  write(join(root, 'pub', 'readme.txt'), 'read me');
  write(join(root, 'pub', 'a & <b>.gif'), 'GIF89a');
  write(join(root, 'pub', 'big.iso'), big);
  const server = await serveFtp(join(home.path, 'vsftpd'), root);
  await using proxy = await openProxy([server.url]);
  const { clock, ftp, get, head } = proxy;
  const file = `${server.url}pub/readme.txt`;

  const first = await get(file);
  assert.deepEqual([first.status, first.body, first.line('content-type')], [200, 'read me', 'text/plain']);
  assert.equal(first.line('last-modified'), 'Wed, 01 Jan 2020 00:00:00 GMT');
  assert.match(first.line('cache-status') ?? '', /^files; fwd=uri-miss; fwd-status=200; stored/);
  // Changed ten days ago: a tenth of that is fresh.
  const second = await get(file);
  assert.match(second.line('cache-status') ?? '', new RegExp(`^files; hit; ttl=${day}$`));
  const early = clock.now();
  clock.advance(day * 1000 - 1000);
  assert.equal((await get(file)).age, day - 1);
  assert.equal(ftp.counts.files, 1);
  clock.advance(2000);
  // Stale now: only its date is requested, and the file is not read again.
  const validated = await get(file);
  assert.match(validated.line('cache-status') ?? '', /fwd=stale; fwd-status=304/);
  assert.deepEqual([validated.body, ftp.counts.files], ['read me', 1]);
  write(join(root, 'pub', 'readme.txt'), 'read me again');
  utimesSync(join(root, 'pub', 'readme.txt'), early / 1000, early / 1000);
  clock.advance(2 * day * 1000);
  assert.deepEqual([(await get(file)).body, ftp.counts.files], ['read me again', 2]);
  const condition: Line = ['If-Modified-Since', new Date(early).toUTCString()];
  assert.equal((await get(file, condition)).status, 304);

  const part = await get(`${server.url}pub/big.iso`);
  assert.equal(part.body.length, big.length);
  const range = await get(`${server.url}pub/big.iso`, ['Range', 'bytes=10-14']);
  assert.deepEqual([range.status, range.body], [206, 'abcde']);
  const listed = await get(`${server.url}pub/`);
  assert.match(listed.body, /<a href="\.\/a%20&amp;%20%3Cb%3E\.gif">a &amp; &lt;b&gt;\.gif<\/a>/);
  assert.match(listed.body, /<a href="\.\/empty\/">empty\/<\/a>/);
  assert.equal((await get(`${server.url}pub/a%20&%20%3Cb%3E.gif`)).line('content-type'), 'image/gif');
  const moved = await get(`${server.url}pub/empty`);
  assert.deepEqual([moved.status, moved.line('location')], [301, `${server.url}pub/empty/`]);
  for (const name of ['none', 'pub/none', 'none/']) {
    assert.equal((await get(`${server.url}${name}`)).status, 404, name);
    assert.equal((await head(`${server.url}${name}`)).status, 404, name);
  }
  const login = await get(file, ['Authorization', `Basic ${Buffer.from('nobody:wrong').toString('base64')}`]);
  assert.deepEqual(
    [login.status, /^Basic realm="FTP 127/.test(login.line('www-authenticate') ?? '')],
    [401, true],
  );

  await server[Symbol.asyncDispose]();
  clock.advance(10 * day * 1000);
  assert.equal((await get(`${server.url}pub/other`)).status, 502);
});

test('gophernicus and pygopherd through a proxy: menus are pages with working links, and items are fresh for an hour', async (t) => {
  const missing = missingGopher();
  if (missing !== undefined) return t.skip(missing);
  await using home = await temporaryFolder();
  const root = join(home.path, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  for (const folder of [home.path, root, join(root, 'sub')]) chmodSync(folder, 0o755);
  write(join(root, 'a.txt'), 'hello\n');
  write(join(root, 'sub', 'i.gif'), 'GIF89a');
  await using nicus = await openGophernicus(root);
  await using py = await openPygopherd(home.path, root);
  await using proxy = await openProxy([nicus.url, py.url]);
  for (const { url } of [nicus, py]) {
    const menu = await proxy.get(url);
    assert.deepEqual([menu.status, menu.line('content-type')], [200, 'text/html; charset=utf-8'], url);
    const links = [...menu.body.matchAll(/<a href="(gopher:[^"]*)">/g)].map(([, link = '']) => link);
    const text = links.find((link) => link.endsWith('a.txt')) ?? '';
    const read = await proxy.get(text);
    assert.deepEqual([read.body.trim(), read.line('content-type')], ['hello', 'text/plain'], text);
    const below = await proxy.get(links.find((link) => /\/1\/sub\/?$/.test(link)) ?? '');
    assert.match(below.body, /i\.gif/);
    const picture = /<a href="(gopher:[^"]*i\.gif)">/.exec(below.body)?.[1] ?? '';
    assert.equal((await proxy.get(picture)).line('content-type'), 'image/gif');
    proxy.clock.advance(3_599_000);
    assert.match((await proxy.get(text)).line('cache-status') ?? '', /; hit; ttl=1$/);
    proxy.clock.advance(1000);
    assert.match((await proxy.get(text)).line('cache-status') ?? '', /; fwd=stale; fwd-status=200/);
  }
  const statusOf = async (url: string) => (await proxy.get(url)).status;
  assert.deepEqual([await statusOf(`${py.url}0/none.txt`), await statusOf(`${py.url}1/none`)], [404, 404]);
  // Gophernicus reports the error in a text that looks like any other, but not in a menu.
  assert.equal(await statusOf(`${nicus.url}1/none`), 502);
});

test('private addresses are refused by FTP and Gopher as by HTTP', async () => {
  await using proxy = await openProxy([]);
  for (const url of [
    'ftp://127.0.0.1/x',
    'gopher://127.0.0.1/0/x',
    'ftp://[::1]:2121/',
    'gopher://10.0.0.1:7070/',
  ]) {
    const { status, line } = await proxy
      .get(url)
      .then((got) => ({ status: got.status, line: got.line('proxy-status') }));
    assert.deepEqual([status, /destination_ip_prohibited/.test(line ?? '')], [403, true], url);
  }
});
