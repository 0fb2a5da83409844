import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { keptText } from '../gatherer/site-option.ts';
import { allSettings } from './all-settings.ts';
import { effectiveConfig } from './config.ts';
import { folderName, readSite, type Site, siteOf, withText, writeSite } from './site.ts';

test('a folder is called by its own name, with its parent where that says nothing', () => {
  assert.equal(folderName('/srv/handbook'), 'handbook');
  assert.equal(folderName('/usr/share/doc/python3.11/html'), 'python3.11/html');
  assert.equal(folderName('/home/ada/project/docs'), 'project/docs');
  assert.equal(folderName('/html'), 'html');
  assert.equal(folderName('/'), '/');
});

test('an address without its scheme is answered with the whole address', async () => {
  for (const [root, meant] of [
    ['www.example.org', 'https://www.example.org/'],
    ['example.org/docs/a.html?x=1', 'https://example.org/docs/a.html?x=1'],
    ['example.org:8443', 'https://example.org:8443/'],
    ['localhost:8000', 'http://localhost:8000/'],
    ['127.0.0.1:8000/docs', 'http://127.0.0.1:8000/docs'],
    ['http:/www.example.org', 'http://www.example.org/'],
    ['https:www.example.org', 'https://www.example.org/'],
  ] as const)
    await assert.rejects(siteOf(root, tmpdir()), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'GATHERER_ROOT');
      assert.ok(error.message.endsWith(`; for the web site write ${meant}`), error.message);
      return true;
    });
  for (const root of ['publc', './www.example.org', 'page.html', 'notes.md', 'a b.org', ''])
    await assert.rejects(siteOf(root, tmpdir()), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'GATHERER_ROOT');
      assert.doesNotMatch(error.message, /web site/, root);
      return true;
    });
});

test('roots that need no slashes are roots, and an unknown scheme gets an error that names the known ones', async () => {
  for (const url of [
    'news:comp.lang.c',
    'mbox:/var/mail/jo',
    'feed:https://a.example/rss',
    'ftp://a.example/',
  ])
    assert.deepEqual(await siteOf(url, tmpdir()), { kind: 'root', url });
  await assert.rejects(siteOf('gofer://a.example/', tmpdir()), (error: Error & { hint?: string }) => {
    for (const scheme of ['https', 'maildir', 'program', 'nntps', 'feed'])
      assert.match(error.hint ?? '', new RegExp(`\\b${scheme}:`));
    return true;
  });
});

test('how much text summaries hold stays with the site until somebody sets it', async () => {
  const config = (env: Record<string, string>) => effectiveConfig([allSettings], { env });
  const web: Site = { kind: 'web', url: 'http://a.example/' };
  assert.equal(withText(web, config({})).text, 'full');
  assert.equal(withText(web, config({ GARNER_GATHERER_TEXT: 'none' })).text, 'none');
  const selected: Site = { ...web, text: 'selected' };
  assert.equal(withText(selected, config({})).text, 'selected');
  assert.equal(withText(selected, config({ GARNER_GATHERER_TEXT: 'full' })).text, 'full');
  assert.equal(keptText(web, selected).text, 'selected');
  assert.equal(keptText({ kind: 'web', url: 'http://b.example/' }, selected).text, undefined);
});

test('what a data folder gathers is read back, and what is no site is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-site-'));
  try {
    assert.equal(await readSite(folder), undefined);
    for (const site of [
      { kind: 'web', url: 'http://a.example/', text: 'none' },
      { kind: 'folder', path: '/srv', baseUrl: 'file:///srv/' },
    ] as const) {
      await writeSite(folder, site);
      assert.deepEqual(await readSite(folder), site);
    }
    for (const text of [
      '',
      '{',
      '5',
      'null',
      '{"kind":"web"}',
      '{"kind":"folder","path":"/x"}',
      '{"kind":"x"}',
    ]) {
      await writeFile(join(folder, 'site.json'), text);
      await rm(join(folder, 'site.json.copy'), { force: true });
      assert.equal(await readSite(folder), undefined, text);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
