import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Clock, isGarnerError, ManualClock, systemClock, systemRandom } from '../kernel/index.ts';
import { type Channel, connect, type Session, type Traffic, WireServer } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { withIdleTimeout } from './idle-timeout.ts';
import { TwoStores } from './testing/two-stores.ts';

const isSilent = (error: unknown) => isGarnerError(error, exchangeErrors.EXCHANGE_SILENT);

/** The clock with a count of its sleepers. */
function countedClock(clock: Clock) {
  let waiting = 0;
  return {
    get waiting() {
      return waiting;
    },
    now: () => clock.now(),
    sleep: async (ms: number, signal?: AbortSignal) => {
      waiting++;
      await clock.sleep(ms, signal).finally(() => {
        waiting--;
      });
    },
  };
}

/** Run every task that needs no time to pass. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await setImmediate();
}

test('a store that never answers is abandoned after the allowed silence, and not before', async () => {
  let onRequest = () => {};
  const question = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  await using stores = await TwoStores.make();
  const wire = stores.own(
    new WireServer({
      ...{
        identity: stores.gatherer,
        name: 'site',
        role: 'gatherer',
        clock: systemClock,
        random: systemRandom,
      },
      onChannel: async () => {
        onRequest();
        await new Promise<void>(() => undefined);
      },
    }),
  );
  const http = createServer();
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  stores.own({ [Symbol.asyncDispose]: () => new Promise<void>((resolve) => http.close(() => resolve())) });
  await using session = await connect({
    ...{ url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`, identity: stores.broker },
    ...{ name: 'topic', role: 'broker', clock: systemClock, random: systemRandom },
  });
  const clock = countedClock(stores.clock);
  let outcome: unknown;
  const round = stores.collect(withIdleTimeout(session, { clock, seconds: 60 })).catch((error: unknown) => {
    outcome = error;
  });
  await question;
  while (clock.waiting === 0) await setImmediate();
  await settle();
  stores.clock.advance(59_999);
  await settle();
  assert.equal(outcome, undefined, 'it may still answer');
  stores.clock.advance(1);
  await round;
  assert.ok(isSilent(outcome), String(outcome));
  assert.match((outcome as Error).message, /^site has sent nothing for 60 s/);
  await settle();
  assert.equal(clock.waiting, 0);
});

test('a round that ends leaves no timer behind, and 0 is no limit', async () => {
  await using stores = await TwoStores.make();
  await stores.source.apply([stores.put(1, 'a'), stores.put(2, 'b')]);
  await using session = await stores.connect();
  const clock = countedClock(stores.clock);
  const report = await stores.collect(withIdleTimeout(session, { clock, seconds: 60 }));
  assert.equal(report.learned, 2);
  await settle();
  assert.equal(clock.waiting, 0);
  assert.equal(withIdleTimeout(session, { clock, seconds: 0 }), session);
});

/** A session in which nothing happens by itself. */
function stillSession() {
  const traffic = { receivedDecodedBytes: 0, sentDecodedBytes: 0 };
  const never = (signal?: AbortSignal) =>
    new Promise<never>((_, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const channel: Channel = {
    id: 1,
    send: (_message, options) => never(options?.signal),
    receive: (signal) => never(signal),
    end: async () => undefined,
    abort: async () => undefined,
    [Symbol.asyncIterator]: () => {
      throw new Error('not here');
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const session = {
    peer: { name: 'still' },
    where: 'nowhere',
    traffic: traffic as unknown as Traffic,
    closed: new Promise<undefined>(() => undefined),
    open: async () => channel,
  } as unknown as Session;
  return { traffic, session };
}

test('a large message on a slow link is not silence; an occasional few bytes are', async () => {
  const clock = new ManualClock();
  const { traffic, session } = stillSession();
  const channel = await withIdleTimeout(session, { clock, seconds: 60 }).open({ type: 'ask' });
  const received = channel.receive();
  let isOver = false;
  void received.catch(() => {
    isOver = true;
  });
  for (let minute = 0; minute < 5; minute++) {
    traffic.receivedDecodedBytes += 5000;
    clock.advance(60_000);
    await settle();
    assert.equal(isOver, false, `minute ${minute}`);
  }
  traffic.receivedDecodedBytes += 100;
  clock.advance(60_000);
  await assert.rejects(received, isSilent);
});

test('a store that does not read is abandoned too, and an abort has its own reason', async () => {
  const clock = new ManualClock();
  const { session } = stillSession();
  const channel = await withIdleTimeout(session, { clock, seconds: 60 }).open({ type: 'ask' });
  const sent = channel.send({ type: 'cells' });
  clock.advance(60_000);
  await assert.rejects(sent, isSilent);
  const stop = new AbortController();
  const received = channel.receive(stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(received, /enough/);
  await assert.rejects(channel.receive(AbortSignal.abort(new Error('before'))), /before/);
});
