import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  answerVerbs,
  exchangeErrors,
  pushFailed,
  pushRefused,
  pushSource,
  pushVerb,
  sourceVerbs,
} from '../../exchange/index.ts';
import { type Clock, failure, seededRandom, systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { bearerTokens, type Session, WireServer } from '../../wire/index.ts';
import { type PushLinkStatus, PushLinks } from './push-links.ts';

const token = 'a-token-for-brokers';
const broker = identityFrom(newIdentitySecret());

/** A Broker's wire on a port of its own, which accepts pushes or refuses the source. */
async function listen(port: number, isTaken: (session: Session) => boolean) {
  const wire = new WireServer({
    ...{ identity: broker, name: 'topic', role: 'broker', clock: systemClock, random: systemRandom },
    authorise: bearerTokens([token]),
    onChannel: answerVerbs({
      push: pushVerb(async (session) => {
        if (isTaken(session)) return { lsn: 0 };
        throw failure(exchangeErrors.EXCHANGE_PUSH, pushRefused('topic', session.peer));
      }),
    }),
  });
  const http: Server = createServer();
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    port: (http.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      await wire[Symbol.asyncDispose]();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** The test ends the waits of a retry. */
function retriedByHand() {
  const retries = new Set<() => void>();
  const clock: Clock = {
    now: systemClock.now,
    sleep: (ms, signal) =>
      // The handshake and the pings wait whole seconds, a retry a fraction.
      Number.isInteger(ms)
        ? systemClock.sleep(ms, signal)
        : new Promise((resolve, reject) => {
            retries.add(resolve);
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          }),
  };
  const retry = () => {
    for (const wake of retries) wake();
  };
  return { clock, retry, attempts: () => retries.size };
}

test('the status of a Broker: unreachable, refused with a hint, connected, disconnected', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-push-'));
  try {
    const clocks = { clock: systemClock, random: systemRandom };
    await using folder = await openDataFolder(path, { role: 'gatherer', create: true, ...clocks });
    const { store, identity } = folder;
    const { serverId, sign } = identity;
    const { port } = await (async () => {
      await using gone = await listen(0, () => true);
      return { port: gone.port };
    })();
    const { clock, retry, attempts } = retriedByHand();
    const url = `ws://127.0.0.1:${port}/`;
    await using links = new PushLinks({
      ...{ brokers: [url], folder, name: 'site', token, clock, random: seededRandom(1) },
      verbs: sourceVerbs({ source: store, serverId, sign, clock: systemClock }),
    });
    const status = () => links.status[0] as PushLinkStatus;
    const until = async (what: string, wanted: (link: PushLinkStatus) => boolean) => {
      const started = performance.now();
      while (!wanted(status())) {
        assert.ok(performance.now() - started < 20_000, `${what}: ${JSON.stringify(status())}`);
        retry();
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const faults: string[] = [];
    const stop = pushFailed.subscribe(({ error }) => faults.push(error));
    assert.deepEqual([status().state, status().lsn, status().name], ['connecting', null, null]);
    links.start();
    await until('away', ({ state }) => state === 'down');
    assert.match(status().error ?? '', /cannot be reached/);
    assert.match(status().hint ?? '', /Check that the server runs/);
    await until('tried again', () => attempts() > 3);
    assert.equal(faults.length, 1, 'reported once');
    let isNamed = false;
    {
      await using _ = await listen(port, () => isNamed);
      await until('refused', ({ error }) => /does not collect from/.test(error ?? ''));
      assert.ok(status().hint?.includes(`add ${pushSource(identity)} to broker.collect`), `${status().hint}`);
      isNamed = true;
      await until('taken', ({ lsn }) => lsn !== null);
      const { state, name, error, hint, at } = status();
      assert.deepEqual([state, name, error, hint], ['connected', 'topic', null, null]);
      assert.equal(typeof at, 'number');
    }
    await until('gone', ({ state }) => state !== 'connected');
    await until('away again', ({ error }) => /cannot be reached/.test(error ?? ''));
    await using _ = await listen(port, () => true);
    await until('back', ({ state, error }) => state === 'connected' && error === null);
    stop();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
});
