// A process to be killed: node views-writer.js FOLDER SEED. It changes a store without end while its views
// follow, and prints a line for each step.
import { join } from 'node:path';
import { Views } from '../../broker/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';

const [folder, seed] = process.argv.slice(2);
if (folder === undefined) throw new TypeError('FOLDER SEED');

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const random = seededRandom(Number(seed));
const clock = new ManualClock(Number(seed) * 1_000_000);
const store = await ObjectStore.open(await openDatabase(join(folder, 'store')), { clock, random });
const database = await openDatabase(join(folder, 'views'));
const views = await Views.open({ store, database, clock, random });
await views.add([{ name: 'foxes', query: 'fox' }]);
await views.add([
  { name: 'dens', query: 'den', over: 'foxes' },
  { name: `of-run-${seed}`, query: 'owl OR "fox den"' },
]);

const words = ['fox', 'den', 'owl', 'hen'];
const some = () => words.filter(() => random.next() < 0.5).join(' ');

function change(): StoreOperation {
  const url = `http://example.org/${Math.floor(random.next() * 300)}`;
  const oid = oidOf(publisher, url);
  if (random.next() < 0.3) return { kind: 'delete', oid };
  const object = summaryObject(url, [['Title', some()]]);
  const updatedAt = Math.floor(clock.now() / 1000);
  const provenance = { digest: digestOf(object), updatedAt, publisher, signature: new Uint8Array(64) };
  return {
    kind: 'put',
    object: { oid, body: encodeObject(object), ...provenance },
    url,
    ttlSeconds: 1_000_000,
  };
}

for (;;) {
  clock.advance(1000);
  await store.apply(Array.from({ length: 1 + Math.floor(random.next() * 40) }, change));
  if (random.next() < 0.3) await views.upToDate();
  process.stdout.write('.\n');
}
