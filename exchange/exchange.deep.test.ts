import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError, seededRandom } from '../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../soif/index.ts';
import { watchHints } from './collect.ts';
import { MemoryKeyring } from './keyring.ts';
import { askMessage } from './request-message.ts';
import { TwoStores as Bench } from './testing/two-stores.ts';

const oidAt = (bench: Bench, n: number) => bench.oid(n);

test('inserts, changes, refreshes and deletes are learned, and an unchanged round costs next to nothing', async () => {
  await using bench = await Bench.make();
  await bench.source.apply([bench.put(1, 'a'), bench.put(2, 'b'), bench.put(3, 'c')]);
  await using session = await bench.connect();
  const first = await bench.collect(session);
  assert.deepEqual([first.schemes, first.learned, first.lsn], [['log'], 3, 3]);
  await bench.equal();

  const same = await bench.collect(session);
  assert.deepEqual([same.schemes, same.learned], [[], 0]);
  assert.ok(
    same.bytesUp + same.bytesDown < 200,
    `an unchanged round took ${same.bytesUp} + ${same.bytesDown} bytes`,
  );

  bench.clock.advance(5000);
  const refreshed = bench.put(1, 'a');
  assert.ok(refreshed.kind === 'put');
  await bench.source.apply([refreshed, bench.put(2, 'b2'), { kind: 'delete', oid: oidAt(bench, 3) }]);
  const second = await bench.collect(session);
  assert.deepEqual([second.schemes, second.learned, second.refreshed, second.forgotten], [['log'], 1, 1, 1]);
  await bench.equal();
  assert.equal((await bench.copy.describe(oidAt(bench, 1)))?.updatedAt, refreshed.object.updatedAt);
});

test('every scheme learns the same', async () => {
  for (const scheme of [
    'log',
    'log-handles',
    'signature',
    'simple-snapshot',
    'short-ids',
    'sketch',
    'hierarchical-signatures',
    'hierarchical-signatures-binary',
  ]) {
    await using bench = await Bench.make();
    await bench.source.apply(Array.from({ length: 40 }, (_, n) => bench.put(n, `first ${n}`)));
    await using session = await bench.connect();
    const first = await bench.collect(session, { scheme });
    assert.deepEqual([first.schemes, first.learned], [[scheme], 40]);
    await bench.source.apply([
      bench.put(1, 'changed'),
      bench.put(50, 'new'),
      { kind: 'delete', oid: oidAt(bench, 2) },
    ]);
    const second = await bench.collect(session, { scheme });
    assert.deepEqual([second.schemes, second.learned, second.forgotten], [[scheme], 2, 1], scheme);
    await bench.equal();
  }
});

/** So many that sending them whole is not the quickest. */
const someObjects = (bench: Bench) => Array.from({ length: 300 }, (_, n) => bench.put(n, `${n}`));

test('a copy that went astray is detected by its fingerprint and repaired by a comparison', async () => {
  await using bench = await Bench.make();
  await bench.source.apply(someObjects(bench));
  await using session = await bench.connect();
  await bench.collect(session);
  const replica = await bench.copy.replica(bench.gatherer.serverId);
  const { marker } = await replica.state();
  assert.ok(marker);
  await replica.apply([{ kind: 'delete', lsn: 3, oid: oidAt(bench, 2) }], marker);
  const report = await bench.collect(session);
  assert.deepEqual([report.schemes, report.learned], [['sketch'], 1]);
  await bench.equal();
});

test('a marker older than the forgotten deletions is not trusted', async () => {
  await using bench = await Bench.make();
  await bench.source.apply(someObjects(bench));
  await using session = await bench.connect();
  await bench.collect(session);
  await bench.source.apply([{ kind: 'delete', oid: oidAt(bench, 1) }, bench.put(1000, 'c')]);
  bench.clock.advance(100_000);
  await bench.source.forgetTombstones(10);
  const report = await bench.collect(session);
  assert.deepEqual([report.schemes, report.learned, report.forgotten], [['sketch'], 1, 1]);
  await bench.equal();
});

test('a rebuilt store is compared, and equal objects are not sent again', async () => {
  await using bench = await Bench.make();
  const operations = Array.from({ length: 300 }, (_, n) => bench.put(n, `same ${n}`));
  await bench.source.apply(operations);
  {
    await using session = await bench.connect();
    await bench.collect(session);
  }
  // The copy's marker is moved to another life of the source, as if the source had been rebuilt.
  const replica = await bench.copy.replica(bench.gatherer.serverId);
  await replica.apply([], { epoch: Buffer.alloc(12, 9).toString('base64url') as never, lsn: 30 });
  await using session = await bench.connect();
  const report = await bench.collect(session);
  assert.deepEqual([report.schemes, report.learned], [['sketch'], 0]);
  await bench.equal();
});

test('a rebuilt source that is still being filled makes no client forget', async () => {
  await using bench = await Bench.make();
  await bench.source.apply(someObjects(bench).slice(0, 5));
  const replica = await bench.copy.replica(bench.gatherer.serverId);
  await using session = await bench.connect();
  bench.filling = true;
  const first = await bench.collect(session);
  assert.equal(first.learned, 5, 'who has nothing learns what there is so far');
  await bench.source.apply([bench.put(7, 'more')]);
  assert.equal((await bench.collect(session)).learned, 1, 'and goes on in the same life');
  await replica.apply([], { epoch: Buffer.alloc(12, 9).toString('base64url') as never, lsn: 30 });
  const before = await replica.state();
  await assert.rejects(bench.collect(session), /still gathering|EXCHANGE_FILLING/);
  assert.equal((await replica.state()).count, before.count);
  bench.filling = false;
  await bench.collect(session);
  await bench.equal();
});

test('a key that changed, a forged object and a burst of deletions are refused', async () => {
  await using bench = await Bench.make();
  await bench.source.apply([bench.put(1, 'a')]);
  const mallory = identityFrom(newIdentitySecret());
  await bench.source.apply([bench.put(2, 'forged', mallory)]);
  await using session = await bench.connect();
  await assert.rejects(bench.collect(session), (error) =>
    isGarnerError(error, { code: 'EXCHANGE_UNVERIFIED' }),
  );
  assert.equal(await bench.copy.get(oidAt(bench, 2)), undefined);

  const other = new MemoryKeyring();
  await other.learn(bench.gatherer.serverId, mallory.publicKey);
  await assert.rejects(bench.collect(session, { keyring: other }), (error) =>
    isGarnerError(error, { code: 'EXCHANGE_KEY' }),
  );
});

test('many deletions at once are confirmed one by one before anything is forgotten', async () => {
  await using bench = await Bench.make();
  await bench.source.apply(Array.from({ length: 300 }, (_, n) => bench.put(n, `${n}`)));
  await using session = await bench.connect();
  await bench.collect(session);
  await bench.source.apply(Array.from({ length: 290 }, (_, n) => ({ kind: 'delete', oid: oidAt(bench, n) })));
  const report = await bench.collect(session);
  assert.equal(report.forgotten, 290);
  await bench.equal();
});

test('a session cut in the middle continues from its marker', async () => {
  await using bench = await Bench.make();
  const filler = 'lorem ipsum '.repeat(400);
  const random = seededRandom(7);
  await bench.source.apply(
    Array.from({ length: 200 }, (_, n) =>
      bench.put(n, `${filler} ${Buffer.from(random.bytes(3000)).toString('base64')}`),
    ),
  );
  let whole = 0;
  {
    await using session = await bench.connect();
    const fresh = await bench.open('whole');
    await using _ = fresh;
    const report = await bench.collect(session, { replica: await fresh.replica('x') });
    whole = report.bytesDown;
  }
  await using first = await bench.connect();
  const replica = await bench.copy.replica(bench.gatherer.serverId);
  let applied = 0;
  const cutting = {
    ...replica,
    apply: async (...args: Parameters<typeof replica.apply>) => {
      await replica.apply(...args);
      applied += args[0].length;
      if (applied > 80) await first.close();
    },
  };
  const before = first.traffic.receivedBytes;
  await assert.rejects(bench.collect(first, { replica: cutting }));
  const held = (await replica.state()).count;
  assert.ok(held > 80 && held < 200, `${held} were learned before the cut`);
  const cut = first.traffic.receivedBytes - before;
  await using second = await bench.connect();
  const rest = await bench.collect(second);
  assert.deepEqual([rest.schemes, rest.learned], [['log'], 200 - held]);
  const share = (whole * (200 - held)) / 200;
  assert.ok(rest.bytesDown <= share * 1.1 + 300_000, `${rest.bytesDown} after a cut at ${cut} of ${whole}`);
  await bench.equal();
});

test('an answer that its reader never takes is broken off, and its snapshot is released', async () => {
  await using bench = await Bench.make();
  const filler = Buffer.from(seededRandom(5).bytes(30_000)).toString('base64');
  await bench.source.apply(Array.from({ length: 60 }, (_, n) => bench.put(n, `${n} ${filler}`)));
  await using session = await bench.connect();
  await using channel = await session.open(
    askMessage({ marker: undefined, held: 0, fingerprint: new Uint8Array(16), want: { kind: 'objects' } }),
    { end: true },
  );
  assert.ok((await channel.receive())?.s instanceof Uint8Array);
  const broken = (async () => {
    // The time passes only once the answer has begun and stalls.
    bench.clock.advance(16 * 60 * 1000);
    for (let message = await channel.receive(); message?.end !== true; message = await channel.receive())
      assert.ok(message !== undefined);
  })();
  await assert.rejects(
    broken,
    (error) => isGarnerError(error) && /EXCHANGE_CUT/.test(JSON.stringify(error.data)),
  );
});

test('an edit of a long object is sent as its difference, and as a whole to a client without the version before it', async () => {
  await using bench = await Bench.make();
  const text = Buffer.from(seededRandom(3).bytes(6000)).toString('base64');
  const version = (word: string) => bench.put(1, `${text} ${word} ${text}`);
  await bench.source.apply([
    version('first'),
    ...Array.from({ length: 200 }, (_, n) => bench.put(n + 2, `${n}`)),
  ]);
  await using session = await bench.connect();
  await bench.collect(session);
  await bench.source.apply([version('second')]);
  const edited = await bench.collect(session);
  assert.deepEqual([edited.schemes, edited.learned], [['log'], 1]);
  assert.ok(edited.bytesDown < 400, `${edited.bytesDown} bytes for an edit`);
  await bench.equal();
  // Two versions on, the last learned version is not the base of the newest change.
  await bench.source.apply([version('third')]);
  await bench.source.apply([version('fourth')]);
  const behind = await bench.collect(session);
  assert.equal(behind.learned, 1);
  await bench.equal();
});

test('hints arrive after changes', async () => {
  await using bench = await Bench.make();
  await using session = await bench.connect();
  const stop = new AbortController();
  const hinted = new Promise<number>((resolve) => {
    watchHints(session, ({ lsn }) => resolve(lsn), stop.signal).catch(() => undefined);
  });
  // The subscription is active once the server has answered a later question.
  await bench.collect(session);
  await bench.source.apply([bench.put(1, 'a')]);
  assert.equal(await hinted, 1);
  stop.abort();
});

test('any history collected at any points by any scheme: the copy equals the source', async () => {
  const operation = fc.record({ n: fc.nat(7), what: fc.constantFrom('a', 'b', 'delete') });
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
      'tail',
    ),
    forget: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
      await using bench = await Bench.make();
      await using session = await bench.connect();
      for (const { operations, scheme, forget } of rounds) {
        bench.clock.advance(1000);
        await bench.source.apply(
          operations.map(({ n, what }) =>
            what === 'delete' ? { kind: 'delete', oid: oidAt(bench, n) } : bench.put(n, what),
          ),
        );
        if (forget) await bench.source.forgetTombstones(0);
        try {
          await bench.collect(session, scheme === undefined ? {} : { scheme });
        } catch (error) {
          // Requiring a scheme that would lose something is refused; the source then chooses.
          assert.ok(
            isGarnerError(error) && /EXCHANGE_SCHEME/.test(`${error.code} ${error.message}`),
            String(error),
          );
          await bench.collect(session);
        }
        await bench.equal();
      }
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 15) },
  );
});
