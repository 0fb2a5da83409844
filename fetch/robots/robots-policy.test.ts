import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { HttpClient } from '../http/http-client.ts';
import { RobotsTxt } from './robots-policy.ts';

/** An origin whose robots.txt can be changed, and a policy that reads it. */
async function openSite() {
  const site = { status: 200, body: '', location: '', requested: 0 };
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt' || request.url === '/elsewhere') site.requested += 1;
    const moved = site.location && request.url === '/robots.txt';
    if (moved) response.writeHead(301, { location: site.location }).end();
    else response.writeHead(site.status, { 'content-length': site.body.length }).end(site.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = new HttpClient({ userAgent: 'Garner/test', allowHosts: [url], retries: 0 });
  const clock = new ManualClock();
  const policy = new RobotsTxt({ fetch: http.fetch, clock, maxHosts: 2 });
  return {
    site,
    url,
    clock,
    policy,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('the verdict names the line that decided', async () => {
  await using web = await openSite();
  web.site.body = 'User-agent: *\nCrawl-delay: 3\nDisallow: /private\nSitemap: /map.xml\nSitemap: http://x/y';
  const refused = await web.policy.allowed(`${web.url}/private/page`);
  assert.deepEqual(refused, {
    allowed: false,
    temporary: false,
    crawlDelaySeconds: 3,
    rule: 'robots.txt line 3: Disallow: /private (User-agent: *)',
  });
  assert.equal((await web.policy.allowed(`${web.url}/public`)).allowed, true);
  assert.equal((await web.policy.allowed(`${web.url}/robots.txt`)).allowed, true);
  assert.deepEqual(await web.policy.sitemaps(web.url), [`${web.url}/map.xml`, 'http://x/y']);
  assert.equal(web.site.requested, 1);
});

test('a missing file allows all, a failing server nothing for now, a stored copy is used on', async () => {
  await using web = await openSite();
  web.site.status = 500;
  const { allowed, temporary } = await web.policy.allowed(`${web.url}/`);
  assert.deepEqual({ allowed, temporary }, { allowed: false, temporary: true });
  web.site.status = 404;
  assert.equal((await web.policy.allowed(`${web.url}/`)).allowed, false);
  web.clock.advance(5 * 60 * 1000);
  assert.equal((await web.policy.allowed(`${web.url}/`)).rule, 'no robots.txt (404)');
  web.site.status = 200;
  web.site.body = 'User-agent: *\nDisallow: /x';
  web.clock.advance(24 * 3600 * 1000);
  assert.equal((await web.policy.allowed(`${web.url}/x`)).allowed, false);
  web.site.status = 503;
  web.clock.advance(24 * 3600 * 1000);
  const stale = await web.policy.allowed(`${web.url}/x`);
  assert.match(stale.rule, /line 2/);
  assert.equal((await web.policy.allowed(`${web.url}/y`)).allowed, true);
});

test('an unreachable host is refused; redirects are followed, circles count as no file', async () => {
  await using web = await openSite();
  const unreachable = await web.policy.allowed('http://127.0.0.1:1/');
  assert.equal(unreachable.allowed, false);
  assert.match(unreachable.rule, /FETCH_PRIVATE_ADDRESS/);
  web.site.location = '/elsewhere';
  web.site.body = 'User-agent: *\nDisallow: /';
  assert.equal((await web.policy.allowed(`${web.url}/`)).allowed, false);
  web.site.location = '/robots.txt';
  web.clock.advance(24 * 3600 * 1000);
  assert.equal((await web.policy.allowed(`${web.url}/`)).allowed, true);
});

test('concurrent callers cost one request; one that is cancelled does not spoil it for the others', async () => {
  await using web = await openSite();
  web.site.body = 'User-agent: *\nDisallow: /x';
  const stop = new AbortController();
  const first = web.policy.allowed(`${web.url}/x`, stop.signal);
  const others = Array.from({ length: 5 }, () => web.policy.allowed(`${web.url}/x`));
  const refused = assert.rejects(first, /called off/);
  stop.abort(new Error('called off'));
  await refused;
  for (const verdict of await Promise.all(others)) assert.equal(verdict.allowed, false);
  assert.ok(web.site.requested <= 2, `${web.site.requested}`);
});

test('only so many hosts are remembered', async () => {
  await using web = await openSite();
  await web.policy.allowed(`${web.url}/`);
  await web.policy.allowed('http://127.0.0.1:1/');
  await web.policy.allowed('http://127.0.0.1:2/');
  await web.policy.allowed(`${web.url}/`);
  assert.equal(web.site.requested, 2);
});

test('a robots.txt of any length is read as far as it counts', async () => {
  await using web = await openSite();
  web.site.body = `User-agent: *\nDisallow: /private\n${'# remark\n'.repeat(400_000)}`;
  assert.equal((await web.policy.allowed(`${web.url}/public`)).allowed, true);
  assert.match((await web.policy.allowed(`${web.url}/private`)).rule, /line 2/);
});
