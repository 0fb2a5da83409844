import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { answerVerbs, exchangeErrors, pushSource, sourceVerbs, type Verb } from '../../exchange/index.ts';
import { type Clock, isGarnerError, systemClock, systemRandom } from '../../kernel/index.ts';
import { type Identity, identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { connect, type Session, wireErrors } from '../../wire/index.ts';
import { brokerErrors } from '../errors.ts';
import { sourceState } from '../events.ts';
import type { BrokerOptions } from '../service/broker-options.ts';
import { now, OpenBroker, type ServedOnWire, Source, scratch, serveOnWire } from '../testing/topic.ts';
import { sourceFrom } from './source-address.ts';

/** A Broker with its wire, and a Gatherer's store beside it that may push. */
class Scene implements AsyncDisposable {
  readonly path: string;
  readonly one: Source;
  topic!: OpenBroker;
  #served: ServedOnWire | undefined;
  readonly #folder: AsyncDisposable;

  private constructor(folder: AsyncDisposable & { path: string }, one: Source) {
    this.#folder = folder;
    this.path = folder.path;
    this.one = one;
  }

  static async open(
    sources: (one: Source) => readonly string[],
    options: Partial<BrokerOptions> = {},
  ): Promise<Scene> {
    const folder = await scratch();
    const scene = new Scene(folder, await Source.open(join(folder.path, 'one')));
    scene.topic = await OpenBroker.open(join(folder.path, 'broker'), sources(scene.one), options);
    scene.#served = await serveOnWire(scene.topic.folder.identity, 'broker', scene.topic.broker.verbs());
    scene.topic.broker.start();
    return scene;
  }

  get id(): string {
    return this.one.folder.identity.serverId;
  }

  get url(): string {
    return this.#served?.url ?? '';
  }

  get status() {
    const [status] = this.topic.broker.collector.status;
    assert.ok(status !== undefined);
    return status;
  }

  /** The Gatherer's verbs; `before` is called before each query is answered. */
  verbs(before: Verb = async () => undefined): Readonly<Record<string, Verb>> {
    const { store, identity } = this.one.folder;
    const { serverId, sign } = identity;
    const verbs = sourceVerbs({ source: store, serverId, sign, clock: systemClock });
    return {
      ...verbs,
      ask: async (...call) => {
        await before(...call);
        await verbs.ask?.(...call);
      },
    };
  }

  session(verbs = this.verbs(), identity: Identity = this.one.folder.identity): Promise<Session> {
    return connect({
      ...{ url: this.url, identity, name: 'site', role: 'gatherer' },
      ...{ clock: systemClock, random: systemRandom, onChannel: answerVerbs(verbs) },
    });
  }

  /** Wait until the source has this state. */
  async reaches(state: string): Promise<void> {
    if (this.status.state === state) return;
    await new Promise<void>((resolve) => {
      const stop = sourceState.subscribe(() => {
        if (this.status.state !== state) return;
        stop();
        resolve();
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served?.[Symbol.asyncDispose]();
    await this.topic[Symbol.asyncDispose]();
    await this.one[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** Push a change, and wait for the answer. */
async function push(session: Session): Promise<Readonly<Record<string, unknown>>> {
  // LSN, count, fingerprint and epoch: a push says only that there is a change.
  const s = Buffer.concat([Buffer.from([1, 1]), Buffer.alloc(16), Buffer.alloc(12, 1)]);
  await using channel = await session.open({ type: 'push', s }, { end: true });
  return { ...(await channel.receive()) };
}

const remote = (code: string) => (error: unknown) =>
  isGarnerError(error, wireErrors.WIRE_REMOTE) && (error.data as { code: string }).code === code;

const pushOnly = ({ folder }: Source) => [`push:${folder.identity.serverId}`];

test('a source that pushes is collected from over its own session, and awaited when it is disconnected', async () => {
  await using scene = await Scene.open(({ folder }) => [
    pushSource(folder.identity).replace(':', ':harbour@'),
  ]);
  const { one, topic } = scene;
  const { store } = one.folder;
  await store.apply([one.put('a', 'red'), one.put('b', 'green')]);
  assert.deepEqual(
    [scene.status.url, scene.status.name, scene.status.state, scene.status.serverId],
    [`push:${scene.id}`, 'harbour', 'waiting', scene.id],
  );
  assert.deepEqual(topic.broker.sources()[0]?.state, 'down', 'nothing was ever collected');
  {
    await using session = await scene.session();
    assert.deepEqual(await push(session), { type: 'pushed', lsn: 2 });
    await topic.broker.indexer.reached(topic.folder.store.lsn);
    assert.deepEqual(await topic.urls('red OR green'), ['a', 'b']);
    assert.deepEqual([scene.status.state, scene.status.lastRound?.learned], ['ok', 2]);
    await store.apply([one.put('a', 'blue', now() + 1), { kind: 'delete', oid: one.oid('b') }]);
    await push(session);
    await topic.broker.indexer.reached(topic.folder.store.lsn);
    assert.deepEqual([await topic.urls('blue'), await topic.urls('green')], [['a'], []]);
  }
  await scene.reaches('waiting');
  assert.equal(scene.status.error, null);
  assert.deepEqual(await topic.urls('blue'), ['a'], 'collected objects stay');
  assert.equal(topic.broker.formerSources().length, 0);
});

test('an unknown server changes nothing: another id, another key, a key that came second', async () => {
  await using scene = await Scene.open(({ folder }) => [
    pushSource(folder.identity),
    `push:${Buffer.alloc(16, 7).toString('base64url')}`,
  ]);
  const { topic } = scene;
  await scene.one.folder.store.apply([scene.one.put('a', 'red')]);
  const refused = async (identity: Identity, code: string) => {
    await using session = await scene.session(scene.verbs(), identity);
    await assert.rejects(push(session), remote(code), code);
  };
  const liar = (serverId: string): Identity => ({
    ...identityFrom(newIdentitySecret()),
    serverId: serverId as Identity['serverId'],
  });
  await refused(identityFrom(newIdentitySecret()), exchangeErrors.EXCHANGE_PUSH.code);
  await refused(liar(scene.id), exchangeErrors.EXCHANGE_PUSH.code);
  // Named without a key: the first key is the one from then on.
  const unproved = Buffer.alloc(16, 7).toString('base64url');
  {
    await using session = await scene.session({}, liar(unproved));
    await assert.rejects(
      push(session),
      remote(wireErrors.WIRE_REMOTE.code),
      'it was queried, and answers nothing',
    );
  }
  await refused(liar(unproved), exchangeErrors.EXCHANGE_KEY.code);
  assert.equal(topic.folder.store.count, 0);
  assert.equal(scene.status.state, 'waiting');
});

test('rounds of a source that pushes and is connected to too follow each other', async () => {
  let [running, max, queries] = [0, 0, 0];
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'red')]);
  const { store, identity } = one.folder;
  const { serverId, sign } = identity;
  const verbs = sourceVerbs({ source: store, serverId, sign, clock: systemClock });
  const counted: Record<string, Verb> = {
    ...verbs,
    ask: async (...call) => {
      queries++;
      max = Math.max(max, ++running);
      await verbs.ask?.(...call);
      running--;
    },
  };
  await using served = await serveOnWire(identity, 'gatherer', counted);
  // The same server under two addresses, and it pushes.
  const sources = [served.url, served.url.replace('127.0.0.1', 'localhost')];
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), sources);
  topic.broker.start();
  await topic.fresh();
  await using broker = await serveOnWire(topic.folder.identity, 'broker', topic.broker.verbs());
  const dial = () =>
    connect({
      ...{ url: broker.url, identity, name: 'site', role: 'gatherer' },
      ...{ clock: systemClock, random: systemRandom, onChannel: answerVerbs(counted) },
    });
  await using session = await dial();
  await using other = await dial();
  const before = queries;
  for (let n = 0; n < 20; n++) {
    await store.apply([one.put(`page${n}`, 'green')]);
    await Promise.all([push(session), push(other), topic.broker.collector.collectNow()]);
  }
  assert.ok(queries - before >= 60, `${queries - before} rounds`);
  assert.equal(max, 1, 'one at a time');
  await topic.fresh();
  assert.equal(topic.folder.store.count, 21);
});

test('waiting pushes of a session share one round, and few sessions of a server may wait', async () => {
  await using scene = await Scene.open(pushOnly);
  let queries = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = () => {};
  const first = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const verbs = scene.verbs(async () => {
    queries++;
    begun();
    await held;
  });
  await using session = await scene.session(verbs);
  const pushes = [push(session)];
  await first;
  for (let n = 0; n < 10; n++) pushes.push(push(session));
  // A server that has only the id does not even wait.
  const liar = { ...identityFrom(newIdentitySecret()), serverId: scene.one.folder.identity.serverId };
  await using lying = await scene.session({}, liar);
  await assert.rejects(push(lying), remote(exchangeErrors.EXCHANGE_KEY.code));
  const others = await Promise.all(Array.from({ length: 6 }, () => scene.session(verbs)));
  const outcomes = others.map((other) =>
    push(other).then(
      () => 'pushed',
      (error: unknown) => (error as { data: { code: string } }).data.code,
    ),
  );
  // Pushes without room are refused at once, while the first round still waits.
  const refused = await Promise.race(outcomes);
  assert.equal(refused, brokerErrors.BROKER_PUSHES.code);
  release();
  await Promise.all(pushes);
  const ended = await Promise.all(outcomes);
  assert.deepEqual(ended.filter((outcome) => outcome !== 'pushed').length, 3);
  assert.equal(queries, 1 + 1 + 3);
  await Promise.all(others.map((other) => other.close()));
});

test('a round by hand runs over the session of a source that pushes, and fails when there is none', async () => {
  await using scene = await Scene.open(pushOnly);
  const { broker, folder } = scene.topic;
  const url = `push:${scene.id}`;
  assert.deepEqual(await broker.collector.collectNow(), [], 'a disconnected source is left out');
  await assert.rejects(broker.collector.collectNow(url), (error) =>
    isGarnerError(error, brokerErrors.BROKER_AWAITS_PUSH),
  );
  await assert.rejects(broker.explain(scene.id, { measure: false, all: false }), (error) =>
    isGarnerError(error, brokerErrors.BROKER_NOT_DIALLED),
  );
  await using session = await scene.session();
  await push(session);
  await scene.one.folder.store.apply([scene.one.put('a', 'red')]);
  assert.equal(folder.store.count, 0, 'no push has arrived');
  const [round] = await broker.collector.collectNow(url, 'signature');
  assert.deepEqual([round?.schemes, round?.learned], [['signature'], 1]);
});

test('a source that pushes is queried again after the interval, over its own session', async () => {
  let tick = () => {};
  const clock: Clock = {
    now: systemClock.now,
    sleep: (ms, signal) =>
      ms === 777_000
        ? new Promise((resolve, reject) => {
            tick = resolve;
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          })
        : systemClock.sleep(ms, signal),
  };
  await using scene = await Scene.open(pushOnly, { clock, intervalSeconds: 777 });
  const { store } = scene.topic.folder;
  await using session = await scene.session();
  await push(session);
  await scene.one.folder.store.apply([scene.one.put('a', 'red')]);
  const arrived = new Promise<void>((resolve) => store.onChange(() => resolve()));
  tick();
  await arrived;
});

test("a failed round shows in the source's state until one succeeds", async () => {
  await using scene = await Scene.open(pushOnly);
  {
    await using session = await scene.session({});
    await assert.rejects(push(session), remote(wireErrors.WIRE_REMOTE.code));
    assert.equal(scene.status.state, 'down');
    assert.match(scene.status.error ?? '', /EXCHANGE_VERB/);
  }
  await scene.reaches('waiting');
  assert.match(scene.status.error ?? '', /EXCHANGE_VERB/, 'the fault to be mended there');
  await using session = await scene.session();
  await push(session);
  assert.deepEqual([scene.status.state, scene.status.error], ['ok', null]);
});

test('a source that is silent in its round is given up, and the next round collects', async () => {
  const sleepers = new Set<() => void>();
  const clock: Clock = {
    now: systemClock.now,
    sleep: (ms, signal) =>
      ms === 33_000
        ? new Promise((resolve, reject) => {
            sleepers.add(resolve);
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          })
        : systemClock.sleep(ms, signal),
  };
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'red')]);
  const { store, identity } = one.folder;
  const { serverId, sign } = identity;
  const verbs = sourceVerbs({ source: store, serverId, sign, clock: systemClock });
  let reached = () => {};
  const isQueried = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let isFirst = true;
  await using served = await serveOnWire(identity, 'gatherer', {
    ...verbs,
    ask: async (...call) => {
      if (!isFirst) return verbs.ask?.(...call);
      isFirst = false;
      reached();
      await new Promise<void>(() => undefined);
    },
  });
  const path = join(folder.path, 'broker');
  await using topic = await OpenBroker.open(path, [served.url], { clock, silenceSeconds: 33 });
  topic.broker.start();
  const fault = new Promise<string>((resolve) => {
    const stop = sourceState.subscribe(({ state, error }) => {
      if (state !== 'down') return;
      stop();
      resolve(error ?? '');
    });
  });
  let outcome: unknown;
  const round = topic.broker.collector.collectNow().catch((error: unknown) => {
    outcome = error;
  });
  await isQueried;
  while (outcome === undefined) {
    for (const wake of sleepers) wake();
    await setImmediate();
  }
  await round;
  assert.ok(isGarnerError(outcome, exchangeErrors.EXCHANGE_SILENT), String(outcome));
  assert.match(await fault, /^site has sent nothing for 33 s/);
  const [again] = await topic.broker.collector.collectNow();
  assert.equal(again?.learned, 1);
});

test('a source is read as an operator writes it, and mistyped ones are refused', () => {
  const id = 'BoodWSM0bEbyJgdjkY6uDQ';
  const key = 'A'.repeat(43);
  assert.deepEqual(sourceFrom(`push:${id}`), { url: `push:${id}`, pusher: { serverId: id } });
  assert.deepEqual(sourceFrom(`push:Harbour libraries@${id}.${key}`), {
    url: `push:${id}`,
    pusher: { serverId: id, publicKey: key, name: 'Harbour libraries' },
  });
  assert.equal(sourceFrom('push:8500').url, 'ws://push:8500/', 'a host of that name');
  for (const text of [
    `push:${id}x`,
    `push:a@b@${id}`,
    `push:${id}.short`,
    'push:harbour',
    'push:',
    `push:@${id}`,
  ])
    assert.throws(
      () => sourceFrom(text),
      (error) => isGarnerError(error, brokerErrors.BROKER_SOURCE),
      text,
    );
});
