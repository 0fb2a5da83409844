import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handleFrom, maxHops, type PathBook } from '../awareness/index.ts';
import { seededRandom } from '../kernel/index.ts';
import type { ServerId } from '../soif/index.ts';
import { encodePaths, type PathItem, pathsQuestionBytes, readPathsQuestion } from './path-codec.ts';
import { collectPaths } from './paths.ts';
import { encodeSourceState } from './state-codec.ts';
import { serveForged } from './testing/forged-frames.ts';
import { TwoStores } from './testing/two-stores.ts';
import { Transcript } from './transcript.ts';

const random = seededRandom(5);
const held = 10;
const maxOthers = 90;

/** A path of its own for an object that nobody has. */
const invented = (): PathItem => ({
  handle: handleFrom(random.bytes(16)),
  path: Array.from(
    { length: maxHops },
    () => Buffer.from(random.bytes(16)).toString('base64url') as ServerId,
  ),
});

/** Collect paths from a source that invents them without end; the sent and learned paths, and how it ended. */
async function flooded(itemsOf: (n: number) => readonly PathItem[]) {
  await using bench = await TwoStores.make();
  await bench.source.apply(Array.from({ length: held }, (_, n) => bench.put(n, `${n}`)));
  await using honest = await bench.connect();
  await bench.collect(honest);
  const { marker } = await (await bench.copy.replica(bench.gatherer.serverId)).state();
  assert.ok(marker !== undefined);
  let said = 0;
  const dial = await serveForged(bench, async (channel, message) => {
    const transcript = new Transcript(pathsQuestionBytes(readPathsQuestion(message)));
    const say = async (fields: Readonly<Record<string, Uint8Array>>) => {
      const bytes = transcript.say([fields.s, fields.servers, fields.of, false]);
      await channel.send({ type: 'paths', ...fields, sig: bench.gatherer.sign(bytes) });
    };
    await say({ s: encodeSourceState(await bench.source.state(), true) });
    for (; said < 100_000; said++) await say({ ...encodePaths(itemsOf(said)) });
  });
  await using session = await dial();
  const stored = await bench.copy.paths(bench.gatherer.serverId);
  let learned = 0;
  const book: PathBook = {
    ...stored,
    learn: (sent) => {
      learned += sent.length;
      return stored.learn(sent);
    },
  };
  const self = bench.broker.serverId;
  const asking = collectPaths({ session, book, self, marker, held, maxOthers, name: 'site' });
  await assert.rejects(asking, { code: 'EXCHANGE_MESSAGE' });
  // No marker: the next round requests all of them again.
  assert.equal((await stored.state()).marker, undefined);
  return { said, learned };
}

test('a source that sends more paths than it can have is stopped at the limit', async () => {
  const { said, learned } = await flooded(() => Array.from({ length: 8 }, invented));
  assert.equal(learned, 96, 'nothing beyond the bound is stored');
  assert.ok(said < 100_000, 'and nobody listens to the rest');
});

test('a source that sends the path of one object for ever is stopped at the same limit', async () => {
  const one = invented();
  const { learned } = await flooded(() => [one]);
  assert.equal(learned, held + maxOthers);
});

test('a source that sends messages without paths is stopped at the first', async () => {
  const { learned } = await flooded(() => []);
  assert.equal(learned, 0);
});
