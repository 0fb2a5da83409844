import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Route, serveHttp } from '../http/index.ts';
import { ManualClock } from '../kernel/index.ts';
import { cacheStatusRoutes } from './cache-status-page.ts';

const clock = new ManualClock();
const now = clock.now() / 1000;

const neighbour = (role: string, at: number, state = 'up') => ({
  ...{ role, name: `${role}${at}.example.org:3128`, host: `${role}${at}.example.org`, port: 3128, state },
  ...{ asked: 10, hits: 3, misses: 7, fetched: 5, failed: 0 },
});

const status = {
  ...{ role: 'cache', name: '<b>edge', proxy: false, addresses: [] },
  origins: [{ host: null, url: 'http://origin.example.org' }],
  now,
  answers: {
    ...{
      since: now - 600,
      requests: 200,
      hitRatio: 0.875,
      byteHitRatio: 0.5,
      bytes: 1000,
      bytesFromHere: 500,
    },
    outcomes: { hit: 150, validated: 25, miss: 25, pass: 0 },
    refused: { CACHE_FORBIDDEN: 1200 },
    tunnels: { opened: 17, open: 2 },
    brokenOff: 3,
    latency: { fromHere: { p50: 1, p99: 5 }, others: null },
    minutes: [
      { at: now - 120, requests: 100, fromHere: 80 },
      { at: now - 60, requests: 100, fromHere: 95 },
    ],
  },
  store: {
    ...{ entries: 1234, contentBytes: 5e6, diskBytes: 6e6, diskBudgetBytes: 1e9, memoryBytes: 1e6 },
    ...{ memoryBudgetBytes: 1e8, evicted: 7, damaged: 1, refused: 0 },
  },
  hottest: [{ url: 'http://origin.example.org/<i>hot', bytes: 900, hits: 90, status: 200 }],
  largest: [{ url: 'http://origin.example.org/large', bytes: 4e6, hits: 0, status: 200 }],
  neighbours: [
    neighbour('parent', 1),
    neighbour('parent', 2, 'silent'),
    ...Array.from({ length: 6 }, (_, at) => neighbour('sibling', at)),
  ],
  children: [{ name: 'low', address: '192.0.2.7', requests: 12, fromHere: 6, lastAt: now - 5 }],
};

async function page(json: unknown, accept = 'text/html', path = 'status') {
  const route: Route = {
    ...{ method: 'GET', path: '/status', summary: 'status', scope: 'public' },
    handle: () => ({ json }),
  };
  const routes = cacheStatusRoutes(route, { clock, title: 'Edge' });
  await using server = await serveHttp({ routes, port: 0, clock, title: 'test', version: '0' });
  const response = await fetch(new URL(path, server.url), { headers: { accept } });
  return { response, text: await response.text() };
}

test('browsers get a page of a status, everybody else its JSON, and / leads to it', async () => {
  const { response, text } = await page(status, 'application/json');
  assert.match(response.headers.get('content-type') ?? '', /json/);
  assert.deepEqual(JSON.parse(text), status);
  const shown = await page(status, 'text/html', '');
  assert.match(shown.response.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(shown.response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(shown.text, /<title>Status – Edge<\/title>/);
  const strange = await page({ role: 'broker' });
  assert.match(strange.response.headers.get('content-type') ?? '', /json/);
});

test('the page tells hit ratios, what is hottest and largest, and every peer', async () => {
  const { text } = await page(status);
  assert.match(text, /1,234 responses, 87\.5 % of answers from the cache/);
  assert.match(text, /50\.0 % of bytes from the cache/);
  assert.match(text, /17 tunnels opened, 2 open/);
  assert.match(text, /CACHE_FORBIDDEN<\/th><td[^>]* class="number">1,200</);
  assert.match(text, /broke off<\/th><td[^>]* class="number">3</);
  assert.match(text, /hot<\/bdi><\/th><td[^>]* class="number">900 B<\/td><td[^>]* class="number">90</);
  assert.match(text, /large<\/bdi><\/th><td[^>]* class="number">4\.0 MB</);
  for (const one of status.neighbours) assert.ok(text.includes(`<bdi>${one.host}:3128</bdi>`), one.host);
  assert.match(
    text,
    /<bdi>low<\/bdi><span class="quiet"> at <bdi>192\.0\.2\.7<\/bdi><\/span><\/th><td[^>]* class="number">12<\/td><td[^>]* class="number">50\.0 %</,
  );
});

test('nothing that a status names becomes markup', async () => {
  const { text } = await page(status);
  assert.ok(!text.includes('<b>edge') && !text.includes('<i>hot'));
  assert.match(text, /&lt;b&gt;edge/);
});

test('the picture has the cache, its origin, parents, siblings and children, and says how many more there are', async () => {
  const { text } = await page(status);
  const kinds = (name: string) => {
    const [drawn = ''] = new RegExp(`<svg class="${name}".*?</svg>`, 's').exec(text) ?? [];
    const boxes = [...drawn.matchAll(/<g class="box ([a-z]+)( down)?"/g)].map(
      ([, kind, down]) => `${kind}${down ?? ''}`,
    );
    assert.equal(drawn.match(/<path class="edge /g)?.length, boxes.length - 1);
    return boxes.sort().join();
  };
  const others = 'child,origin,own,parent,parent down';
  assert.equal(kinds('wide'), `${others}${',sibling'.repeat(6)}`);
  assert.equal(kinds('narrow'), `child,more,origin,own,parent,parent down${',sibling'.repeat(3)}`);
  assert.match(text, /and 3 more/);
});

test('every origin is reported with the host that it is for, and the picture says how many more there are', async () => {
  const origins = [
    { host: null, url: 'http://all.internal' },
    ...Array.from({ length: 29 }, (_, at) => ({ host: `<i>${at}.example`, url: `http://a${at}.internal` })),
  ];
  const { text } = await page({ ...status, origins });
  assert.match(text, /before 30 origins/);
  assert.match(text, /every host/);
  for (const { url } of origins) assert.ok(text.includes(`>${url}<`), url);
  assert.match(text, /&lt;i&gt;28\.example/);
  assert.match(text, /<summary>5 more<\/summary>/);
  const [wide = ''] = /<svg class="wide".*?<\/svg>/s.exec(text) ?? [];
  assert.equal(wide.match(/<g class="box origin/g)?.length, 2);
  assert.match(wide, /and 28 more/);
});

test('a disk that refuses responses is reported at once, with the reason, since when and what to do', async () => {
  const trouble = { reason: 'ENOSPC', what: 'the disk is full', cure: 'make room', state: 'full' };
  const reported = async (more: object) =>
    (await page({ ...status, store: { ...status.store, trouble: { ...trouble, ...more } } })).text;
  const refusing = await reported({ since: now - 240 });
  assert.match(refusing, /New responses are not stored since <time[^>]*>4 min ago<\/time>: the disk is full/);
  assert.match(refusing, /\(ENOSPC\)\. Stored responses are still served\. What to do: make room\./);
  assert.match(await reported({ since: now - 240, state: 'short' }), /New responses replace old ones since/);
  assert.ok(!(await page(status)).text.includes('class="fault"'));
});

test('hundreds of peers are reported in a picture of the busiest and in tables that are folded', async () => {
  const neighbours = Array.from({ length: 200 }, (_, at) => ({
    ...neighbour('parent', at, at % 50 === 0 ? 'dead' : 'up'),
    fetched: at,
  }));
  const { text } = await page({ ...status, neighbours });
  const [wide = ''] = /<svg class="wide".*?<\/svg>/s.exec(text) ?? [];
  assert.equal(wide.match(/<g class="box parent"/g)?.length, 5);
  assert.match(wide, /parent199\.example\.org/);
  assert.match(wide, /and 195 more: 191 up, 4 not/);
  assert.match(text, /<summary>175 more<\/summary>/);
  assert.equal(text.match(/<th scope="row"><bdi>parent/g)?.length, 200);
});

test('a cache that nobody has asked yet and that stands alone has a page too', async () => {
  const { text } = await page({ role: 'cache', name: 'alone', answers: null, store: {}, neighbours: [] });
  assert.match(text, /<h1>0 responses<\/h1>/);
  assert.match(text, /No request yet/);
  assert.equal(text.match(/<g class="box own"/g)?.length, 2);
  assert.ok(!text.includes('class="edge'));
});

test('whatever a status holds, there is a page or its JSON', async () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.jsonValue().map((answers) => ({ ...status, answers })),
  );
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const { response } = await page(value);
      assert.equal(response.status, 200);
    }),
    { numRuns: 30 },
  );
});
