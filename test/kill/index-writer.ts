// A process to be killed: node index-writer.js FOLDER ENGINE SEED. A Broker that learns, deletes and merges
// without end, and prints its work.
import type { Change, Epoch } from '../../awareness/index.ts';
import { seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { type EngineName, engineNames, openTopicBroker } from '../topic-broker.ts';

const [path, engineName, seed] = process.argv.slice(2);
if (path === undefined || !engineNames.includes(engineName as EngineName))
  throw new TypeError('FOLDER ENGINE SEED');

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const epoch = Buffer.alloc(12, 1).toString('base64url') as Epoch;
const random = seededRandom(Number(seed));
const below = (limit: number) => Math.floor(random.next() * limit);
const pages = 150;
const maxWords = 250;
const types = ['HTML', 'Text', 'PDF'];

await using opened = await openTopicBroker(path, engineName as EngineName);
const { broker, engine, store } = opened;
const replica = broker.orders.blocks.guard(await store.replica(publisher), store);

const word = () => `word${below(120)}`;
const urlOf = (n: number) => `http://example.org/${n}`;

function put(n: number): Change {
  const object = summaryObject(urlOf(n), [
    ['Title', `Page ${n} ${word()}`],
    ['Type', types[below(types.length)] as string],
    ['Full-Text', Array.from({ length: below(maxWords) }, word).join(' ')],
    ['Time-to-Live', 3_000_000_000],
    ['Update-Time', 1 + below(1_700_000_000)],
  ]);
  const [oid, digest, body] = [oidOf(publisher, urlOf(n)), digestOf(object), encodeObject(object)];
  return {
    ...{ kind: 'put', lsn: 1 },
    object: { oid, digest, body, updatedAt: 1, publisher, signature: new Uint8Array(64) },
  };
}

async function learn(count: number): Promise<void> {
  const { marker } = await replica.state();
  const changes = Array.from({ length: count }, (): Change => {
    const n = below(pages);
    return random.next() < 0.15 ? { kind: 'delete', lsn: 1, oid: oidOf(publisher, urlOf(n)) } : put(n);
  });
  await replica.apply(changes, { epoch, lsn: (marker?.lsn ?? 0) + 1 });
}

async function collect(): Promise<void> {
  for (let part = 1 + below(3); part > 0; part--) {
    await learn(1 + below(50));
    if (random.next() < 0.5) await broker.indexer.reached(store.lsn);
  }
}

/** Delete for good by an operator; some earlier deleted objects come back. */
async function remove(): Promise<void> {
  for (let part = 1 + below(6); part > 0; part--) await removeSome();
}

async function removeSome(): Promise<void> {
  for (const { oid } of await broker.orders.blocks.list(20 + below(20))) await broker.unblock(oid);
  const gone: { oid: Oid; url: string; digest: Uint8Array }[] = [];
  for (let i = below(40); i >= 0; i--) {
    const url = urlOf(below(pages));
    const oid = oidOf(publisher, url);
    const held = await store.describe(oid);
    if (held !== undefined) gone.push({ oid, url, digest: held.digest });
  }
  const why = { isForGood: true, reason: 'requested', by: 'operator', at: 1 };
  await broker.delete(gone.map((object) => ({ ...object, ...why })));
  if (random.next() < 0.5) await broker.indexer.reached(store.lsn);
}

/** Small segments until they are merged. */
async function merge(): Promise<void> {
  for (let part = 0; part < 8; part++) {
    await learn(4 + below(12));
    await broker.indexer.reached(store.lsn);
  }
  await engine.inner.settled();
}

async function rebuild(): Promise<void> {
  await broker.indexer.rebuild('requested');
  await broker.indexer.reached(store.lsn);
}

const works = { collect, remove, merge, rebuild };
const drawn = ['collect', 'remove', 'remove', 'remove', 'remove', 'merge', 'merge', 'rebuild'] as const;
for (;;) {
  const name = drawn[below(drawn.length)] as keyof typeof works;
  process.stdout.write(`${name}\n`);
  await works[name]();
}
