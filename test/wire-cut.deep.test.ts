import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../kernel/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { collectInto, dial, SyntheticSource } from './synthetic-source.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Largest frame that Garner sends, with its header: the max loss of a cut. */
const frameBytes = 64 * 1024 + 32;

async function digests(store: ObjectStore): Promise<string[]> {
  await using snapshot = await store.snapshot();
  const rows: string[] = [];
  for await (const { oid, digest } of snapshot.scan())
    rows.push(`${oid} ${Buffer.from(digest).toString('hex')}`);
  return rows;
}

test('a collection that is cut at any point resumes where it stopped', async (t) => {
  const count = 1200;
  await using source = await SyntheticSource.open(count, 5000);
  const truth = await digests(source.store);
  await using proxy = await TcpProxy.open(source.port);
  const collectThrough = async (copy: ObjectStore, cutAfter = Number.POSITIVE_INFINITY) => {
    proxy.cutAfterDown = Number.POSITIVE_INFINITY;
    await using session = await dial(proxy.url);
    const before = proxy.down;
    proxy.cutAfterDown = before + cutAfter;
    const round = await collectInto(copy, session).then(
      (report) => report,
      (error: unknown) => {
        assert.ok(cutAfter < Number.POSITIVE_INFINITY, `not cut, and yet: ${error}`);
        return undefined;
      },
    );
    return { round, bytes: proxy.down - before };
  };
  const whole = await collectThrough(await source.copy());
  assert.equal(whole.round?.learned, count);

  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  const random = seededRandom(seed);
  t.diagnostic(`SEED=${seed}; uncut: ${whole.bytes} bytes down`);
  for (let n = 0; n < 8; n++) {
    // The first cuts are at both ends, the others at random points; signatures differ from run to run, and in length.
    const at = n === 0 ? 1 : n === 1 ? whole.bytes - 64 : Math.floor(random.next() * (whole.bytes - 64));
    const copy = await source.copy();
    const cut = await collectThrough(copy, at);
    assert.equal(cut.round, undefined);
    assert.equal(cut.bytes, at);
    const held = (await (await copy.replica(source.identity.serverId)).state()).count;
    const rest = await collectThrough(copy);
    t.diagnostic(
      `cut after ${at}: ${held} objects stored, ${rest.bytes} bytes after it, ${whole.bytes - at} remained`,
    );
    assert.deepEqual(
      [rest.round?.schemes, rest.round?.learned],
      [held === count ? [] : ['log'], count - held],
    );
    assert.ok(rest.bytes <= whole.bytes - at + frameBytes, `${rest.bytes} bytes after a cut at ${at}`);
    assert.deepEqual(await digests(copy), truth);
  }
});
