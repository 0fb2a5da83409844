import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveHttp } from '../http/index.ts';
import { systemClock } from '../kernel/index.ts';
import { Site } from './folder-site.test.ts';
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
