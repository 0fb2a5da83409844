import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Broker, SegmentedEngine, sourceFrom } from '../broker/index.ts';
import { answerVerbs, pushSource, sourceVerbs } from '../exchange/index.ts';
import { PushLinks } from '../gatherer/index.ts';
import { type Clock, seededRandom, systemClock, systemRandom } from '../kernel/index.ts';
import { type ObjectStore, openDataFolder } from '../store/index.ts';
import { WireServer } from '../wire/index.ts';
import { temporaryFolder } from './commands/command.ts';
import { SyntheticSource } from './synthetic-source.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** The max cost of a cut: the largest frame that Garner sends, with its header, and another request. */
const lostBytes = 64 * 1024 + 4096;

/** More than the upgrade, hellos and proofs of both sides. */
const handshakeBytes = 4096;

const clocks = { clock: systemClock, random: systemRandom };

/** A Broker that waits for a push from one source, and its wire. */
async function openTopic(path: string, source: string) {
  const folder = await openDataFolder(path, { role: 'broker', create: true, ...clocks });
  const database = await folder.database('index');
  const engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
  const broker = await Broker.open({
    ...{ folder, engine, name: 'topic', sources: [sourceFrom(source)], ...clocks },
    ...{ intervalSeconds: 3600, graceSeconds: 3600, snippetLength: 100, deleteGuard: 0.2 },
  });
  const onChannel = answerVerbs(broker.verbs());
  const wire = new WireServer({
    identity: folder.identity,
    name: 'topic',
    role: 'broker',
    ...clocks,
    onChannel,
  });
  const http = createServer();
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  broker.start();
  return {
    broker,
    port: (http.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      await wire[Symbol.asyncDispose]();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await broker[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function digests(store: ObjectStore): Promise<string[]> {
  await using snapshot = await store.snapshot();
  const rows: string[] = [];
  for await (const { oid, digest } of snapshot.scan())
    rows.push(`${oid} ${Buffer.from(digest).toString('hex')}`);
  return rows;
}

/** The test starts the retries of a push; only their waits are not whole seconds. */
function retriedByHand() {
  const waits = new Set<() => void>();
  const sleep: Clock['sleep'] = (ms, signal) =>
    Number.isInteger(ms)
      ? systemClock.sleep(ms, signal)
      : new Promise((resolve, reject) => {
          waits.add(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
  const retry = () => {
    for (const wake of waits) wake();
  };
  return { clock: { now: systemClock.now, sleep }, retry };
}

async function until(what: string, wanted: () => boolean | Promise<boolean>, meanwhile = () => {}) {
  const started = performance.now();
  while (!(await wanted())) {
    assert.ok(performance.now() - started < 60_000, what);
    meanwhile();
    await setImmediate();
  }
}

test('a session that is cut in the middle of a pushed round: the next push resumes where it stopped', async (t) => {
  const count = 500;
  await using folder = await temporaryFolder();
  await using source = await SyntheticSource.open(count, 400);
  const { identity, store } = source;
  const truth = await digests(store);
  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  const random = seededRandom(seed);
  t.diagnostic(`SEED=${seed}`);

  /** Push to a new Broker over a connection that is cut after so many bytes, and again without a cut. */
  const pushThrough = async (name: string, cutAfter: number) => {
    await using topic = await openTopic(join(folder.path, name), pushSource(identity));
    const { broker } = topic;
    await using proxy = await TcpProxy.open(topic.port);
    proxy.cutAfterBoth = cutAfter;
    const { clock, retry } = retriedByHand();
    const { serverId, sign } = identity;
    await using links = new PushLinks({
      ...{ brokers: [proxy.url], folder: { store, identity }, name: 'site', clock, random: seededRandom(1) },
      verbs: sourceVerbs({ source: store, serverId, sign, clock: systemClock }),
    });
    links.start();
    const link = () => links.status[0];
    let held = 0;
    if (cutAfter < Number.POSITIVE_INFINITY) {
      await until('the push is cut', () => link()?.state === 'down');
      // A session closes before received objects are written: the error comes with the end of the round.
      await until('the round has ended', () => {
        const [status] = broker.collector.status;
        return status?.state === 'waiting' && (status.error !== null || cutAfter < handshakeBytes);
      });
      held = broker.folder.store.count;
      assert.equal(link()?.lsn, null, 'nothing counts as pushed');
      proxy.cutAfterBoth = Number.POSITIVE_INFINITY;
    }
    const before = proxy.up + proxy.down;
    await until('it is pushed', () => link()?.lsn !== null, retry);
    const [status] = broker.collector.status;
    assert.deepEqual([status?.state, status?.error, status?.lastRound?.learned], ['ok', null, count - held]);
    assert.deepEqual(await digests(broker.folder.store), truth, `cut after ${cutAfter}`);
    return { held, bytes: proxy.up + proxy.down - before };
  };

  const whole = await pushThrough('whole', Number.POSITIVE_INFINITY);
  for (let n = 0; n < 5; n++) {
    // The first cut is in the handshake, the second near the end, the others at random points between.
    const anywhere = 2 * handshakeBytes + random.next() * (whole.bytes - 2 * handshakeBytes);
    const cutAfter = Math.floor(n === 0 ? 300 : n === 1 ? 0.98 * whole.bytes : anywhere);
    const { held, bytes } = await pushThrough(`cut${n}`, cutAfter);
    t.diagnostic(`cut after ${cutAfter} of ${whole.bytes}: ${held} objects stored, ${bytes} bytes after it`);
    assert.ok(bytes <= whole.bytes - cutAfter + lostBytes, `${bytes} bytes after a cut at ${cutAfter}`);
    if (n === 1) assert.ok(held > count / 2, `${held}`);
  }
});
