import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readJsonLd } from './json-ld.ts';
import { isoDate } from './page-dates.ts';
import { pageFields } from './page-fields.ts';

test('dates become ISO 8601 where they can be read', () => {
  const read: Readonly<Record<string, string | undefined>> = {
    '2019/03/02': '2019-03-02',
    '2019/3/2': '2019-03-02',
    '2019/03': '2019-03',
    '2019': '2019',
    '20190302': '2019-03-02',
    '2019-3-2': '2019-03-02',
    '2024-05-06T07:08:09Z': '2024-05-06T07:08:09Z',
    '2024-05-06T07:08:09.123+0200': '2024-05-06T07:08:09.123+02:00',
    '2024-05-06 07:08:09': '2024-05-06T07:08:09',
    'Mon, 05 Feb 2024 10:00:00 GMT': '2024-02-05T10:00:00Z',
    'Mon Feb 05 2024 10:00:00 GMT+0100 (CET)': '2024-02-05T09:00:00Z',
    'March 2, 2019': '2019-03-02',
    'Saturday, 2 March 2019 at 10:00': '2019-03-02',
    '2nd Mar 2019': '2019-03-02',
    'Sept. 2019': '2019-09',
    '2024-05-06T07:08:09+02': '2024-05-06T07:08:09+02:00',
    '2024-05-06T07:08:09 +02:00': '2024-05-06T07:08:09+02:00',
    '2024-05-06 07:08:09 UTC': '2024-05-06T07:08:09Z',
    '20240506T070809Z': '2024-05-06T07:08:09Z',
    '20240506T0708': '2024-05-06T07:08',
    '1714979289': '2024-05-06T07:08:09Z',
    '1714979289000': '2024-05-06T07:08:09Z',
    '2024/5/6 07:08': '2024-05-06',
    '2024\u5e745\u67086\u65e5': '2024-05-06',
    '2024\u5e745\u6708': '2024-05',
    'Mon May  6 07:08:09 UTC 2024': '2024-05-06T07:08:09Z',
    '2019/13/02': '2019/13/02',
    '2. März 2019': '2. März 2019',
    '0000-00-00 00:00:00': undefined,
    '-0001-11-30T00:00:00+00:00': undefined,
    '0001-01-01T00:00:00Z': undefined,
    yesterday: undefined,
    '': undefined,
  };
  for (const [written, expected] of Object.entries(read)) assert.equal(isoDate(written), expected, written);
});

test('any JSON as JSON-LD gives attributes and never throws', () => {
  const names = fc.constantFrom(
    ...[
      '@type',
      '@id',
      '@graph',
      '@value',
      '@list',
      '@context',
      'name',
      'headline',
      'author',
      'isPartOf',
      'offers',
    ],
    ...['mainEntity', 'url', 'image', 'location', 'type', 'constructor', '__proto__', 'toString'],
  );
  const scalars = fc.oneof(
    fc.constantFrom('Article', 'Person', 'WebPage', 'Book', 'a', 'http://site.example/', '<b>&', ''),
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  );
  const { node } = fc.letrec<{ node: unknown; list: unknown; thing: unknown }>((tie) => ({
    node: fc.oneof({ maxDepth: 6 }, scalars, tie('list'), tie('thing')),
    list: fc.array(tie('node'), { maxLength: 5 }),
    thing: fc.dictionary(names, tie('node'), { maxKeys: 6 }),
  }));
  fc.assert(
    fc.property(fc.array(node, { maxLength: 3 }), fc.nat(400), (graphs, cut) => {
      const scripts = graphs.flatMap((graph) => [JSON.stringify(graph), JSON.stringify(graph).slice(0, cut)]);
      const things = readJsonLd(scripts);
      assert.ok(things.length < 10_000);
      const { fields } = pageFields({
        metas: [],
        things,
        urls: ['http://site.example/'],
        base: 'http://site.example/',
        canonical: undefined,
        alternates: [],
        title: 'a',
        heading: undefined,
        firstLine: undefined,
        language: undefined,
        authors: [],
        tags: [],
        dates: [],
        licences: [],
        image: undefined,
      });
      for (const [name, value] of fields) assert.equal(typeof value, 'string', name);
    }),
    { numRuns: 300 },
  );
});
