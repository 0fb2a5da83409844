import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { OpenBroker, Source, scratch } from '../../broker/testing/topic.ts';
import { ManualClock, systemClock } from '../../kernel/index.ts';
import type { StoreOperation } from '../../store/index.ts';
import { runCommand, startServer } from '../commands/command.ts';

const unlimited = { maxObjects: 0, maxBytes: 0, minFreeDisk: 0 };
const day = 86_400;

/** Two sources, the first with `count` objects of one title each, and a Broker that is opened with these limits. */
async function openScene(count: number) {
  const folder = await scratch();
  const large = await Source.open(join(folder.path, 'large'));
  const other = await Source.open(join(folder.path, 'other'));
  other.site = 'http://example.net/';
  const put = (source: Source, from: number, to: number, text = '') =>
    source.folder.store.apply(
      Array.from({ length: to - from }, (_, i) => source.put(`${from + i}`, `alpha ${text}`)),
    );
  await put(large, 0, count);
  await put(other, 0, 10);
  const open = async (own: Parameters<typeof OpenBroker.open>[2], sources = [large.url, other.url]) => {
    const topic = await OpenBroker.open(join(folder.path, 'broker'), sources, own);
    topic.broker.start();
    return topic;
  };
  return {
    ...{ large, other, put, open },
    [Symbol.asyncDispose]: async () => {
      await large[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Objects, state and error of each source. */
const sourcesOf = ({ broker }: OpenBroker) =>
  Promise.all(
    broker.collector.status.map(
      async ({ serverId, state, error }) => [await broker.objectsOf(serverId ?? ''), state, error] as const,
    ),
  );

const full = (offered: number, held: number, setting: string) =>
  `the source offers ${offered} objects, beyond its quota of ${setting}: ${held} are here, whose changes and deletions still arrive`;

test('case a07: a source stops at its quota of objects, changes of these still arrive, and other sources go on', {
  timeout: 120_000,
}, async () => {
  await using scene = await openScene(3000);
  const { large, other, put } = scene;
  const quotas = { ...unlimited, maxObjects: 1000 };
  const word = 'broker.max-objects (1000)';
  let topic = await scene.open({ quotas });
  try {
    await topic.fresh();
    assert.deepEqual(await sourcesOf(topic), [
      [1000, 'full', full(3000, 1000, word)],
      [10, 'ok', null],
    ]);
    assert.equal(topic.folder.store.count, 1010);

    // What is here changes and goes, and what is new stays out.
    const { store } = topic.folder;
    const held = Array.from({ length: 3000 }, (_, i) => `${i}`);
    const isHere = async (name: string) => (await store.describe(large.oid(name))) !== undefined;
    const here: string[] = [];
    for (const name of held) if (await isHere(name)) here.push(name);
    const [changed = '', ...gone] = here.slice(0, 31);
    await large.folder.store.apply([
      large.put(changed, 'beacon'),
      ...Array.from({ length: 20 }, (_, i) => large.put(`new-${i}`, 'alpha')),
      ...gone.map((name): StoreOperation => ({ kind: 'delete', oid: large.oid(name) })),
    ]);
    await put(other, 10, 20);
    await topic.fresh();
    assert.deepEqual(await topic.urls('beacon'), [changed]);
    assert.deepEqual(
      await Promise.all(gone.map(isHere)),
      gone.map(() => false),
    );
    const [[objects, state] = [], second] = await sourcesOf(topic);
    assert.deepEqual([objects, state, second], [970, 'full', [20, 'ok', null]]);

    // A full source is not compared at each round.
    await topic.fresh();
    const { learned, schemes, bytesDown } = topic.broker.collector.status[0]?.lastRound ?? {};
    assert.equal(learned, 0, String(schemes));
    assert.ok((bytesDown ?? 0) < 20_000, `${bytesDown} bytes by ${schemes}`);

    // With more room it is filled up.
    const more = here.slice(31, 131);
    await large.folder.store.apply(
      more.map((name): StoreOperation => ({ kind: 'delete', oid: large.oid(name) })),
    );
    await topic.fresh();
    assert.deepEqual((await sourcesOf(topic))[0], [1000, 'full', full(2890, 1000, word)]);

    await topic[Symbol.asyncDispose]();
    topic = await scene.open({ quotas });
    await topic.fresh();
    assert.deepEqual((await sourcesOf(topic))[0], [1000, 'full', full(2890, 1000, word)]);

    // Less than what is here: nothing is deleted.
    await topic[Symbol.asyncDispose]();
    topic = await scene.open({ quotas: { ...unlimited, maxObjects: 100 } });
    await topic.fresh();
    assert.deepEqual((await sourcesOf(topic))[0]?.slice(0, 2), [1000, 'full']);

    await topic[Symbol.asyncDispose]();
    topic = await scene.open({ quotas: unlimited });
    await topic.fresh();
    assert.deepEqual(await sourcesOf(topic), [
      [2890, 'ok', null],
      [20, 'ok', null],
    ]);
  } finally {
    await topic[Symbol.asyncDispose]();
  }
});

test('case a07: a source whose objects shrink to its quota is collected whole', {
  timeout: 60_000,
}, async () => {
  await using scene = await openScene(130);
  const { large } = scene;
  await using topic = await scene.open({ quotas: { ...unlimited, maxObjects: 100 } });
  await topic.fresh();
  const absent: string[] = [];
  for (let i = 0; i < 130; i++)
    if ((await topic.folder.store.describe(large.oid(`${i}`))) === undefined) absent.push(`${i}`);
  assert.equal(absent.length, 30);
  // One object that is here, and all but one of those that are not: 100 are left.
  const gone = [...absent.slice(1), ...(absent.includes('0') ? ['129'] : ['0'])];
  await large.folder.store.apply(
    gone.map((name): StoreOperation => ({ kind: 'delete', oid: large.oid(name) })),
  );
  await topic.fresh();
  assert.deepEqual((await sourcesOf(topic))[0], [100, 'ok', null]);
});

test('case a07: a source stops at its quota of bytes, which a deleted object frees', {
  timeout: 60_000,
}, async () => {
  await using scene = await openScene(400);
  const maxBytes = 20_000;
  const quotas = { ...unlimited, maxBytes };
  let topic = await scene.open({ quotas });
  const bytesOf = async () => {
    const { store } = topic.folder;
    const all: number[] = [];
    for (const name of Array.from({ length: 400 }, (_, i) => `${i}`))
      all.push((await store.get(scene.large.oid(name)))?.body.length ?? 0);
    const bytes = all.reduce((sum, length) => sum + length, 0);
    assert.equal(await store.bytesOf(scene.large.folder.identity.serverId), bytes);
    return bytes;
  };
  try {
    await topic.fresh();
    const [objects = 0, state, error] = (await sourcesOf(topic))[0] ?? [];
    assert.deepEqual([state, error], ['full', full(400, objects, `broker.max-bytes (${maxBytes})`)]);
    const bytes = await bytesOf();
    assert.ok(objects > 50 && objects < 300 && bytes <= maxBytes && bytes > maxBytes * 0.9, `${bytes}`);

    const here: string[] = [];
    for (let i = 0; i < 400; i++)
      if ((await topic.folder.store.describe(scene.large.oid(`${i}`))) !== undefined) here.push(`${i}`);
    const gone = here.slice(0, 30);
    await scene.large.folder.store.apply(
      gone.map((name): StoreOperation => ({ kind: 'delete', oid: scene.large.oid(name) })),
    );
    await topic.fresh();
    assert.ok((await bytesOf()) > maxBytes * 0.9);
    await topic[Symbol.asyncDispose]();
    topic = await scene.open({ quotas });
    await topic.fresh();
    assert.equal((await sourcesOf(topic))[0]?.[1], 'full');
    assert.ok((await bytesOf()) > maxBytes * 0.9);
  } finally {
    await topic[Symbol.asyncDispose]();
  }
});

test('case a07: below the floor of free disk space collecting waits, and continues by itself', {
  timeout: 60_000,
}, async () => {
  await using scene = await openScene(2000);
  const clock = new ManualClock(systemClock.now());
  let free = 2_000_000;
  let looks = 0;
  await using topic = await scene.open(
    {
      clock,
      quotas: { ...unlimited, minFreeDisk: 1_000_000 },
      // The disk fills while the first round runs.
      freeBytes: async () => {
        if (++looks === 3) free = 1000;
        return free;
      },
    },
    [scene.large.url],
  );
  const { collector } = topic.broker;
  await assert.rejects(collector.collectNow(), { code: 'BROKER_NO_ROOM' });
  const [before = 0, state, error] = (await sourcesOf(topic))[0] ?? [];
  assert.equal(state, 'no room');
  assert.match(error ?? '', /1000 bytes are free, less than the 1000000 of broker\.min-free-disk/);
  assert.ok(before > 0 && before < 2000, `${before} objects`);
  await assert.rejects(collector.collectNow(), { code: 'BROKER_NO_ROOM' });
  assert.equal((await sourcesOf(topic))[0]?.[0], before, 'nothing stored is deleted');

  free = 2_000_000;
  for (let tries = 0; tries < 1000 && collector.status[0]?.state !== 'ok'; tries++) {
    clock.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    await topic.folder.store.flush();
  }
  assert.deepEqual((await sourcesOf(topic))[0], [2000, 'ok', null]);
});

test('case a07: no object lives longer than the Broker allows, and an Update-Time in the far future counts as now', {
  timeout: 60_000,
}, async () => {
  await using scene = await openScene(0);
  const { large } = scene;
  const now = Math.floor(systemClock.now() / 1000);
  const year8307 = 200_000_000_000;
  await large.folder.store.apply([
    large.put('forever', 'alpha', now, [['Time-to-Live', '1000000000000000000']]),
    large.put('ahead', 'alpha', year8307),
    large.put('soon', 'alpha', now + day / 2),
  ]);
  await using topic = await scene.open({ maxTimeToLiveSeconds: 30 * day, graceSeconds: 0 });
  await topic.fresh();
  const { store } = topic.folder;
  const life = async (name: string) => {
    const held = await store.describe(large.oid(name));
    return { days: Math.round(((held?.expiresAtMs ?? 0) / 1000 - now) / day), updatedAt: held?.updatedAt };
  };
  assert.deepEqual(await life('forever'), { days: 30, updatedAt: now });
  assert.deepEqual(await life('ahead'), { days: 0, updatedAt: year8307 });
  assert.deepEqual(await life('soon'), { days: 1, updatedAt: now + day / 2 });
  const check = await topic.broker.check({ repair: false });
  assert.deepEqual([check.store?.faults, check.store?.sample], [0, []]);
});

/** Repeat until the answer is the expected one; each attempt is a request. */
async function until<Answer>(ask: () => Promise<Answer>, isWanted: (answer: Answer) => boolean) {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    assert.ok(tries < 2000, JSON.stringify(answer));
  }
}

interface BrokerStatus {
  readonly sources: readonly { readonly state: string; readonly error: string; readonly objects: number }[];
}

test('case a07: the settings of a quota, also of one source, and the state full on the command line, in /status and on its page', {
  timeout: 120_000,
}, async (t) => {
  await using folder = await scratch();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  for (let i = 0; i < 40; i++) await writeFile(join(folder.path, 'site', `${i}.txt`), `alpha ${i}\n`);
  const root = ['--root', 'site', '--base-url', 'https://harbour.example/'];
  await runCommand(['gatherer', 'run', ...root, '--data', 'g'], here);
  const gatherer = await startServer<{ readonly collect: string }>(
    ['gatherer', 'serve', '--data', 'g', '--port', '0'],
    here,
  );
  t.after(() => gatherer.stop());
  const start = (quota: readonly string[]) =>
    startServer<{ readonly search: string }>(
      ['broker', 'serve', '--data', 'b', '--port', '0', '--collect', gatherer.ready.collect, ...quota],
      here,
    );
  const statusOf = async (search: string) =>
    (await (await fetch(new URL('/status', search))).json()) as BrokerStatus;
  const reached = async (quota: readonly string[], state: string) => {
    const broker = await start(quota);
    try {
      const { sources } = await until(
        () => statusOf(broker.ready.search),
        (status: BrokerStatus) => status.sources[0]?.state === state,
      );
      const page = await fetch(new URL('/status', broker.ready.search), { headers: { accept: 'text/html' } });
      const shown = await runCommand(['broker', 'status', '--data', 'b'], here);
      return { objects: sources[0]?.objects, page: await page.text(), shown: shown.stdout };
    } finally {
      await broker.stop();
    }
  };
  const few = await reached(['--max-objects', '25', '--max-bytes', '1GiB', '--min-free-disk', '0'], 'full');
  assert.equal(few.objects, 25);
  assert.match(few.shown, /: full, 25 objects, .*broker\.max-objects \(25\)/);
  assert.match(
    few.page,
    /full: the source offers 40 objects, beyond its quota of broker\.max-objects \(25\): 25 are here/,
  );
  const none = await reached(['--min-free-disk', '8000000GiB'], 'no room');
  assert.equal(none.objects, 25);
  assert.match(none.shown, /: no room, 25 objects, .*broker\.min-free-disk/);
  assert.match(none.page, /no room: collecting waits for disk space/);
  const own = (max: string) =>
    writeFile(
      join(folder.path, 'garner.yaml'),
      `broker: { source-access: [{ source: ${JSON.stringify(gatherer.ready.collect)}, max-objects: ${max} }] }\n`,
    );
  await own('30');
  const more = await reached([], 'full');
  assert.equal(more.objects, 30);
  await own('many');
  await assert.rejects(start([]), /broker\.source-access\[0\]\.max-objects is not a number of objects/);
  await own('0');
  const all = await reached(['--max-objects', '25', '--max-time-to-live', '52w'], 'ok');
  assert.equal(all.objects, 40);
});
