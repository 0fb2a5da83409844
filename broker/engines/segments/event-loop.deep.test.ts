import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SummaryObject, summaryObject } from '../../../soif/index.ts';
import { DocColumns } from '../documents/doc-columns.ts';
import type { Segment } from '../index-database/index-state.ts';
import type {
  PostingDatabase,
  PostingRange,
  PostingSnapshot,
  PostingWrite,
} from '../index-database/posting-database.ts';
import { mergeSegments } from './segment-merge.ts';
import { SegmentWriter } from './segment-writer.ts';

const page = (text: string): SummaryObject => summaryObject('http://example.org/', [['Full-Text', text]]);

/** A database that answers at once: the engine alone then yields to the event loop. */
class InstantDatabase implements PostingDatabase {
  readonly #rows = new Map<string, readonly [Uint8Array, Uint8Array]>();

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#rows.get(Buffer.from(key).toString('hex'))?.[1];
  }

  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  async batch(writes: readonly PostingWrite[]): Promise<void> {
    for (const write of writes) {
      const name = Buffer.from(write.key).toString('hex');
      if (write.type === 'put') this.#rows.set(name, [write.key, write.value]);
      else this.#rows.delete(name);
    }
  }

  async *entries({ gte, lt }: PostingRange): AsyncGenerator<readonly [Uint8Array, Uint8Array]> {
    for (const [, row] of [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (Buffer.compare(row[0], gte as Uint8Array) >= 0 && Buffer.compare(row[0], lt as Uint8Array) < 0)
        yield row;
  }

  async *keys(range: PostingRange): AsyncGenerator<Uint8Array> {
    for await (const [key] of this.entries(range)) yield key;
  }

  snapshot(): PostingSnapshot {
    const taken = new InstantDatabase();
    for (const [name, row] of this.#rows) taken.#rows.set(name, row);
    return Object.assign(taken, { [Symbol.asyncDispose]: async () => {} });
  }

  async compact(): Promise<void> {}
}

/** How often the event loop runs during a task: other work waits for one turn at most. */
async function turnsDuring(task: () => Promise<unknown>): Promise<number> {
  let [turns, running] = [0, true];
  const turn = () => {
    turns++;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await task();
  running = false;
  return turns;
}

test('the event loop runs while a large batch becomes a segment', async () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `word${at % 700}`).join(' ');
  const objects = 30;
  const writer = new SegmentWriter(1, [], true);
  const reading = await turnsDuring(async () => {
    for (let docno = 1; docno <= objects; docno++) await writer.add(docno, page(text), 'en');
  });
  assert.ok(reading >= (text.length * objects) / (128 * 1024), `${reading} turns`);
  const sorting = await turnsDuring(() => writer.take(1));
  // 300,000 tokens: counted, placed and encoded, 64 Ki of them at once.
  assert.ok(sorting >= 10, `${sorting} turns`);
});

test('the event loop runs for each long object of a merged term', async () => {
  const database = new InstantDatabase();
  const text = 'again '.repeat(9_000);
  const segments: Segment[] = [];
  const objects = 10;
  for (let id = 1; id <= 3; id++) {
    const from = 1 + (id - 1) * objects;
    const writer = new SegmentWriter(from, [], true);
    for (let docno = from; docno < from + objects; docno++) await writer.add(docno, page(text), 'en');
    const { writes, bytes } = await writer.take(id);
    await database.batch(writes);
    segments.push({ id, from, to: from + objects - 1, docs: objects, dead: 0, bytes });
  }
  const rows = Array.from({ length: 3 * objects }, (_, at) => ({ docno: 1 + at, source: 1, type: 0 }));
  const { columns } = DocColumns.empty.with(rows);
  const { signal } = new AbortController();
  const turns = await turnsDuring(() =>
    mergeSegments({ database, segments, id: 4, columns, languages: ['en'], positions: true, signal }),
  );
  assert.ok(turns >= 3 * objects, `${turns} turns`);
});
