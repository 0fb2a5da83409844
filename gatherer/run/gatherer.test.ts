import assert from 'node:assert/strict';
import { readdir, readlink, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { serveHttp } from '../../http/index.ts';
import { isGarnerError, systemClock, systemRandom } from '../../kernel/index.ts';
import { attributeText, oidOf, parseSoif } from '../../soif/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { FolderEnumerator } from '../enumerate/folder/folder-enumerator.ts';
import { ClassicStream } from '../publish/classic-stream.ts';
import { gathererRoutes } from '../serve/routes.ts';
import { baseUrl, day, Site } from '../testing/folder-site.ts';

test('a folder is gathered, and then only changed files are read', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.page('sub/b c.html', 'B');
  await writeFile(join(site.root, '.hidden.html'), 'x');
  const first = await site.gatherer.run();
  assert.deepEqual([first.added, first.objects, first.complete], [2, 2, true]);
  assert.deepEqual(await site.titles(), ['A', 'B']);
  const summary = await site.gatherer.show(`${baseUrl}sub/b%20c.html`);
  assert.equal(attributeText(summary, 'Time-to-Live'), String(30 * day));
  assert.equal(attributeText(summary, 'Update-Time'), '1700000000');
  assert.equal(attributeText(summary, 'Gatherer-Host'), 'www.example.org');

  const lsn = site.data.store.lsn;
  const again = await site.gatherer.run();
  assert.deepEqual(
    [again.unchanged, again.bytesRead, site.data.store.lsn],
    [2, 0, lsn],
    'nothing is read or written',
  );

  await site.reopen();
  const restarted = await site.gatherer.run();
  assert.deepEqual([restarted.unchanged, restarted.bytesRead], [2, 0], 'a restart remembers');

  await site.page('a.html', 'A2');
  await rm(join(site.root, 'sub/b c.html'));
  await site.page('c.html', 'C');
  const third = await site.gatherer.run();
  assert.deepEqual([third.added, third.changed, third.deleted], [1, 1, 1]);
  assert.deepEqual(await site.titles(), ['A2', 'C']);
});

test('a file that was only touched is read once and not written', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  const lsn = site.data.store.lsn;
  await utimes(join(site.root, 'a.html'), 1_600_000_000, 1_600_000_000);
  const touched = await site.gatherer.run();
  assert.deepEqual([touched.unchanged, site.data.store.lsn], [1, lsn]);
});

test('an unchanged summary is refreshed at its Refresh-Rate and outlives its Time-to-Live', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  for (let week = 0; week < 6; week++) {
    site.clock.advance(7 * day * 1000);
    const report = await site.gatherer.run();
    assert.deepEqual([report.refreshed, report.bytesRead, report.objects], [1, 0, 1]);
  }
  site.clock.advance(31 * day * 1000);
  await site.gatherer.clean(90 * day);
  assert.equal(site.data.store.count, 0, 'without runs it expires');
  assert.equal((await site.gatherer.run()).added, 1, 'and is read again by the next');
});

test('documents below an unreadable folder are kept', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.page('sub/b.html', 'B');
  await site.gatherer.run();
  // The superuser can read everything; a folder whose name is too long for the system fails for every user.
  const unreadable = new FolderEnumerator({
    root: site.root,
    baseUrl,
    hidden: false,
    maxBytesPerDocument: 1e6,
  });
  const memory = {
    recall: async () => undefined,
    known: async function* () {
      yield `${baseUrl}${'x'.repeat(300)}/known.html`;
      yield `${baseUrl}other.html`;
    },
  };
  const item = await unreadable.look(join(site.root, 'x'.repeat(300)), memory);
  assert.equal(item?.kind, 'failed');
  await rename(join(site.root, 'sub'), join(site.path, 'moved'));
  assert.equal((await site.gatherer.run()).deleted, 1, 'a folder that is gone took its pages with it');
  await rename(site.root, join(site.path, 'away'));
  await assert.rejects(site.gatherer.run(), (error) => isGarnerError(error, { code: 'GATHERER_UNREADABLE' }));
  assert.equal(site.data.store.count, 1, 'a root that is not there says nothing about its documents');
});

test('links out of the folder and folders behind links are left out and reported', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await writeFile(join(site.path, 'secret.html'), 'secret');
  await symlink(join(site.path, 'secret.html'), join(site.root, 'out.html'));
  await symlink(join(site.root, 'a.html'), join(site.root, 'alias.html'));
  await symlink(join(site.root, 'sub'), join(site.root, 'loop'));
  const report = await site.gatherer.run();
  assert.deepEqual(report.skipped, {
    'symbolic link out of the folder': 1,
    'symbolic link to a folder': 1,
  });
  assert.equal(report.objects, 2);
});

test('why names the rule', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  const known = await site.gatherer.why(`${baseUrl}a.html`);
  assert.deepEqual([known.included, known.object !== null, known.met], [true, true, true]);
  const outside = await site.gatherer.why('http://elsewhere.example/');
  assert.deepEqual([outside.included, outside.rule], [false, `it is not below ${baseUrl}`]);
  assert.match((await site.gatherer.why(`${baseUrl}.git/config`)).rule, /begins with a dot/);
  assert.match((await site.gatherer.why(`${baseUrl}../secret.html`)).rule, /not below|no file/);
});

test('an abort keeps the finished work and deletes nothing', async () => {
  await using site = await Site.make();
  for (let n = 0; n < 30; n++) await site.page(`${n}.html`, `P${n}`);
  await site.gatherer.run();
  for (let n = 0; n < 15; n++) await rm(join(site.root, `${n}.html`));
  const stop = new AbortController();
  stop.abort();
  const report = await site.gatherer.run(stop.signal);
  assert.deepEqual([report.complete, report.deleted, report.objects], [false, 0, 30]);
});

test('the classic stream: whole and compressed with an ETag, and changes since a time', async () => {
  await using site = await Site.make();
  await using stream = await ClassicStream.open(site.data);
  await site.page('a.html', 'A');
  await site.page('b.html', 'B');
  await site.gatherer.run();
  await using server = await serveHttp({
    routes: gathererRoutes({ gatherer: site.gatherer, stream, roots: [site.root] }),
    port: 0,
    clock: systemClock,
    title: 'test',
    version: '0',
  });
  const items = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`);
    assert.equal(answer.status, 200, await answer.clone().text());
    const found: string[] = [];
    for await (const { section, object } of parseSoif(answer.body as AsyncIterable<Uint8Array>))
      found.push(`${section} ${object.url.slice(baseUrl.length)}`);
    return {
      found: found.sort(),
      position: answer.headers.get('x-garner-state') ?? '',
      etag: answer.headers.get('etag') ?? '',
    };
  };
  const whole = await items('soif');
  assert.deepEqual(whole.found, ['update a.html', 'update b.html']);
  const cached = await fetch(`${server.url}soif`, { headers: { 'if-none-match': whole.etag } });
  assert.equal(cached.status, 304);
  const raw = await fetch(`${server.url}soif`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(raw.headers.get('content-encoding'), 'gzip');
  assert.match(gunzipSync(await ungzipped(`${server.url}soif`)).toString(), /@UPDATE \{/);

  const openFiles = async () => {
    const links = await readdir('/proc/self/fd').catch(() => []);
    const targets = await Promise.all(links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return targets.filter((target) => target.includes('soif-')).length;
  };
  for (let n = 0; n < 5; n++) {
    const left = await fetch(`${server.url}soif`, { headers: { 'accept-encoding': 'identity' } });
    await left.body?.cancel();
  }
  while ((await openFiles()) > 0) await new Promise((resolve) => setImmediate(resolve));
  for (const name of await readdir(site.data.path))
    if (name.startsWith('soif-')) await rm(join(site.data.path, name));
  assert.deepEqual((await items('soif')).found, whole.found, 'a file that somebody deleted is made again');

  site.clock.advance(1000);
  await site.page('a.html', 'A2');
  await rm(join(site.root, 'b.html'));
  await site.page('c.html', 'C');
  await site.gatherer.run();
  const since = await items(`soif?since=${whole.position}`);
  assert.deepEqual(since.found, ['delete b.html', 'update a.html', 'update c.html']);
  assert.deepEqual((await items('soif?since=1700000001')).found, since.found, 'by time in seconds');
  assert.deepEqual((await items('soif?since=2023-11-14T22:13:21Z')).found, since.found, 'by ISO time');
  assert.deepEqual((await items(`soif?since=${since.position}`)).found, []);

  for (const [query, status] of [
    ['nonsense', 400],
    [`AAAAAAAAAAAAAAAA.1`, 410],
    [`${whole.position.split('.')[0]}.999999`, 410],
  ] as const)
    assert.equal((await fetch(`${server.url}soif?since=${query}`)).status, status, query);
});

/** The bytes as they come over the line; fetch would unpack them. */
async function ungzipped(url: string): Promise<Buffer> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    })
      .on('error', reject)
      .end();
  });
}

test('an unknown URL and a locked store are errors with a cure', async () => {
  await using site = await Site.make();
  await assert.rejects(site.gatherer.show(`${baseUrl}none`), (error) =>
    isGarnerError(error, { code: 'GATHERER_UNKNOWN_URL' }),
  );
  await assert.rejects(
    openDataFolder(join(site.path, 'data'), { role: 'gatherer', clock: site.clock, random: systemRandom }),
    (error) => isGarnerError(error, { code: 'STORE_LOCKED' }) && error.message.includes(String(process.pid)),
  );
  await assert.rejects(
    openDataFolder(join(site.path, 'elsewhere'), {
      role: 'gatherer',
      clock: site.clock,
      random: systemRandom,
    }),
    (error) => isGarnerError(error, { code: 'STORE_MISSING' }),
  );
  await assert.rejects(
    openDataFolder(join(site.path, 'data'), { role: 'broker', clock: site.clock, random: systemRandom }),
    (error) => isGarnerError(error, { code: 'STORE_ROLE' }),
  );
  assert.equal(site.gatherer.options.folder.identity.serverId.length, 22);
  assert.equal(oidOf(site.data.identity.serverId, baseUrl).length, 43);
});
