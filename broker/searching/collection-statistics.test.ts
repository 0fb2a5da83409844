import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  statisticsBounds,
  statisticsFrom,
  statisticsText,
  summedStatistics,
} from './collection-statistics.ts';

const plain = { noNullPrototype: true };
const term = fc.record(
  {
    field: fc.constantFrom('all', 'title'),
    term: fc.string({ maxLength: 40 }),
    objects: fc.nat(),
    occurrences: fc.nat(),
  },
  plain,
);
const statistics = fc.record(
  {
    objects: fc.nat(),
    terms: fc.uniqueArray(term, { maxLength: 20, selector: (one) => `${one.field} ${one.term}` }),
  },
  plain,
);
const byName = (a: { field: string; term: string }, b: typeof a) =>
  `${a.field} ${a.term}` < `${b.field} ${b.term}` ? -1 : 1;

test('statistics go through their text unchanged', () => {
  fc.assert(
    fc.property(statistics, (one) => {
      const read = statisticsFrom(statisticsText(one));
      assert.deepEqual(
        { ...read, terms: [...(read?.terms ?? [])].sort(byName) },
        { ...one, terms: [...one.terms].sort(byName) },
      );
    }),
  );
});

test('any other text gives none, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = statisticsFrom(text);
      assert.ok(read === undefined || (Number.isSafeInteger(read.objects) && Array.isArray(read.terms)));
    }),
  );
  for (const text of ['[-1]', '[1,["all","x",1]]', '[1,["all","x",1,-2]]', '{}', '', '[1e99]'])
    assert.equal(statisticsFrom(text), undefined, text);
});

test('of too many terms the commonest remain, within the bound', () => {
  const terms = Array.from({ length: 2000 }, (_, n) => ({
    ...{ field: 'all', term: `${'x'.repeat(60)}${n}`, objects: n, occurrences: n },
  }));
  const text = statisticsText({ objects: 5000, terms });
  assert.ok(text.length <= statisticsBounds.length);
  const remaining = statisticsFrom(text)?.terms ?? [];
  assert.ok(remaining.length > 50);
  assert.equal(remaining[0]?.objects, 1999);
});

test('sums are those of all, whatever their order', () => {
  fc.assert(
    fc.property(fc.array(statistics, { maxLength: 4 }), (all) => {
      const sum = summedStatistics(all);
      assert.equal(
        sum.objects,
        all.reduce((total, one) => total + one.objects, 0),
      );
      const back = summedStatistics([...all].reverse());
      assert.deepEqual([...sum.terms].sort(byName), [...back.terms].sort(byName));
    }),
  );
});

test('the terms of one index do not displace those that several have', () => {
  const of = (name: string, objects: number) => ({ field: 'all', term: name, objects, occurrences: objects });
  const honest = { objects: 10, terms: [of('tide', 1), of('harbour', 2)] };
  const junk = Array.from({ length: 250 }, (_, n) => of(`${'junk'.repeat(20)}${n}`, 1000));
  // A term that is listed twice is one.
  const sum = summedStatistics([honest, honest, { objects: 1000, terms: [...junk, ...junk] }]);
  assert.deepEqual(sum.terms.slice(0, 2), [of('harbour', 4), of('tide', 2)]);
  assert.deepEqual(statisticsFrom(statisticsText(sum))?.terms.length, sum.terms.length);
});
