import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { secureKey } from '../rules/scheme-keys.ts';
import type { CacheOptions } from '../serving/open-cache.ts';
import { type Bench, openBench, textOf } from '../testing/object-cache.ts';
import type { ToWorker } from './messages.ts';
import type { CopyAccount } from './worker-copy-ledger.ts';

/** A worker of which a test says what it says. */
interface Holder {
  readonly account: CopyAccount;
  readonly heard: ToWorker[];
  readonly clock: ManualClock;
  ended: number;
  /** The last message of this kind that it got. */
  last<Is extends ToWorker['is']>(is: Is): (ToWorker & { is: Is }) | undefined;
}

function holderOf(bench: Bench): Holder {
  const { copies } = bench.opened;
  assert.ok(copies);
  const heard: ToWorker[] = [];
  const clock = new ManualClock();
  const holder = { heard, clock, ended: 0 };
  const account = copies.open({
    clock,
    send: (message) => {
      heard.push(message);
      return true;
    },
    end: async () => {
      holder.ended += 1;
      account.close();
    },
  });
  return Object.assign(holder, {
    account,
    last: <Is extends ToWorker['is']>(is: Is) =>
      heard.findLast((message): message is ToWorker & { is: Is } => message.is === is),
  });
}

let version = 0;
async function openWithCopy(
  more: Partial<CacheOptions> = {},
): Promise<{ bench: Bench; holder: Holder; again: () => Promise<string> }> {
  version = 0;
  const bench = await openBench(
    (request, response) => {
      if (request.method !== 'GET') version += 1;
      response.setHeader('Cache-Control', 'max-age=600');
      response.setHeader('Surrogate-Key', 'tag');
      response.end(request.url === '/a' ? `version ${version}` : 'x'.repeat(8000));
    },
    { ready: { maxBytes: 1e6, keepAliveMs: 15_000, isShared: true }, diskBytes: 0, ...more },
  );
  const holder = holderOf(bench);
  const again = async () => textOf(await bench.ask('/a'));
  await again();
  await again();
  holder.account.heard({ is: 'want', urls: [bench.url('/a')] });
  assert.equal(holder.last('give')?.url, bench.url('/a'));
  return { bench, holder, again };
}

/** Whether a promise has settled after all pending tasks have run. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  return done;
}

const ways: readonly (readonly [string, (bench: Bench) => Promise<unknown>])[] = [
  ['a purge by URL', ({ opened, url }) => opened.cache.purge({ url: url('/a') }, { soft: false })],
  ['a soft purge', ({ opened, url }) => opened.cache.purge({ url: url('/a') }, { soft: true })],
  ['a purge by tag', ({ opened }) => opened.cache.purge({ tag: 'tag' }, { soft: false })],
  ['a purge of all', ({ opened }) => opened.cache.purge({ all: true }, { soft: false })],
  ['a change', async (bench) => textOf(await bench.ask('/a', { method: 'POST' }))],
  ['a reload', async (bench) => textOf(await bench.ask('/a', { fields: ['Cache-Control', 'no-cache'] }))],
];

for (const [what, order] of ways)
  test(`${what} is not answered before every worker has dropped what it had`, async () => {
    const { bench, holder } = await openWithCopy();
    await using _ = bench;
    const { copies } = bench.opened;
    version = 7;
    const ordered = order(bench);
    while (holder.last('drop') === undefined) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await isDone(ordered), false);
    // Meanwhile no worker gets the old response.
    holder.account.heard({ is: 'want', urls: [bench.url('/a')] });
    assert.equal(holder.heard.filter(({ is }) => is === 'give').length, 1);
    assert.ok(copies?.settled());
    // Each drop has its own answer.
    for (let at = 0; at < holder.heard.length; at++) {
      const message = holder.heard[at];
      if (message?.is === 'drop') holder.account.heard({ is: 'dropped', ticket: message.ticket });
    }
    await ordered;
    assert.equal(copies?.settled(), undefined);
    assert.equal(holder.ended, 0);
  });

test('a worker that does not confirm a drop is ended, and no longer waited for', async () => {
  const { bench, holder } = await openWithCopy();
  await using _ = bench;
  const purged = bench.opened.cache.purge({ url: bench.url('/a') }, { soft: false });
  holder.clock.advance(1_999);
  assert.equal(await isDone(purged), false);
  holder.clock.advance(1);
  await purged;
  assert.equal(holder.ended, 1);
});

test('what is new is handed out after it was stored, and what is there twice is not', async () => {
  const { bench, holder, again } = await openWithCopy();
  await using _ = bench;
  holder.account.heard({ is: 'want', urls: [bench.url('/a')] });
  assert.equal(holder.heard.length, 1);
  const purged = bench.opened.cache.purge({ all: true }, { soft: false });
  const { ticket = 0 } = holder.last('drop') ?? {};
  holder.account.heard({ is: 'dropped', ticket });
  await purged;
  await again();
  await again();
  holder.account.heard({ is: 'want', urls: [bench.url('/a')] });
  assert.equal(holder.heard.filter(({ is }) => is === 'give').length, 2);
});

test("hits of a worker are counted and reach the store's eviction policy", async () => {
  const { bench, holder } = await openWithCopy();
  await using _ = bench;
  const { cache, store } = bench.opened;
  const { copy = 0 } = holder.last('give') ?? {};
  const before = cache.counts().hit;
  holder.account.heard({ is: 'hits', hits: [[copy, 40, 360]] });
  assert.equal(cache.counts().hit - before, 40);
  const [top] = await store.top('hits', 1);
  assert.ok((top?.hits ?? 0) >= 40, `${top?.hits} hits`);
  // A copy that it no longer has is not counted.
  holder.account.heard({ is: 'gone', copies: [copy] });
  holder.account.heard({ is: 'hits', hits: [[copy, 40, 360]] });
  assert.equal(cache.counts().hit - before, 40);
});

test('an evicted response is answered no longer after its hits are reported', async () => {
  const { bench, holder } = await openWithCopy({ memoryBytes: 256 * 1024 });
  await using _ = bench;
  const { copy = 0 } = holder.last('give') ?? {};
  for (let other = 0; bench.opened.store.has(bench.url('/a')); other++) {
    assert.ok(other < 1_000, 'it never left');
    // All are used, so that the hand of SIEVE comes round to the oldest.
    await textOf(await bench.ask(`/other-${other >> 1}`));
  }
  assert.equal(holder.last('drop'), undefined);
  holder.account.heard({ is: 'hits', hits: [[copy, 1, 9]] });
  assert.equal(holder.last('drop')?.url, bench.url('/a'));
});

test('a purge or a change of a URL reaches the copies of what is kept for clients over TLS', async () => {
  for (const order of [
    ({ opened, url }: Bench) => opened.cache.purge({ url: url('/a') }, { soft: false }),
    async (bench: Bench) => textOf(await bench.ask('/a', { method: 'POST' })),
  ]) {
    const { bench, holder } = await openWithCopy();
    await using _ = bench;
    const { opened, url } = bench;
    const [request, key] = [url('/a'), secureKey(url('/a'))];
    for (let turn = 0; turn < 2; turn++)
      await textOf(
        await opened.cache.answer({
          ...{ method: 'GET', url: key, origin: { url: request }, fields: [], version: '1.1' },
          ...{ clientAddress: '127.0.0.1', fromCache: false, signal: new AbortController().signal },
        }),
      );
    holder.account.heard({ is: 'want', urls: [key] });
    assert.equal(holder.last('give')?.url, key);
    const ordered = order(bench);
    const dropped = new Set<string | undefined>();
    for (let at = 0; !(await isDone(ordered)) || at < holder.heard.length; at++) {
      const message = holder.heard[at];
      if (message?.is !== 'drop') continue;
      dropped.add(message.url);
      holder.account.heard({ is: 'dropped', ticket: message.ticket });
    }
    assert.deepEqual([...dropped].toSorted(), [request, key]);
  }
});
