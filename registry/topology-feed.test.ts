import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../kernel/index.ts';
import type { Oid } from '../soif/index.ts';
import { LeaseTimer } from './servers/index.ts';
import type { KnownServer } from './topology/index.ts';
import { TopologyFeed } from './topology-feed.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A feed of one server whose name the test changes, with the versions that one reader got. */
function openFeed() {
  const clock = new ManualClock();
  let name = 'a';
  let changed = () => {};
  let drawings = 0;
  const known = (): readonly KnownServer[] => {
    drawings++;
    return [
      {
        ...{ id: 'x', serverId: 'x', type: 'BROKER', name, url: 'https://x.example/', objects: 1 },
        ...{ state: 'live', updatedAt: clock.now() / 1000, place: '' },
        ...{ collectsFrom: [], parents: [], roots: [] },
      },
    ];
  };
  const onChange = (listener: (described: ReadonlySet<Oid>) => void) => {
    changed = () => listener(new Set());
    return () => {};
  };
  const feed = new TopologyFeed({ known, onChange }, clock);
  const reader = new AbortController();
  const versions: unknown[] = [];
  const ended = (async () => {
    for await (const { json } of feed.versions(reader.signal)) versions.push(json);
  })();
  return {
    ...{ clock, feed, versions, reader, ended },
    drawings: () => drawings,
    rename: (next: string) => {
      name = next;
      changed();
    },
  };
}

test('a reader gets the version of a topology at each change, at most one in half a second, and none for an age', async () => {
  const { clock, feed, versions, reader, ended, rename, drawings } = openFeed();
  await turn();
  assert.deepEqual(versions, [{ version: feed.current().version }]);
  rename('b');
  rename('c');
  await turn();
  assert.equal(versions.length, 1);
  clock.advance(500);
  await turn();
  assert.equal(versions.length, 2);
  assert.deepEqual(versions[1], { version: feed.current().version });
  assert.equal(drawings(), 2);
  // A renewal alone.
  clock.advance(10_000);
  rename('c');
  clock.advance(500);
  await turn();
  assert.equal(versions.length, 2);
  assert.equal(feed.current().nodes[0]?.age, 0);
  reader.abort();
  await ended;
});

test('a change that came before a reader waited is not missed, and a feed that closes ends its readers', async () => {
  const { clock, feed, versions, ended, rename } = openFeed();
  // The first version is on its way, and the reader does not wait yet.
  rename('b');
  await turn();
  clock.advance(500);
  await turn();
  assert.equal((versions.at(-1) as { version: string }).version, feed.current().version);
  assert.equal(feed.current().nodes[0]?.name, 'b');
  feed[Symbol.dispose]();
  await ended;
});

test('the timer of leases is due at the earliest of its times, once', async () => {
  const clock = new ManualClock();
  let due = 0;
  using timer = new LeaseTimer(clock, () => {
    due++;
  });
  timer.by(clock.now() + 5000);
  timer.by(clock.now() + 2000);
  timer.by(clock.now() + 9000);
  clock.advance(1999);
  await turn();
  assert.equal(due, 0);
  clock.advance(1);
  await turn();
  assert.equal(due, 1);
  clock.advance(60_000);
  await turn();
  assert.equal(due, 1);
  timer.by(clock.now() - 1);
  clock.advance(50);
  await turn();
  assert.equal(due, 2);
});
