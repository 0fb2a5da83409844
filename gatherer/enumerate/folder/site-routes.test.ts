import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveHttp } from '../../../http/index.ts';
import { systemClock } from '../../../kernel/index.ts';
import { Site } from '../../testing/folder-site.ts';
import { siteRoutes } from './site-routes.ts';

test('a served folder gives its files and nothing else', async () => {
  await using site = await Site.make();
  await site.page('index.html', 'Home');
  await site.page('sub/b.html', 'B');
  await writeFile(join(site.root, '.env'), 'secret');
  await mkdir(join(site.root, '.git'));
  await writeFile(join(site.root, '.git/config'), 'secret');
  await mkdir(join(site.root, 'linked'));
  await symlink(join(site.path, 'secret.html'), join(site.root, 'linked/index.html'));
  await symlink(join(site.root, '.git'), join(site.root, 'visible'));
  await writeFile(join(site.path, 'secret.html'), 'secret');
  await symlink(join(site.path, 'secret.html'), join(site.root, 'out.html'));
  await using server = await serveHttp({
    routes: siteRoutes(site.root, false),
    port: 0,
    clock: systemClock,
    title: 'test',
    version: '0',
    bare: true,
  });
  const get = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`, { redirect: 'manual' });
    return [answer.status, await answer.text()] as const;
  };
  assert.match((await get(''))[1], /Home/);
  assert.match((await get('sub/'))[1], /href="b.html"/);
  assert.equal((await get('sub'))[0], 301);
  assert.doesNotMatch((await get('linked/'))[1], /secret/);
  for (const path of [
    '.env',
    'out.html',
    '..%2fsecret.html',
    '%2e%2e/secret.html',
    'sub/..%2f..%2fsecret.html',
    'nothing',
    '%2egit/config',
    '%2Egit/',
    'visible/config',
    'linked/index.html',
  ])
    assert.ok([400, 404].includes((await get(path))[0]), path);
});

test('UTF-8 text is labelled, and other text is left to the browser', async () => {
  await using site = await Site.make();
  const long = `${'x'.repeat(64 * 1024 - 1)}é`;
  const cases: readonly (readonly [name: string, body: string | Uint8Array, type: string])[] = [
    ['a.txt', 'naïve', 'text/plain; charset=utf-8'],
    ['a.md', 'naïve', 'text/plain; charset=utf-8'],
    ['a.css', '/* é */', 'text/css; charset=utf-8'],
    ['a.js', '// é', 'text/javascript; charset=utf-8'],
    ['cut.txt', long, 'text/plain; charset=utf-8'],
    ['latin.txt', Buffer.from('na\xefve', 'latin1'), 'text/plain'],
    ['latin.css', Buffer.from('/* \xe9 */', 'latin1'), 'text/css'],
    ['utf16.txt', Buffer.from('\ufeffna\xefve', 'utf16le'), 'text/plain'],
    ['plain.html', '<title>naïve</title>', 'text/html; charset=utf-8'],
    ['said.html', '<meta charset="utf-8"><title>naïve</title>', 'text/html'],
    ['old.html', '<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=iso-8859-1">x', 'text/html'],
    ['latin.html', Buffer.from('<title>na\xefve</title>', 'latin1'), 'text/html'],
    ['empty.txt', '', 'text/plain; charset=utf-8'],
    ['a.bin', 'naïve', 'application/octet-stream'],
  ];
  for (const [name, body] of cases) await writeFile(join(site.root, name), body);
  await using server = await serveHttp({
    routes: siteRoutes(site.root, false),
    port: 0,
    clock: systemClock,
    title: 'test',
    version: '0',
    bare: true,
  });
  for (const [name, body, type] of cases) {
    const answer = await fetch(`${server.url}${name}`);
    assert.equal(answer.headers.get('content-type'), type, name);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(body), name);
  }
});
