import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { serveHttp } from '../http/index.ts';
import { ManualClock } from '../kernel/index.ts';
import type { Api } from './api.ts';
import { html } from './html.ts';
import { tablePageRoute } from './on-demand.ts';
import { plotView, ticks } from './table-plot.ts';

const clock = new ManualClock();
const serve = (api: Api) =>
  serveHttp({ routes: [tablePageRoute({ api })], port: 0, clock, title: 'test', version: '0' });

const table = {
  url: 'https://x.org/a.csv',
  tables: ['one', 'two'],
  table: 'one',
  columns: [
    { name: 'city', numeric: false },
    { name: 'people', numeric: true },
  ],
  rows: [['<b>Bonn</b>', '330579']],
  total: 250,
  of: 251,
  whole: false,
  points: [{ label: 'Bonn', value: 330_579 }],
};

test('the page asks the API for what its address says, and shows it without a script', async () => {
  const asked: string[] = [];
  await using server = await serve(async (path) => {
    asked.push(path);
    return { status: 200, json: table };
  });
  const address = 'oid=a/b&sort=city&desc=1&column=people&where=%3E+5&y=people&kind=bar&from=101';
  const page = await fetch(`${server.url}table?${address}`);
  const text = await page.text();
  assert.deepEqual(asked, [
    '/objects/a%2Fb/table?limit=100&offset=100&sort=city&y=people&desc=1&where=people%3A%3E+5',
  ]);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.doesNotMatch(text, /<script|style=|<b>Bonn/);
  assert.match(text, /&lt;b&gt;Bonn/);
  assert.match(text, /250 of 251 rows, the first that fit here/);
  assert.match(text, /<rect class="bar"/);
  assert.match(text, /aria-sort="descending"><a href="\.\/table\?oid=a%2Fb&amp;sort=city&amp;/);
  assert.match(text, /rel="next"/);
  assert.match(text, /<option value="people" selected="">/);
});

test('what cannot be shown is said, with what to do', async () => {
  const error = { error: { message: 'no <table>', hint: 'open it' } };
  for (const [status, json, expected] of [
    [409, error, /no &lt;table&gt;.*open it/s],
    [200, 'x', /cannot be read/],
  ] as const) {
    await using server = await serve(async () => ({ status, json }));
    const page = await fetch(`${server.url}table?oid=x`);
    assert.equal(page.status, status === 200 ? 502 : status);
    assert.match(await page.text(), expected);
  }
});

test('no cell, column or address becomes markup or a link that runs', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      'javascript:alert(1)',
      '</td>',
    ),
  );
  let text = '';
  await using server = await serve(async () => ({
    status: 200,
    json: {
      ...table,
      ...{
        url: text,
        tables: [text, 'x'],
        table: text,
        columns: [{ name: text, numeric: true }],
        rows: [[text]],
      },
      points: [{ label: text, value: 1 }],
    },
  }));
  await fc.assert(
    fc.asyncProperty(hostile, async (found) => {
      text = found;
      const query = new URLSearchParams({ oid: found, sort: found, where: found, column: found, y: found });
      const page = await fetch(`${server.url}table?${query}`);
      const parser = new Parser({
        onopentag: (name, attributes) => {
          assert.ok(!['script', 'img', 'iframe'].includes(name), name);
          for (const attribute of Object.keys(attributes)) assert.doesNotMatch(attribute, /^on|style/);
          if (name === 'a') assert.match(attributes.href ?? '', /^(?:\.\/|#|status|https?:\/\/|ftp:\/\/)/);
        },
      });
      parser.end(await page.text());
    }),
    { numRuns: 60 },
  );
});

test('a plot has round marks that cover it, and finite numbers only', () => {
  assert.deepEqual(ticks(0, 10), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(-3, 4).at(0), -4);
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(values, fc.constantFrom('line' as const, 'bar' as const), (found, kind) => {
      const marks = ticks(Math.min(...found), Math.max(...found));
      assert.ok((marks[0] as number) <= Math.min(...found) + 1e-6 * Math.abs(Math.min(...found)) + 1e-90);
      assert.ok(marks.length <= 12);
      const drawn = plotView(
        found.map((value) => ({ label: 'x', value })),
        kind,
        'title',
      );
      assert.ok(drawn !== undefined);
      assert.doesNotMatch(html(drawn), /NaN|Infinity|(?:width|height)="-/);
    }),
  );
  assert.equal(plotView([], 'bar', 'none'), undefined);
});
