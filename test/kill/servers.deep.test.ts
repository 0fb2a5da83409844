import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { killAt, killPlan, killPoint, logarithmic, pointText, unwatchable } from './by-bytes.ts';
import { freePort, ServerProcess } from './server-process.ts';
import { ChangingSite } from './site.ts';
import { brokerStatus, judgeExpired, judgeSite, judgeStores, quiet } from './site-judge.ts';

/** Most kills come directly after a judgement, some while the servers still recover from an earlier one. */
const judgedPart = 0.7;
const maxPatience = 50;
const stuckMs = 60_000;

/** A Gatherer and a Broker over one changing site, and the record of their kills. */
class Scene {
  readonly site: ChangingSite;
  readonly gatherer: ServerProcess;
  readonly broker: ServerProcess;
  readonly points: string[] = [];
  kills = 0;
  judgements = 0;
  /** Whether summaries live only for seconds. */
  shortLives = false;
  readonly #port: number;
  readonly #random;
  #changesAtStart = 0;

  constructor(folder: string, port: number, seed: number) {
    this.#random = seededRandom(seed);
    this.site = new ChangingSite(join(folder, 'site'), seededRandom(seed + 1));
    this.gatherer = new ServerProcess('gatherer', folder);
    this.broker = new ServerProcess('broker', folder);
    this.#port = port;
  }

  startGatherer(): void {
    if (this.gatherer.isRunning) return;
    this.#changesAtStart = this.site.changes;
    const lives = this.shortLives ? ['--ttl', '2s', '--refresh', '1s'] : [];
    const site = ['--root', this.site.root, '--base-url', this.site.baseUrl];
    this.gatherer.start([...site, '--port', String(this.#port), ...lives]);
  }

  startBroker(): void {
    if (this.broker.isRunning) return;
    const lives = this.shortLives ? ['--grace', '0s', '--interval', '1s'] : [];
    this.broker.start(['--collect', `ws://127.0.0.1:${this.#port}`, '--port', '0', ...lives]);
  }

  /** Run both while the site changes, and kill one or both at a random point. */
  async killOne(): Promise<void> {
    const random = this.#random;
    this.startGatherer();
    this.startBroker();
    if (random.next() < 0.5) await Promise.all([this.gatherer.ready(), this.broker.ready()]);
    const [victim, other] = random.next() < 0.5 ? [this.gatherer, this.broker] : [this.broker, this.gatherer];
    const point = killPoint(random, 400_000);
    this.points.push(`${victim.role} ${pointText(point)}`);
    const paceMs = logarithmic(random, 1, 30);
    let due = performance.now();
    await killAt(victim.child, point, {
      signal: AbortSignal.timeout(stuckMs),
      meanwhile: () => {
        if (performance.now() < due) return;
        this.site.change();
        due = performance.now() + paceMs;
      },
    });
    this.kills++;
    if (random.next() < 0.15) await this.killNow(other);
    // No server sees the changes of this time.
    if (random.next() < 0.7) for (let i = random.next() * 25; i > 0; i--) this.site.change();
  }

  async killNow(server: ServerProcess): Promise<void> {
    this.points.push(`${server.role} at once`);
    assert.equal(await server.kill(), 'SIGKILL');
    this.kills++;
  }

  async rest(): Promise<void> {
    this.startGatherer();
    this.startBroker();
    await Promise.all([this.gatherer.ready(), this.broker.ready()]);
    await quiet(this.gatherer, this.broker, this.#changesAtStart === this.site.changes);
  }

  /** Let both settle and compare the search results with the site. */
  async judge(thorough: boolean): Promise<void> {
    await this.rest();
    await judgeSite(this.site, this.gatherer, this.broker, { thorough });
    this.judgements++;
  }

  /** Kill `kills` times more, and judge after most of the kills. */
  async killMore(kills: number, judged: boolean): Promise<void> {
    const enough = this.kills + kills;
    while (this.kills < enough) {
      await this.killOne();
      if (judged && this.#random.next() < judgedPart) await this.judge(false);
    }
  }

  /** Without a Gatherer everything expires; kill the Broker meanwhile until nothing is left. */
  async expireAll(): Promise<void> {
    await this.rest();
    await this.killNow(this.gatherer);
    for (let patience = 1; patience < maxPatience; patience++) {
      this.startBroker();
      await this.broker.ready();
      for (let looks = 0; looks < patience; looks++) {
        if ((await brokerStatus(this.broker)).objects > 0) continue;
        return judgeExpired(this.site, this.broker);
      }
      await this.killNow(this.broker);
    }
    throw new Error('expired objects are not removed');
  }
}

test('kill -9 of Gatherer and Broker: nothing lost, nothing doubled, no phantom', async (t) => {
  const reason = unwatchable();
  if (reason !== undefined) return t.skip(reason);
  const { seed, kills } = killPlan(6);
  t.diagnostic(`GARNER_TEST_SEED=${seed} GARNER_KILLS=${kills}`);
  const folder = await mkdtemp(join(tmpdir(), 'garner-kill-servers-'));
  const scene = new Scene(folder, await freePort(), seed);
  const { gatherer, broker, site } = scene;
  try {
    await scene.killMore(Math.ceil(kills * 0.5), true);
    await scene.judge(true);

    // Now with short lives: both start again with the new settings.
    scene.shortLives = true;
    await scene.killNow(gatherer);
    await scene.killNow(broker);
    await scene.killMore(Math.ceil(kills * 0.1), false);
    await scene.expireAll();

    scene.shortLives = false;
    await scene.killNow(broker);
    await scene.killMore(Math.ceil(kills * 0.4), true);
    await scene.judge(true);

    assert.deepEqual([await gatherer.kill('SIGTERM'), await broker.kill('SIGTERM')], ['0', '0']);
    await judgeStores(site, gatherer, broker);
  } catch (error) {
    const said = `${gatherer.errors}\n${broker.errors}`;
    const where = `GARNER_TEST_SEED=${seed}, kills: ${scene.points.join(', ')}`;
    throw new Error(`${where}: ${(error as Error).message}\n${said}`, { cause: error });
  } finally {
    await Promise.all([gatherer.kill(), broker.kill()]);
    await rm(folder, { recursive: true, force: true });
  }
  t.diagnostic(`killed at these bytes (+ write calls): ${scene.points.join(', ')}`);
  t.diagnostic(
    `${scene.kills} kills, ${site.changes} changes, ${site.pages.size} pages, ${site.goneWords.length} words removed, ${scene.judgements} judgements`,
  );
});
