import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { temporaryFolder } from '../commands/command.ts';
import type { Page } from './kit/pages.ts';
import { RunningCache, type RunningOptions } from './kit/running-cache.ts';
import type { Line } from './kit/scripted-origin.ts';
import { faultOf, HostileOrigin, type Question } from './model.ts';

const seed = Number(process.env.GARNER_TEST_SEED || Math.floor(Math.random() * 2 ** 32)) >>> 0;
const requests = Number(process.env.GARNER_TEST_REQUESTS || 600);
// Workers answer few of them: most are for objects that have just changed.
const requestsOfWorkers = 4 * requests;
const clients = 8;

async function run(t: TestContext, options: RunningOptions): Promise<void> {
  t.diagnostic(`GARNER_TEST_SEED=${seed} GARNER_TEST_REQUESTS=${requests}`);
  const { levels = 1 } = options;
  await using cache = await RunningCache.open(options);
  const random = seededRandom(seed);
  const origin = new HostileOrigin(cache.clock, random);
  const pages = new Map<string, Page>(
    origin.resources.map((resource) => [
      resource.target,
      cache.pageAt(resource.target, (asked) => origin.answer(resource, asked)),
    ]),
  );
  /** For each resource, the version made by the last completed change. */
  const changed = new Map<string, number>();
  const seen = new Map<string, string>();
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let left = options.workers === undefined ? requests : requestsOfWorkers;

  async function changeOne(client: string): Promise<void> {
    const resource = origin.pick(origin.resources);
    const page = pages.get(resource.target) as Page;
    const received = await page.send({ method: 'PUT', body: 'x', fields: [['User-Agent', client]] });
    const version = Number(received.line('x-version') ?? Number.NaN);
    if (received.status !== 204 || Number.isNaN(version)) return;
    changed.set(resource.target, Math.max(version, changed.get(resource.target) ?? 0));
    count('change');
  }

  async function purgeOne(): Promise<void> {
    const resource = origin.pick(origin.resources);
    const { url } = pages.get(resource.target) as Page;
    const version = resource.since.length - 1;
    const target = origin.pick([
      { url },
      { prefix: url },
      { tag: resource.target.slice(1) },
      { all: true },
    ] as const);
    const soft = origin.isLucky(0.5);
    await cache.cache.purge(target, { soft });
    // A softly purged response is served like every stale response.
    if (!soft || resource.mustRevalidate)
      changed.set(resource.target, Math.max(version, changed.get(resource.target) ?? 0));
    count('purge');
  }

  async function askOne(client: string): Promise<void> {
    const resource = origin.pick(origin.resources);
    const page = pages.get(resource.target) as Page;
    const kind = origin.pick(['de', 'en']);
    const known = seen.get(`${resource.target} ${kind}`);
    const first = Math.floor(random.next() * 300);
    const fields: Line[] = [
      ['Accept-Language', kind],
      ['User-Agent', client],
      ...(origin.isLucky(0.25)
        ? [['Range', `bytes=${first}-${origin.isLucky(0.5) ? '' : first + 100}`] as const]
        : []),
      ...(known !== undefined && origin.isLucky(0.2) ? [['If-None-Match', known] as const] : []),
      ...(origin.isLucky(0.1)
        ? [['Cache-Control', origin.pick(['no-cache', 'max-age=2', 'only-if-cached'])] as const]
        : []),
    ];
    const question: Question = {
      resource,
      method: origin.isLucky(0.1) ? 'HEAD' : 'GET',
      kind,
      client,
      fields,
      atLeast: changed.get(resource.target) ?? 0,
      askedAtMs: cache.clock.now(),
    };
    const received = await page.send({ method: question.method, fields });
    const fault = faultOf(question, received);
    const asked = `${question.method} ${resource.target} ${JSON.stringify(fields)}`;
    if (fault !== undefined)
      assert.fail(
        `GARNER_TEST_SEED=${seed}: ${[fault, ...cache.faults.map(String)].join(': ')}: ${asked}: ${JSON.stringify(received)}`,
      );
    const tag = received.line('etag');
    if (tag !== undefined && received.line('x-lie') === undefined)
      seen.set(`${resource.target} ${kind}`, tag);
    count(received.isCut ? 'cut' : String(received.status));
    if (/; *hit\b/.test(received.line('cache-status') ?? '')) count('hit');
  }

  await Promise.all(
    Array.from({ length: clients }, async (_, at) => {
      while (left-- > 0) {
        const chance = random.next();
        if (chance < 0.04) await changeOne(`client-${at}`);
        else if (chance < 0.08) origin.change(origin.pick(origin.resources));
        // A cache may get a purged response from the next cache.
        else if (chance < 0.1 && levels === 1) await purgeOne();
        else if (chance < 0.15) cache.pass(1 + Math.floor(random.next() * 8));
        else await askOne(`client-${at}`);
      }
    }),
  );
  assert.deepEqual(cache.faults, []);
  assert.equal(cache.inLane > 0, options.isFast === true, `${cache.inLane} in the fast lane`);
  if (options.workers !== undefined) assert.ok(cache.byWorkers > 0, 'no worker answered by itself');
  const counted = Object.fromEntries([...counts].toSorted());
  t.diagnostic(
    `${cache.inLane} in the lane, ${cache.byWorkers} by workers, ${JSON.stringify(counted)} ${JSON.stringify(Object.fromEntries(origin.faults))}`,
  );
  for (const what of ['hit', '200', '206', '304', 'change', ...(levels === 1 ? ['purge'] : [])])
    assert.ok((counts.get(what) ?? 0) > 0, `no ${what} in this run`);
}

const kibibyte = 1024;
const stores: readonly (readonly [string, RunningOptions])[] = [
  ['in memory', {}],
  ['in memory, with a fast lane', { isFast: true }],
  ['in memory, with workers', { isFast: true, workers: 2 }],
  ['behind two caches of ours', { levels: 3 }],
  ['in memory that is full', { memoryBytes: 8 * kibibyte }],
];

for (const [name, options] of stores)
  test(`whatever an origin does, nothing wrong is served and no answer is older than it may be: ${name}`, (t) =>
    run(t, options));

test('whatever an origin does, nothing wrong is served and no answer is older than it may be: on disk', async (t) => {
  await using folder = await temporaryFolder();
  await run(t, { folder: folder.path, memoryBytes: 8 * kibibyte });
});

test('whatever an origin does, nothing wrong is served and no answer is older than it may be: on a disk that is full', async (t) => {
  await using folder = await temporaryFolder();
  await run(t, { folder: folder.path, memoryBytes: 8 * kibibyte, diskBytes: 512 * kibibyte });
});
