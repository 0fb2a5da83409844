import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { orders } from '../engines/model/search-engine.ts';
import { searchParameters } from '../requests/search-parameters.ts';
import type { SearchParameters } from '../searching/search-answer.ts';
import { searchAddress } from './search-address.ts';

const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() === text);
const count = fc.nat({ max: 100 });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const parameters = fc.record({
  q: word,
  limit: count,
  offset: count,
  sources: fc.array(word, { maxLength: 3 }),
  types: fc.array(word, { maxLength: 3 }),
  filters: fc.uniqueArray(
    fc.record({
      facet: fc.constantFrom('year', 'month', 'language', 'key-words'),
      values: fc.array(word, { minLength: 1, maxLength: 3 }),
    }),
    { selector: ({ facet }) => facet },
  ),
  ...{ exact: fc.boolean(), fold: fc.boolean(), widen: fc.boolean(), correct: fc.boolean() },
  options: fc.record(
    {
      ...{ case: fc.boolean(), part: fc.boolean(), lines: count, max: count },
      errors: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constant('best' as const)),
    },
    { requiredKeys: [] },
  ),
  order: optional(fc.record({ by: fc.constantFrom(...orders), reversed: fc.boolean() })),
  perSource: optional(fc.integer({ min: 1, max: 100 })),
  statistics: optional(
    fc.record({
      objects: count,
      terms: fc.array(fc.record({ field: word, term: word, objects: fc.constant(1), occurrences: count })),
    }),
  ),
});

test('the parameters of a search are read back unchanged by a remote Broker', () => {
  fc.assert(
    fc.property(parameters, (drawn) => {
      const parameters = Object.fromEntries(
        Object.entries(structuredClone(drawn)).filter(([, value]) => value !== undefined),
      ) as unknown as SearchParameters;
      const { searchParams } = new URL(searchAddress(parameters), 'http://example.org/');
      const names = [...new Set(searchParams.keys())];
      const read = searchParameters({
        query: Object.fromEntries(names.map((name) => [name, searchParams.get(name) ?? ''])),
        queries: Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)])),
      });
      assert.deepEqual(read, parameters);
    }),
  );
});
