import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Broker } from '../../broker/index.ts';
import { seededRandom } from '../../kernel/index.ts';
import { SyntheticSource } from '../synthetic-source.ts';
import { type EngineName, engineNames } from '../topic-broker.ts';
import { WebhookReceiver } from './broker-webhook.ts';
import { BrokerWork, watched } from './broker-work.ts';
import { killAt, killPlan, killPoint, pointText, unwatchable } from './by-bytes.ts';
import { judgeIndex } from './index-judge.ts';
import { ServerProcess, until } from './server-process.ts';
import { brokerStatus } from './site-judge.ts';

const maxBytes = 400_000;
const stuckMs = 120_000;
/** Number of times that it may settle and send everything. */
const restPart = 0.15;

/** A Broker process, the source it collects from, and the receiver of its views. */
class Scene implements AsyncDisposable {
  readonly points: string[] = [];
  readonly work: BrokerWork;
  readonly receiver: WebhookReceiver;
  readonly #engine: EngineName;
  readonly #source: SyntheticSource;
  readonly #broker: ServerProcess;
  readonly #random;

  constructor(
    folder: string,
    engine: EngineName,
    { source, receiver, seed }: { source: SyntheticSource; receiver: WebhookReceiver; seed: number },
  ) {
    this.#engine = engine;
    this.#source = source;
    this.receiver = receiver;
    this.#broker = new ServerProcess('broker', folder);
    this.#random = seededRandom(seed);
    this.work = new BrokerWork(source, this.#broker, receiver.url, seededRandom(seed + 1));
  }

  get errors(): string {
    return this.#broker.errors;
  }

  start(): void {
    const collect = ['--collect', `ws://127.0.0.1:${this.#source.port}/`, '--port', '0', '--interval', '1s'];
    this.#broker.start([
      ...collect,
      '--engine',
      this.#engine,
      '--webhook-hosts',
      new URL(this.receiver.url).host,
    ]);
  }

  /** The watched view and its webhook exist before any object. */
  async prepare(): Promise<void> {
    this.start();
    await this.#broker.ready();
    await this.work.watch();
    await this.rest();
    await this.#broker.kill();
  }

  async killOne(): Promise<void> {
    const point = killPoint(this.#random, maxBytes);
    this.points.push(pointText(point));
    this.start();
    const stop = new AbortController();
    const working = this.work.run(stop.signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    try {
      await killAt(this.#broker.child, point, { signal: AbortSignal.timeout(stuckMs) });
    } finally {
      stop.abort();
      await this.#broker.kill();
    }
    const fault = await working;
    if (fault !== undefined) throw fault;
    await judgeIndex(this.#broker.data, this.#engine, (broker) => this.#judgeViews(broker));
    if (this.#random.next() < restPart) await this.restAndJudge();
  }

  /** No ordered view is lost, and no removed view is present. */
  async #judgeViews({ views, webhooks }: Broker): Promise<void> {
    await views.upToDate();
    for (const [name, { added, removed }] of this.work.views) {
      if (removed === 'done') assert.ok(!views.has(name), `view ${name} was removed`);
      if (added === 'done' && removed === undefined) assert.ok(views.has(name), `view ${name} was added`);
      if (!views.has(name)) assert.deepEqual(webhooks.of(name), [], `webhooks of ${name}`);
      // Orders without an answer are decided now.
      if (removed === 'asked' && !views.has(name)) this.work.views.set(name, { added, removed: 'done' });
      if (removed === 'asked' && views.has(name)) this.work.views.set(name, { added: 'done' });
      if (added === 'asked' && removed === undefined)
        this.work.views.set(name, views.has(name) ? { added: 'done' } : { added, removed: 'done' });
    }
  }

  async restAndJudge(): Promise<void> {
    this.start();
    await this.#broker.ready();
    await this.rest();
    await this.receiver.judge(this.#broker, watched.name);
    await this.#broker.kill();
  }

  /** Everything from the source is learned and indexed. */
  async rest(): Promise<void> {
    await until(
      'the Broker to settle',
      async () => {
        await this.#broker.ask('/control/collect', 'POST');
        return brokerStatus(this.#broker);
      },
      ({ sources, engine, lsn }) =>
        sources[0]?.lastRound?.lsn === this.#source.store.lsn && engine.lsn === lsn,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#broker.kill();
  }
}

for (const engine of engineNames)
  test(`kill -9 of garner broker serve while it collects, merges and deletes (${engine}): index, views and webhooks lose nothing`, async (t) => {
    const reason = unwatchable();
    if (reason !== undefined) return t.skip(reason);
    const { seed, kills } = killPlan(2);
    t.diagnostic(`GARNER_TEST_SEED=${seed} GARNER_KILLS=${kills}`);
    const folder = await mkdtemp(join(tmpdir(), 'garner-kill-broker-'));
    try {
      await using source = await SyntheticSource.open(100, 600, seed);
      await using receiver = await WebhookReceiver.open();
      await using scene = new Scene(folder, engine, { source, receiver, seed });
      try {
        await scene.prepare();
        const { counts } = scene.work;
        // Kills may all come before the first change.
        for (let kill = 0; kill < kills || (counts.change === 0 && kill < kills + 10); kill++)
          await scene.killOne();
        await scene.restAndJudge();
      } catch (error) {
        const where = `GARNER_TEST_SEED=${seed}, kills: ${scene.points.join(', ')}`;
        throw new Error(`${where}: ${(error as Error).message}\n${scene.errors}`, { cause: error });
      }
      const { counts, views } = scene.work;
      t.diagnostic(`${JSON.stringify(counts)}, ${views.size} views, ${receiver.messages} messages sent`);
      assert.ok(receiver.messages > 0 && counts.change > 0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
