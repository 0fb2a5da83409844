import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Route, serveHttp } from '../http/index.ts';
import { ManualClock } from '../kernel/index.ts';
import { bytesChart } from './bytes-chart.ts';
import { html } from './html.ts';
import { withStatusPage } from './on-demand.ts';

const clock = new ManualClock();
const at = clock.now() / 1000 - 90;
const round = (bytesDown: number, ...schemes: string[]) => ({
  ...{ at, schemes, bytesUp: 40, bytesDown, ms: 12, learned: 3, refreshed: 0, forgotten: 1 },
});

const status = {
  ...{ name: 'topic', objects: 5, summaryBytes: 5000, examples: [], engine: { objects: 5 } },
  sources: [
    {
      ...{
        id: 'a',
        name: '<b>site</b>',
        url: 'ws://a/',
        state: 'ok',
        objects: 5,
        lastLearnedAt: at,
        error: null,
      },
      filter: { query: 'Type: <i>report', age: { attribute: 'Date', seconds: 5 * 86_400 } },
      rounds: [round(36_000, 'log'), round(15), round(900, 'sketch', 'signature')],
      schemes: [
        {
          ...{ scheme: 'log', at, bytesUp: 40, bytesDown: 360, ms: 12 },
          predicted: { bytesUp: 50, bytesDown: 450 },
        },
      ],
    },
    {
      ...{
        id: 'b',
        name: 'quiet',
        url: 'ws://b/',
        state: 'down',
        error: 'refused',
        rounds: 'x',
        schemes: {},
      },
    },
  ],
};

async function page(json: unknown, accept: string) {
  const route: Route = {
    ...{ method: 'GET', path: '/status', summary: 'status', scope: 'public' },
    handle: () => ({ json }),
  };
  const routes = [withStatusPage(route, { clock, title: 'Topic' })];
  await using server = await serveHttp({ routes, port: 0, clock, title: 'test', version: '0' });
  const response = await fetch(new URL('status', server.url), { headers: { accept } });
  return { response, text: await response.text() };
}

test('browsers get a page of /status, everybody else the same JSON as before', async () => {
  for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
    const { response, text } = await page(status, accept);
    assert.match(response.headers.get('content-type') ?? '', /json/, accept);
    assert.match(response.headers.get('vary') ?? '', /accept/i);
    assert.deepEqual(JSON.parse(text), status);
  }
  const { response, text } = await page(status, 'text/html,application/xhtml+xml,*/*;q=0.8');
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(text, /<title>Status – Topic<\/title>/);
  assert.match(text, /5 objects from 2 sources/);
  const strange = await page({ nothing: true }, 'text/html');
  assert.match(strange.response.headers.get('content-type') ?? '', /json/);
});

test('each source has its rounds as bars and as a table, and what its schemes took', async () => {
  const { text } = await page(status, 'text/html');
  assert.equal(text.match(/<rect class="bar /g)?.length, 3);
  assert.equal(text.match(/<svg /g)?.length, 1, 'a source without rounds has no chart');
  // 36,040 bytes reach 91 % of a scale up to 10^5.
  const heights = [...text.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map(([, high]) => Number(high));
  const [first = 0, second = 0, third = 0] = heights;
  assert.ok(first > third && third > second && second > 0, heights.join());
  assert.ok(Math.abs(first - 104 * (Math.log10(36_040) / 5)) < 0.2, `${first}`);
  assert.match(text, /class="bar scheme1".*class="bar idle".*class="bar scheme2"/s);
  assert.match(text, /<title id="source0-title">Bytes by round with &lt;b&gt;site/);
  assert.match(text, /The last 3 rounds/);
  assert.match(text, /sketch, signature/);
  assert.match(
    text,
    /<td[^>]* class="number">500 B<\/td><td[^>]* class="number">400 B<\/td><td[^>]* class="number">80 %<\/td>/,
  );
  assert.match(text, /Filter: <bdi>Type: &lt;i&gt;report, Date at most 5 days ago/);
  assert.match(text, /does not answer: refused/);
  assert.match(text, /No round yet/);
  assert.doesNotMatch(text, /<b>|<i>|style=|undefined|NaN/);
});

test('a source that pushes and is away is waited for, which is no fault', async () => {
  const waited = { ...{ id: 'c', name: 'far', url: 'push:c', state: 'waiting', error: null }, rounds: [] };
  const { text } = await page(
    { ...status, sources: [waited, { ...waited, error: 'cut', lastLearnedAt: at }] },
    'text/html',
  );
  assert.match(text, /<bdi>push:c<\/bdi><\/li><li>0 objects<\/li><li>waiting for its push<\/li>/);
  assert.match(text, /<li>waiting for its push: cut; checked <time /);
  assert.doesNotMatch(text, /does not answer|>false|: false/);
});

test('case b18: the words under a chart of bytes name the distance of the lines that are drawn', () => {
  for (const [bytes, words] of [
    [900, 'ten times'],
    [40_000_000, 'a hundred times'],
    [500_000_000_000, 'a thousand times'],
  ] as const) {
    const drawn = html(bytesChart([round(bytes, 'log')], 'a', 'the harbour'));
    const lines = [...drawn.matchAll(/text-anchor="end">([\d.]+) (k|M|G|T)?B</g)].map(
      ([, number, unit = '']) => Number(number) * 1000 ** ['', 'k', 'M', 'G', 'T'].indexOf(unit),
    );
    const steps = new Set(lines.slice(1).map((line, at) => Math.round(line / (lines[at] ?? 1))));
    assert.deepEqual(
      [...steps],
      [{ 'ten times': 10, 'a hundred times': 100, 'a thousand times': 1000 }[words]],
    );
    assert.ok(drawn.includes(`each grid line is ${words} the one below`), words);
  }
});
