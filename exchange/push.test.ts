import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { failure, GarnerError, seededRandom, systemClock, systemRandom } from '../kernel/index.ts';
import type { ServerId } from '../soif/index.ts';
import { connect, WireServer } from '../wire/index.ts';
import { collect } from './collect.ts';
import { exchangeErrors } from './errors.ts';
import { pushFailed, type RoundReport } from './events.ts';
import { type PushNews, pushChanges, pushRefused, pushSource, pushVerb } from './push.ts';
import { answerVerbs, sourceVerbs } from './serve.ts';
import { TwoStores } from './testing/two-stores.ts';

/** A Broker that listens and learns from those stores it expects, and the address to push to. */
async function listener(stores: TwoStores, expected: ReadonlySet<ServerId>) {
  const reports: RoundReport[] = [];
  let onPush: (() => void) | undefined;
  const push = pushVerb(async (session) => {
    const { serverId } = session.peer;
    if (!expected.has(serverId))
      throw failure(exchangeErrors.EXCHANGE_PUSH, pushRefused('topic', session.peer));
    const report = await collect({
      session,
      replica: await stores.copy.replica(serverId),
      keyring: stores.keyring,
      clock: stores.clock,
      name: 'site',
      deleteGuard: 0.2,
    });
    reports.push(report);
    onPush?.();
    return report;
  });
  const wire = stores.own(
    new WireServer({
      identity: stores.broker,
      name: 'topic',
      role: 'broker',
      clock: systemClock,
      random: systemRandom,
      onChannel: answerVerbs({ push }),
    }),
  );
  const http = createServer();
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  stores.own({ [Symbol.asyncDispose]: () => new Promise<void>((resolve) => http.close(() => resolve())) });
  const learned = async (lsn: number) => {
    while ((reports.at(-1)?.lsn ?? 0) < lsn)
      await new Promise<void>((resolve) => {
        onPush = resolve;
      });
  };
  const close = () => wire[Symbol.asyncDispose]();
  return { reports, learned, close, url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

function pushing(
  stores: TwoStores,
  url: string,
  signal: AbortSignal,
  onNews: (news: PushNews) => void = () => undefined,
): Promise<void> {
  const { source, gatherer } = stores;
  const verbs = sourceVerbs({
    source,
    serverId: gatherer.serverId,
    sign: gatherer.sign,
    clock: stores.clock,
  });
  return pushChanges({
    source,
    self: gatherer,
    client: url,
    onNews,
    clock: systemClock,
    random: seededRandom(1),
    signal,
    open: () =>
      connect({
        url,
        identity: gatherer,
        name: 'site',
        role: 'gatherer',
        clock: systemClock,
        random: systemRandom,
        onChannel: answerVerbs(verbs),
      }),
  });
}

test('a client learns from a pushing store at once and after each change, without a request', async () => {
  await using stores = await TwoStores.make();
  await stores.source.apply([stores.put(1, 'a'), stores.put(2, 'b')]);
  const { learned, url, reports } = await listener(stores, new Set([stores.gatherer.serverId]));
  const stop = new AbortController();
  const pushed = pushing(stores, url, stop.signal);
  await learned(2);
  await stores.equal();
  await stores.source.apply([stores.put(3, 'c'), { kind: 'delete', oid: stores.oid(1) }]);
  await learned(4);
  await stores.equal();
  assert.equal(
    reports.reduce((sum, report) => sum + report.learned, 0),
    3,
  );
  stop.abort();
  await pushed;
});

test('an unexpected store teaches nothing, and gets the reason', async () => {
  await using stores = await TwoStores.make();
  await stores.source.apply([stores.put(1, 'a')]);
  const { url } = await listener(stores, new Set());
  const stop = new AbortController();
  const refused = new Promise<string>((resolve) => {
    const forget = pushFailed.subscribe(({ error }) => {
      forget();
      resolve(error);
    });
  });
  let lost: PushNews | undefined;
  const pushed = pushing(stores, url, stop.signal, (news) => {
    lost = news;
  });
  assert.match(await refused, /does not collect from server .*, which pushes to it/);
  assert.equal(stores.copy.count, 0);
  const { error } = lost as { readonly error: unknown };
  assert.ok(error instanceof GarnerError && error.code === 'EXCHANGE_PUSH', String(error));
  assert.ok(error.hint.includes(`add ${pushSource(stores.gatherer)} to broker.collect`), error.hint);
  stop.abort();
  await pushed;
});

test('a pushing store is notified of the session, of each learned push, and of the end', async () => {
  await using stores = await TwoStores.make();
  await stores.source.apply([stores.put(1, 'a')]);
  const { learned, url, close } = await listener(stores, new Set([stores.gatherer.serverId]));
  const news: PushNews[] = [];
  let heard: (() => void) | undefined;
  const until = async (kind: PushNews['kind'], times: number) => {
    while (news.filter((one) => one.kind === kind).length < times)
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
  };
  const stop = new AbortController();
  const pushed = pushing(stores, url, stop.signal, (one) => {
    news.push(one);
    heard?.();
  });
  await learned(1);
  await until('pushed', 1);
  await stores.source.apply([stores.put(2, 'b')]);
  await until('pushed', 2);
  await close();
  await until('lost', 1);
  stop.abort();
  await pushed;
  assert.deepEqual(
    news.map((one) => (one.kind === 'pushed' ? `pushed ${one.lsn}` : one.kind)),
    ['connected', 'pushed 1', 'pushed 2', 'lost'],
  );
});
