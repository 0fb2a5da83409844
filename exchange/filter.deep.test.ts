import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../kernel/index.ts';
import { type FilterSpec, filterFrom, filterText } from './filter.ts';
import { TwoStores } from './testing/two-stores.ts';

/** A store's objects that match a filter at the store's own time, as OIDs with digests. */
async function wanted({ source, clock }: TwoStores, spec: FilterSpec): Promise<Map<string, string>> {
  const filter = filterFrom(filterText(spec));
  const found = new Map<string, string>();
  await using snapshot = await source.snapshot();
  for await (const { oid, digest } of snapshot.scan()) {
    const object = await snapshot.get(oid);
    if (object !== undefined && filter.judge(object.body, Math.floor(clock.now() / 1000)).holds)
      found.set(oid, Buffer.from(digest).toString('hex'));
  }
  return found;
}

async function held({ copy }: TwoStores): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await using snapshot = await copy.snapshot();
  for await (const { oid, digest } of snapshot.scan()) found.set(oid, Buffer.from(digest).toString('hex'));
  return found;
}

test('an object that a change takes out of the filter is forgotten, and one that it brings in is learned', async () => {
  await using stores = await TwoStores.make();
  const filter = { query: 'database' };
  await stores.source.apply([stores.put(1, 'a database report'), stores.put(2, 'a report on vision')]);
  await using session = await stores.connect();
  const first = await stores.collect(session, { filter });
  assert.deepEqual([first.learned, first.schemes], [1, ['log']]);
  await stores.source.apply([stores.put(1, 'a report on logic'), stores.put(2, 'vision in a database')]);
  const second = await stores.collect(session, { filter });
  assert.deepEqual([second.schemes.length, second.learned, second.forgotten], [1, 1, 1]);
  assert.deepEqual(await held(stores), await wanted(stores, filter));
  const third = await stores.collect(session, { filter });
  assert.deepEqual(third.schemes, []);
});

test('an object that grows too old leaves the copy without any change', async () => {
  await using stores = await TwoStores.make();
  const fiveYears = 5 * 365 * 86_400;
  const filter = { query: 'report', age: { attribute: 'Last-Modification-Time', seconds: fiveYears } };
  const now = Math.floor(stores.clock.now() / 1000);
  const written = (seconds: number) => [['Last-Modification-Time', now - seconds] as const];
  await stores.source.apply([
    stores.put(1, 'an old report', undefined, written(fiveYears - 100)),
    stores.put(2, 'a new report', undefined, written(100)),
    stores.put(3, 'an ancient report', undefined, written(fiveYears + 1)),
  ]);
  await using session = await stores.connect();
  assert.equal((await stores.collect(session, { filter })).learned, 2);
  stores.clock.advance(101_000);
  const later = await stores.collect(session, { filter });
  assert.deepEqual([later.schemes.length, later.learned, later.forgotten], [1, 0, 1]);
  assert.deepEqual([...(await held(stores)).keys()], [stores.oid(2)]);
});

test('another filter on the same copy is another set', async () => {
  await using stores = await TwoStores.make();
  await stores.source.apply(
    Array.from({ length: 50 }, (_, n) => stores.put(n, n % 2 === 0 ? `even ${n}` : `odd ${n}`)),
  );
  await using session = await stores.connect();
  for (const filter of [{ query: 'even' }, { query: 'odd' }, { query: 'even OR odd' }]) {
    await stores.collect(session, { filter });
    assert.deepEqual(await held(stores), await wanted(stores, filter));
  }
  await stores.collect(session);
  await stores.equal();
});

test('an invalid filter is refused', () => {
  for (const text of [
    '',
    '{',
    '[]x',
    '{"query":7}',
    '{"age":["a",-1]}',
    '{"query":"  a "}',
    `{"query":"${'a'.repeat(5000)}"}`,
  ])
    assert.throws(
      () => filterFrom(text),
      (error) => isGarnerError(error, { code: 'EXCHANGE_FILTER' }),
      text,
    );
  assert.equal(filterFrom(filterText({ query: 'a  AND b' })).text, filterText({ query: '(a b)' }));
});

test('any history, any filter, any scheme, any passing of time: the copy equals the filtered source', async () => {
  const operation = fc.record({
    n: fc.nat(7),
    what: fc.constantFrom('red', 'green', 'red green', 'delete'),
    age: fc.nat(4),
  });
  const round = fc.record({
    operations: fc.array(operation, { maxLength: 6 }),
    scheme: fc.constantFrom(
      undefined,
      'signature',
      'log-handles',
      'sketch',
      'short-ids',
      'hierarchical-signatures',
      'simple-snapshot',
    ),
    seconds: fc.nat(3),
  });
  const specs = fc.constantFrom<FilterSpec>(
    { query: 'red' },
    { query: 'NOT green' },
    { age: { attribute: 'Last-Modification-Time', seconds: 4 } },
    { query: 'green', age: { attribute: 'Last-Modification-Time', seconds: 3 } },
  );
  await fc.assert(
    fc.asyncProperty(specs, fc.array(round, { minLength: 1, maxLength: 5 }), async (filter, rounds) => {
      await using stores = await TwoStores.make();
      await using session = await stores.connect();
      for (const { operations, scheme, seconds } of rounds) {
        stores.clock.advance(seconds * 1000);
        const now = Math.floor(stores.clock.now() / 1000);
        await stores.source.apply(
          operations.map(({ n, what, age }) =>
            what === 'delete'
              ? { kind: 'delete', oid: stores.oid(n) }
              : stores.put(n, what, undefined, [['Last-Modification-Time', now - age]]),
          ),
        );
        try {
          await stores.collect(session, scheme === undefined ? { filter } : { filter, scheme });
        } catch (error) {
          assert.ok(
            isGarnerError(error, { code: 'EXCHANGE_SCHEME' }) || /EXCHANGE_SCHEME/.test(String(error)),
            String(error),
          );
          await stores.collect(session, { filter });
        }
        assert.deepEqual(await held(stores), await wanted(stores, filter));
      }
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 20) },
  );
});
