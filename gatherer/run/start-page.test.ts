import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient, RobotsTxt } from '../../fetch/index.ts';
import { ManualClock, systemClock, systemRandom } from '../../kernel/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { WebEnumerator } from '../enumerate/web/web-enumerator.ts';
import { InlineProcessor } from '../pipeline/inline-processor.ts';
import { defaultPlan } from '../pipeline/pipeline-plan.ts';
import { factsOf, html, openSite, type Page } from '../testing/loopback-site.ts';
import { Gatherer } from './gatherer.ts';

/** A Gatherer over a site on loopback. */
async function gathered(pages: Record<string, Page>) {
  const site = await openSite(pages);
  const path = await mkdtemp(join(tmpdir(), 'garner-start-'));
  const clock = new ManualClock();
  const folder = await openDataFolder(path, { role: 'gatherer', create: true, clock, random: systemRandom });
  const gatherer = await Gatherer.open({
    folder,
    enumerators: ({ factsOf }) => [
      new WebEnumerator({
        root: `${site.root}/`,
        fetch: site.http.fetch,
        factsOf,
        robots: new RobotsTxt({ fetch: site.http.fetch, clock, maxAgeMs: 60_000 }),
      }),
    ],
    clock,
    name: 'site',
    host: 'site',
    version: '1',
    plan: defaultPlan,
    processor: new InlineProcessor(defaultPlan),
    ttlSeconds: 1000,
    refreshSeconds: 100,
    answers: () => site.http.counts.answers,
  });
  return {
    site,
    gatherer,
    clock,
    store: folder.store,
    [Symbol.asyncDispose]: async () => {
      await folder[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await rm(path, { recursive: true, force: true });
    },
  };
}

const said = (code: string, text: string) => (error: unknown) => {
  assert.ok(error instanceof Error && 'code' in error);
  assert.deepEqual([error.code, error.message], [code, text]);
  return true;
};

test('a start page that is not served is reported by its status, and nothing is deleted', async () => {
  for (const status of [404, 410, 403, 500, 503]) {
    const pages: Record<string, Page> = { '/': html('/a', '/b'), '/a': html(), '/b': html() };
    await using one = await gathered(pages);
    const error = said('GATHERER_ROOT_STATUS', `${one.site.root}/ answers ${status}.`);
    const working = { ...pages };
    for (const path of Object.keys(pages)) pages[path] = { status };
    await assert.rejects(one.gatherer.run(), error);
    Object.assign(pages, working);
    assert.equal((await one.gatherer.run()).objects, 3);
    // Like a web server whose disk is not mounted: it has none of its pages.
    for (const path of Object.keys(pages)) pages[path] = { status };
    await assert.rejects(one.gatherer.run(), error);
    assert.equal(one.store.count, 3, `${status}`);
  }
});

test('without its start page a site is gathered from its sitemap, and nothing is deleted', async () => {
  const sitemap = (root: string, ...paths: string[]) =>
    `<urlset>${paths.map((path) => `<url><loc>${root}${path}</loc></url>`).join('')}</urlset>`;
  await using one = await gathered({ '/': html('/c'), '/a': html(), '/b': html(), '/c': html() });
  const { site, gatherer, store } = one;
  site.pages['/sitemap.xml'] = { body: sitemap(site.root, '/a', '/b') };
  assert.equal((await gatherer.run()).objects, 4);
  delete site.pages['/'];
  delete site.pages['/b'];
  delete site.pages['/c'];
  const report = await gatherer.run();
  assert.deepEqual([report.unchanged, report.deleted, report.complete, store.count], [1, 0, false, 4]);
  assert.match(report.failures[0]?.reason ?? '', /\/ answers 404\..*nothing was deleted/);
});

test('a site that may not be gathered at all is an error, and its summaries are deleted', async () => {
  await using one = await gathered({ '/': html('/a'), '/a': html() });
  assert.equal((await one.gatherer.run()).objects, 2);
  one.site.pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /' };
  one.clock.advance(60_001);
  await assert.rejects(one.gatherer.run(), /Nothing can be gathered from .*robots\.txt line 2: Disallow: \//);
  assert.equal(one.store.count, 0);
});

test('missing pages are listed with the pages that link to them, and are no failures', async () => {
  const many = Array.from({ length: 30 }, (_, n) => `/gone${n}`);
  await using one = await gathered({
    '/': html('/a', ...many),
    '/a': html('/old'),
    '/old': html(),
    '/new': html(),
  });
  const first = await one.gatherer.run();
  assert.deepEqual([first.goneCount, first.gone.length, first.failed, first.deleted], [30, 20, 0, 0]);
  const { root } = one.site;
  assert.deepEqual(first.gone[0], { url: `${root}/gone0`, reason: 'status 404', from: `${root}/` });
  one.site.pages['/'] = html('/a');
  delete one.site.pages['/old'];
  const second = await one.gatherer.run();
  assert.deepEqual(second.gone, [{ url: `${root}/old`, reason: 'status 404', from: `${root}/a` }]);
  assert.equal(second.deleted, 1);
  assert.deepEqual(second.answers, { 200: 1, 304: 1, 404: 2 }, 'sitemap.xml among them');
});

test('an unknown host and a closed port are reported as such, not as a matter of robots.txt', async () => {
  const lookup: NonNullable<ConstructorParameters<typeof HttpClient>[0]['lookup']> = (host, _, done) => {
    const code = host === 'busy.example' ? 'EAI_AGAIN' : 'ENOTFOUND';
    done(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code }), []);
  };
  const cases = [
    ['http://nosuch.example/', 'FETCH_HOST_UNKNOWN', 'There is no such host: nosuch.example.'],
    ['http://busy.example/', 'FETCH_RESOLVER', 'No name server resolves the host busy.example (EAI_AGAIN).'],
    ['http://127.0.0.1:1/x', 'FETCH_REFUSED', 'No server listens at 127.0.0.1:1.'],
  ] as const;
  for (const [root, code, text] of cases)
    for (const obeys of [true, false]) {
      await using http = new HttpClient({ userAgent: 'Garner/test', allowHosts: [root], retries: 0, lookup });
      const robots = new RobotsTxt({ fetch: http.fetch, clock: systemClock });
      const enumerator = new WebEnumerator({ root, fetch: http.fetch, factsOf, ...(obeys && { robots }) });
      await assert.rejects(
        async () => {
          for await (const item of enumerator.enumerate({ recall: async () => undefined }))
            assert.fail(item.kind);
        },
        said(code, text),
      );
    }
});
