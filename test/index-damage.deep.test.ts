import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Change, Epoch } from '../awareness/index.ts';
import { type Random, seededRandom } from '../kernel/index.ts';
import { parseQuery } from '../query/index.ts';
import { digestOf, encodeObject, oidOf, type ServerId, summaryObject } from '../soif/index.ts';
import { temporaryFolder } from './commands/command.ts';
import { assertEqualsScratch } from './index-from-scratch.ts';
import { openTopicBroker } from './topic-broker.ts';

const words = ['harbour', 'lighthouse', 'mooring', 'ferry', 'buoy', 'tide', 'anchor', 'sail'];
const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const epoch = Buffer.alloc(12, 1).toString('base64url') as Epoch;

function page(n: number, text: string): Change {
  const url = `http://example.org/${n}`;
  const object = summaryObject(url, [
    ['Title', `Page ${n}`],
    ['Full-Text', text],
    ['Time-to-Live', 3_000_000_000],
    ['Update-Time', 1],
  ]);
  const [oid, digest, body] = [oidOf(publisher, url), digestOf(object), encodeObject(object)];
  const signature = new Uint8Array(64);
  return { kind: 'put', lsn: 1, object: { oid, digest, body, updatedAt: 1, publisher, signature } };
}

async function fill(path: string, random: Random): Promise<void> {
  await using opened = await openTopicBroker(path);
  const replica = await opened.store.replica(publisher);
  const text = () =>
    Array.from({ length: 60 }, () => words[Math.floor(random.next() * words.length)]).join(' ');
  for (let part = 0; part < 6; part++)
    await replica.apply(
      Array.from({ length: 40 }, (_, i) => {
        const n = part * 30 + i;
        return page(n, `${text()} unique${n} part${part} ${'filler '.repeat(n % 50)}`);
      }),
      { epoch, lsn: part + 1 },
    );
}

type Damage = 'bytes' | 'cut' | 'gone' | 'empty' | 'whole folder';
const kinds: readonly Damage[] = ['bytes', 'bytes', 'bytes', 'cut', 'gone', 'empty', 'whole folder'];

/** Damage a file of the index in a way that no crash would. */
async function damage(folder: string, random: Random): Promise<string> {
  const kind = kinds[Math.floor(random.next() * kinds.length)] as Damage;
  if (kind === 'whole folder') {
    await rm(folder, { recursive: true });
    return kind;
  }
  const files = (await readdir(folder)).filter((name) =>
    /^(\d+\.(ldb|log)|MANIFEST-\d+|CURRENT)$/.test(name),
  );
  const name = files[Math.floor(random.next() * files.length)] as string;
  const path = join(folder, name);
  const { size } = await stat(path);
  if (kind === 'gone') await rm(path);
  else if (kind === 'empty') await writeFile(path, '');
  else if (kind === 'cut') await truncate(path, Math.floor(random.next() * size));
  else {
    const bytes = await readFile(path);
    for (let i = 0; i < 3 && size > 0; i++) {
      const at = Math.floor(random.next() * size);
      bytes[at] = (bytes[at] as number) ^ (1 + Math.floor(random.next() * 255));
    }
    await writeFile(path, bytes);
  }
  return `${kind} of ${name}`;
}

test('after any damage to its files, an index is rebuilt from the store and equals one from scratch', async (t) => {
  const seed = Number(process.env.GARNER_TEST_SEED || Math.floor(Math.random() * 2 ** 32)) >>> 0;
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  await using folder = await temporaryFolder();
  await fill(folder.path, random);
  const log: string[] = [];
  for (let round = 0; round < Number(process.env.GARNER_DAMAGES || 10); round++) {
    {
      await using index = await openTopicBroker(folder.path);
      await index.broker.indexer.reached(index.store.lsn);
      // In half of the cases the data is in tables, not only in the log.
      if (random.next() < 0.7)
        await index.database.compact({ gte: Buffer.alloc(0), lt: Buffer.alloc(1, 0xff) });
    }
    log.push(await damage(join(folder.path, 'index'), random));
    try {
      await using index = await openTopicBroker(folder.path);
      // Queries during the rebuild are answered from the indexed part.
      await index.engine.search({ query: parseQuery('harbour').query, limit: 5, offset: 0 });
      await index.engine.verify();
      await index.broker.indexer.reached(index.store.lsn);
      await index.engine.inner.settled();
      await assertEqualsScratch(index.engine, index.store);
      assert.equal(index.broker.indexer.rebuilding, undefined);
      log.push(index.reasons.join('; '));
    } catch (error) {
      throw new Error(`GARNER_TEST_SEED=${seed}: ${log.at(-1)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  t.diagnostic(log.join(' | '));
});
