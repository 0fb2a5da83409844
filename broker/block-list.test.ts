import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Oid, oidOf, type ServerId } from '../soif/index.ts';
import { openDatabase, within } from '../store/index.ts';
import { type Block, BlockList } from './block-list.ts';
import { scratch } from './topic-fixture.test.ts';

const server = Buffer.alloc(16, 1).toString('base64url') as ServerId;
const oidAt = (at: number) => oidOf(server, `http://example.org/${at}`);
const block = (at: number): Block & { readonly digest: Uint8Array } => ({
  ...{
    oid: oidAt(at),
    url: `http://example.org/${at}`,
    isForGood: at % 2 === 0,
    reason: '',
    by: 'jo',
    at: 1,
  },
  digest: new Uint8Array(32).fill(at),
});

test('a crash between blocking and deleting is made up for at the next start', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'table'));
  const list = await BlockList.open(database, async () => {});
  await assert.rejects(list.delete([block(1), block(2)], () => Promise.reject(new Error('killed'))));
  const removed: Oid[] = [];
  const again = await BlockList.open(database, async (oids) => {
    removed.push(...oids);
  });
  assert.deepEqual(removed, [oidAt(1), oidAt(2)]);
  assert.equal(again.count, 2);
  const once = await BlockList.open(database, () => assert.fail('nothing is left to do'));
  assert.deepEqual((await once.list(10)).map(({ oid }) => oid).sort(), [oidAt(1), oidAt(2)].sort());
});

test('whatever is blocked and lifted, the list, its pages and its count agree with a set', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'table'));
  let run = 0;
  const step = fc.record({ kind: fc.constantFrom('block', 'lift'), at: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const own = within(database, `run${run++}`);
      let list = await BlockList.open(own, async () => {});
      const model = new Set<Oid>();
      for (const { kind, at } of steps) {
        if (kind === 'block') {
          await list.delete([block(at)], async () => {});
          model.add(oidAt(at));
        } else assert.equal(await list.lift(oidAt(at), async () => {}), model.delete(oidAt(at)));
      }
      list = await BlockList.open(own, async () => {});
      assert.equal(list.count, model.size);
      const paged: Oid[] = [];
      for (;;) {
        const page = await list.list(3, paged.at(-1));
        paged.push(...page.map(({ oid }) => oid));
        if (page.length < 3) break;
      }
      assert.deepEqual(paged.toSorted(), [...model].sort());
    }),
    { numRuns: 30 },
  );
});
