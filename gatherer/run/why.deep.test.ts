import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { RobotsTxt } from '../../fetch/index.ts';
import type { Enumerator } from '../enumerate/enumerator.ts';
import { rootedAt } from '../enumerate/roots/every-root.ts';
import { WebEnumerator } from '../enumerate/web/web-enumerator.ts';
import { defaultPlan } from '../pipeline/pipeline-plan.ts';
import { baseUrl, Site } from '../testing/folder-site.ts';
import { factsOf, html, openSite } from '../testing/loopback-site.ts';
import { verdictOf } from './url-lookup.ts';

/** A root that includes nothing. */
const elsewhere = (covers: boolean | undefined, rule: string): Enumerator => ({
  enumerate: async function* () {},
  decide: async (url) => ({ url, included: false, rule }),
  ...(covers === undefined ? {} : { covers: () => covers }),
});

test('of several roots the one that covers a URL says why', async () => {
  const ruleOf = async (...roots: readonly Enumerator[]) => (await verdictOf(roots, 'http://x/')).rule;
  const [no, yes, any] = [elsewhere(false, 'no'), elsewhere(true, 'yes'), elsewhere(undefined, 'any')];
  assert.equal(await ruleOf(no, any, yes), 'yes');
  assert.equal(await ruleOf(no), 'no');
  assert.equal(await ruleOf(no, any), 'it is below none of the 2 roots');
  const named = (root: string) => rootedAt(root, no);
  const roots = ['http://a/', 'ftp://u:secret@b/', 'file:///c/', 'http://d/'].map(named);
  assert.equal(
    await ruleOf(...roots),
    'it is below none of the 4 roots (http://a/, ftp://b/, file:///c/ and others)',
  );
  assert.equal(await ruleOf(...roots, rootedAt('http://x/docs/', any)), 'any', 'it is of the same server');
  assert.match(await ruleOf(), /no root.*--config/);
});

test('a text that is not an absolute URL is refused', async () => {
  await using site = await Site.make();
  for (const text of ['a.html', '/srv/a.html', ''])
    await assert.rejects(site.gatherer.why(text), { code: 'GATHERER_NO_URL' });
});

test('a published URL gives the report of the URL that is read', async () => {
  await using site = await Site.make();
  site.published = (url) => url.replace(baseUrl, 'https://out.example/');
  await site.reopen();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  const expected = [`${baseUrl}a.html`, true, 'https://out.example/a.html', true];
  for (const url of ['https://out.example/a.html', `${baseUrl}a.html`]) {
    const why = await site.gatherer.why(url);
    assert.deepEqual([why.url, why.included, why.publishedAs, why.object !== null], expected);
  }
});

test('the rule that left a document out is reported although its URL is included', async () => {
  await using site = await Site.make();
  const rules = [{ condition: 'Title == "A"', instructions: [{ kind: 'delete' } as const] }];
  site.plan = {
    ...defaultPlan,
    selection: { stop: ['Text'] },
    customise: { ...defaultPlan.customise, rules },
  };
  await site.reopen();
  await site.page('a.html', 'A');
  await writeFile(join(site.root, 'b.txt'), 'words');
  await site.gatherer.run();
  for (const [name, rule] of [
    ['a.html', 'a rule deletes it (gatherer.rules)'],
    ['b.txt', 'type Text is left out (gatherer.stop)'],
  ] as const) {
    const why = await site.gatherer.why(`${baseUrl}${name}`);
    assert.deepEqual([why.included, why.object, why.left], [true, null, { [rule]: 1 }]);
  }
});

test('a document in another is included or left out with it, and each report names the other', async () => {
  await using site = await Site.make();
  await writeFile(join(site.root, 'a.bib'), '@book{one, title = {One}}\n@book{two, title = {Two}}\n');
  await site.gatherer.run();
  const whole = await site.gatherer.why(`${baseUrl}a.bib`);
  assert.deepEqual([whole.included, whole.object, whole.parts], [true, null, 2]);
  const objects = [];
  await using snapshot = await site.data.store.snapshot();
  for await (const { oid } of snapshot.scan()) objects.push(await site.gatherer.summary(oid));
  const part = await site.gatherer.why(objects[0]?.url ?? '');
  assert.deepEqual([part.included, part.within, part.object !== null], [true, `${baseUrl}a.bib`, true]);
  const none = await site.gatherer.why(`${baseUrl}a.bib#three`);
  assert.deepEqual([none.included, none.object, none.met], [true, null, false]);
});

test('a URL is found in any spelling, and by the file: URL of its file', async () => {
  await using site = await Site.make();
  for (const name of ['a b.html', 'Über uns.html', 'c+d&e.html', '100%.html']) {
    await site.page(name, name);
    await site.gatherer.run();
    const url = baseUrl + encodeURIComponent(name);
    const file = pathToFileURL(join(site.root, name)).href;
    for (const asked of [url, baseUrl + name, encodeURI(baseUrl + name), file, decodeURI(file)]) {
      const why = await site.gatherer.why(asked);
      assert.deepEqual([why.url, why.met, why.object !== null], [url, true, true], asked);
      assert.equal((await site.gatherer.show(asked)).url, url);
    }
  }
  assert.equal((await site.gatherer.why(`${baseUrl.toUpperCase()}none.html`)).url, `${baseUrl}none.html`);
  await assert.rejects(site.gatherer.show(`${baseUrl}no ne`), { code: 'GATHERER_UNKNOWN_URL' });
});

test('a place in a document is found in any spelling', async () => {
  await using site = await Site.make();
  await writeFile(join(site.root, 'all docs.tar'), tar(site, { 'in side.txt': 'words' }));
  await site.gatherer.run();
  for (const asked of ['all docs.tar#in side.txt', 'all%20docs.tar#in%20side.txt']) {
    const why = await site.gatherer.why(baseUrl + asked);
    assert.deepEqual([why.url, why.met], [`${baseUrl}all%20docs.tar#in%20side.txt`, true], asked);
    assert.notEqual(why.object, null, asked);
  }
  const none = await site.gatherer.why(`${baseUrl}all docs.tar#none`);
  assert.deepEqual([none.included, none.met, none.looked, none.object], [true, false, true, null]);
});

/** A tar archive of these files. */
function tar(site: Site, files: Readonly<Record<string, string>>): Buffer {
  const folder = mkdtempSync(join(site.path, 'tar-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return execFileSync('tar', ['-C', folder, '-cf', '-', ...Object.keys(files)]);
}

test('why agrees with the report of the last run', async () => {
  await using site = await Site.make({ excluded: (url) => (url.endsWith('.no') ? 'a filter' : undefined) });
  await site.page('a.html', 'A');
  await site.page('b.no', 'B');
  await symlink('/etc/passwd', join(site.root, 'out'));
  await symlink('nothing', join(site.root, 'dangling'));
  await symlink('loop', join(site.root, 'loop'));
  execFileSync('mkfifo', [join(site.root, 'pipe')]);
  const report = await site.gatherer.run();
  assert.deepEqual(report.skipped, {
    'a filter': 1,
    'a symbolic link to nothing': 1,
    'symbolic link out of the folder': 1,
    'not a regular file': 1,
  });
  for (const [rule, urls] of Object.entries(report.firstSkipped))
    for (const url of urls) {
      const why = await site.gatherer.why(url);
      assert.deepEqual([why.included, why.rule, why.reason, why.met], [false, rule, rule, true], url);
    }
  const [failed] = report.failures;
  const why = await site.gatherer.why(`${baseUrl}loop`);
  assert.deepEqual([failed?.url, why.included, why.reason], [why.url, false, failed?.reason]);
  assert.ok(why.rule.endsWith(failed?.reason ?? '?'), why.rule);
  assert.deepEqual((await site.gatherer.why(`${baseUrl}none`)).met, false);
  await rm(join(site.root, 'dangling'));
  await site.gatherer.run();
  const gone = await site.gatherer.why(`${baseUrl}dangling`);
  assert.deepEqual([gone.reason, gone.met], [undefined, false], 'only the last run counts');
});

test('why reports the results of pages of a web site', async () => {
  const redirect = { status: 302, headers: { location: '/a.html' } };
  await using web = await openSite({
    '/': html('/a.html', '/gone.html', '/broken.html', '/private/x.html', '/old.html'),
    '/a.html': html(),
    '/broken.html': { status: 500 },
    '/old.html': redirect,
    '/robots.txt': { body: 'User-agent: *\nDisallow: /private/\n' },
  });
  await using site = await Site.make();
  const robots = new RobotsTxt({ fetch: web.http.fetch, clock: site.clock });
  const root = `${web.root}/`;
  site.enumerators = () => [new WebEnumerator({ root, fetch: web.http.fetch, robots, factsOf })];
  await site.reopen();
  const report = await site.gatherer.run();
  assert.deepEqual([report.goneCount, report.failed], [1, 1]);
  const reason = async (path: string) => {
    const { met, included, reason } = await site.gatherer.why(web.root + path);
    return [met, included, reason];
  };
  assert.deepEqual(await reason('/gone.html'), [true, true, `status 404, named by ${root}`]);
  assert.deepEqual(await reason('/old.html'), [true, true, `it redirects to ${root}a.html (status 302)`]);
  assert.deepEqual(await reason('/broken.html'), [
    ...[true, true],
    `${root}broken.html answered with status 500.`,
  ]);
  const [met, included, rule] = await reason('/private/x.html');
  assert.deepEqual([met, included, /Disallow/.test(String(rule))], [true, false, true]);
  assert.deepEqual(await reason('/none.html'), [false, true, undefined]);
  await site.reopen();
  assert.equal((await reason('/gone.html'))[0], true, 'it is kept with the data');
});

test('a published URL is mapped to the document although it has no summary', async () => {
  await using site = await Site.make();
  const rules = [{ condition: 'Type == "Text"', instructions: [{ kind: 'delete' } as const] }];
  site.plan = { ...defaultPlan, customise: { ...defaultPlan.customise, rules } };
  for (const published of [
    (url: string) => url.replace(baseUrl, 'https://out.example/'),
    // Not by folder: found by searching the rows.
    (url: string) => url.replace(/^http:\/\/www\.example\.org\/(.+)$/, 'https://out.example/$1'),
  ]) {
    site.published = published;
    await site.reopen();
    await writeFile(join(site.root, 'all.tar'), tar(site, { 'a.txt': 'words' }));
    await writeFile(join(site.root, 'b.txt'), 'words');
    await site.gatherer.run();
    const left = { 'a rule deletes it (gatherer.rules)': 1 };
    for (const name of ['all.tar#a.txt', 'all.tar', 'b.txt']) {
      const why = await site.gatherer.why(`https://out.example/${name}`);
      const expected = [baseUrl + name, true, `https://out.example/${name}`, left];
      assert.deepEqual([why.url, why.included, why.publishedAs, why.left], expected);
    }
    const none = await site.gatherer.why('https://out.example/all.tar#nomember');
    assert.deepEqual([none.within, none.looked], [`${baseUrl}all.tar`, true]);
    const elsewhere = await site.gatherer.why('https://elsewhere.example/');
    assert.match(elsewhere.rule, /not below/);
  }
  site.published = (url) => url.replace(baseUrl, 'https://out.example/');
  await site.reopen();
  const absent = await site.gatherer.why('https://out.example/none.txt');
  assert.equal(absent.rule, `there is no file ${join(site.root, 'none.txt')}`);
});
