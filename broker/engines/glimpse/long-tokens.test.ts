import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileQuery, parseQuery } from '../../../query/index.ts';
import { type Oid, oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { glimpseSizes } from '../../settings.ts';
import { glimpseOnDisk } from '../../testing/glimpse.ts';
import type { IndexChange } from '../model/search-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const long = `${'Ab'.repeat(40)}Tail9`;
const queries = [
  ...['', '#case '].flatMap((option) =>
    [long, long.toLowerCase(), `"see ${long}"`].map((text) => option + text),
  ),
  ...['#part ', '#part #case '].flatMap((option) =>
    ['Tail9', 'tail9', long.slice(10), long.slice(0, 70), long.slice(60, 68)].map((text) => option + text),
  ),
  `${'Ab'.repeat(36)}*`,
  `#case ${'Ab'.repeat(36)}*`,
];

for (const size of glimpseSizes)
  test(`glimpse ${size}: tokens longer than the stored part of a word are found as by reading`, async () => {
    await using fixture = await glimpseOnDisk(size);
    const texts = [`see ${long} here`, `see ${long.toLowerCase()} here`, `see ${long}x`, 'see nothing'];
    const objects = new Map(
      texts.map((text, n) => {
        const url = `http://example.org/${n}`;
        return [oidOf(gatherer, url), summaryObject(url, [['Full-Text', text]])] as const;
      }),
    );
    await using engine = await fixture.open(async (oid: Oid) => objects.get(oid));
    const puts = [...objects].map(
      ([oid, object]): IndexChange => ({ kind: 'put', oid, object, source: 's' }),
    );
    await engine.apply(puts, 1);
    let found = 0;
    for (const text of queries) {
      const { query } = parseQuery(text);
      const matches = compileQuery(query);
      const expected = [...objects].filter(([, object]) => matches(object)).map(([oid]) => oid);
      found += expected.length;
      const { hits } = await engine.search({ query, limit: 10, offset: 0 });
      assert.deepEqual(hits.map(({ oid }) => oid).sort(), expected.sort(), text);
    }
    assert.ok(found > queries.length);
  });
