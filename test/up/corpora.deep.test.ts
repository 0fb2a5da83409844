import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Broker, SegmentedEngine } from '../../broker/index.ts';
import { seededRandom, systemClock, systemRandom } from '../../kernel/index.ts';
import { decodeObject } from '../../soif/index.ts';
import { type Database, type DatabaseReader, openDataFolder } from '../../store/index.ts';
import {
  type LogLine,
  type Server,
  search,
  startServer,
  temporaryFolder,
  type UpReady,
  untilFound,
} from '../commands/command.ts';
import { jsonHere as jsonOf } from '../commands/command-here.ts';
import { copyPages, corpora, missingCorpus, type PhrasedPage, pagesOf, phrasedPages } from '../phrases.ts';

/** Bytes of the rounds logged since `from`, both ways; waits for the first. */
async function wireBytes(log: readonly LogLine[], from: number): Promise<number> {
  const made = () => log.slice(from).filter(({ msg }) => msg === 'round');
  while (made().length === 0) await new Promise((resolve) => setImmediate(resolve));
  return made().reduce((sum, line) => sum + Number(line.bytesUp) + Number(line.bytesDown), 0);
}

async function soifBytes(data: string, url: string): Promise<number> {
  const { soif } = await jsonOf<{ soif: string }>(['gatherer', 'show', url, '--data', data]);
  return Buffer.byteLength(soif);
}

async function changeOnePage(up: Server<UpReady>, site: string, data: string, t: TestContext): Promise<void> {
  const { length: total } = pagesOf(site);
  const path = 'python/library/asyncio.html';
  const file = join(site, path);
  const url = `${up.ready.site.split(' ')[0]}${path}`;
  let from = up.log.length;
  const html = await readFile(file, 'utf8');
  await writeFile(file, html.replace('</body>', '<p>xylophonic quokkas admire zeppelins</p></body>'));
  const editMs = await untilFound(up.ready.search, '"xylophonic quokkas"', (answer) => answer.total === 1);
  const found = await search(up.ready.search, '"xylophonic quokkas"');
  assert.equal(found.hits[0]?.url, url);
  const editBytes = await wireBytes(up.log, from);
  const soif = await soifBytes(data, url);
  t.diagnostic(
    `an edit: found after ${editMs.toFixed(0)} ms; ${editBytes} bytes on the wire, its SOIF is ${soif}`,
  );
  assert.ok(editMs < 2000, `an edit was found after ${editMs} ms`);
  assert.ok(editBytes < soif + 2048, `${editBytes} bytes for an edit of ${soif}`);

  from = up.log.length;
  await rm(file);
  const goneMs = await untilFound(up.ready.search, '"xylophonic quokkas"', (answer) => answer.total === 0);
  const goneBytes = await wireBytes(up.log, from);
  t.diagnostic(`a deletion: removed after ${goneMs.toFixed(0)} ms; ${goneBytes} bytes on the wire`);
  assert.ok(goneMs < 2000, `a deletion was noticed after ${goneMs} ms`);
  assert.ok(goneBytes < 2048, `${goneBytes} bytes for a deletion`);
  const status = (await (await fetch(new URL('/status', up.ready.search))).json()) as { objects: number };
  assert.equal(status.objects, total - 1);
}

/** Counts the reads of a database, without changing its answers. */
class Reads {
  gets = 0;
  scanned = 0;
  maxScan = 0;

  watch<Part extends DatabaseReader>(part: Part): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const result: unknown = Reflect.apply(value, target, args);
          if (name === 'get') this.gets++;
          if (name === 'getMany') this.gets += (args[0] as readonly unknown[]).length;
          if (name === 'entries' || name === 'keys') return this.rows(result as AsyncIterable<unknown>);
          return name === 'snapshot' ? this.watch(result as DatabaseReader) : result;
        };
      },
    });
  }

  async *rows<Row>(rows: AsyncIterable<Row>): AsyncIterable<Row> {
    let length = 0;
    for await (const row of rows) {
      this.scanned++;
      this.maxScan = Math.max(this.maxScan, ++length);
      yield row;
    }
  }
}

/** Open the Broker's data as its process does and search for a page; `reads` counts the reads of its databases. */
async function firstAnswer(data: string, { page, phrase }: PhrasedPage, reads: Reads | undefined) {
  const watched = (database: Database) => reads?.watch(database) ?? database;
  const started = performance.now();
  await using opened = await openDataFolder(join(data, 'broker'), {
    role: 'broker',
    clock: systemClock,
    random: systemRandom,
  });
  // The object store gives no access to its database; its snapshots are scanned.
  const store = new Proxy(opened.store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        return name === 'snapshot' && reads !== undefined
          ? (result as Promise<object>).then((snapshot) => watchedSnapshot(snapshot, reads))
          : result;
      };
    },
  });
  const folder = { ...opened, store, database: async (name: string) => watched(await opened.database(name)) };
  await using engine = await SegmentedEngine.open({
    database: await folder.database('index'),
    facetAttributes: ['Language'],
    objectOf: async (oid) => {
      const stored = await store.get(oid);
      return stored === undefined ? undefined : decodeObject(stored.body);
    },
  });
  await using broker = await Broker.open({
    folder,
    engine,
    name: 'opened',
    sources: [],
    clock: systemClock,
    random: systemRandom,
    intervalSeconds: 300,
    graceSeconds: 3600,
    snippetLength: 240,
    deleteGuard: 0.2,
  });
  const answer = await broker.queries.search({
    q: `"${phrase}"`,
    limit: 10,
    offset: 0,
    sources: [],
    types: [],
  });
  const ms = performance.now() - started;
  assert.equal(answer.total, 1);
  assert.ok(answer.hits[0]?.url.endsWith(page), `${answer.hits[0]?.url} instead of ${page}`);
  await broker.indexer.reached(store.lsn);
  // An unfinished merge of the last process is no part of opening; the next opening has none.
  await engine.settled();
  return ms;
}

/** A snapshot of the object store whose scans are counted. */
function watchedSnapshot(snapshot: object, reads: Reads): object {
  const scans = ['scan', 'history', 'log', 'changesSince'];
  return new Proxy(snapshot, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        return scans.includes(String(name)) ? reads.rows(result as AsyncIterable<unknown>) : result;
      };
    },
  });
}

test('up over three manuals: found, changed, deleted, and opened again at once', async (t) => {
  const missing = missingCorpus(corpora);
  if (missing !== undefined) return t.skip(missing);
  await using folder = await temporaryFolder();
  const site = join(folder.path, 'site');
  copyPages(corpora[0]?.path ?? '', join(site, 'python'));
  copyPages(corpora[1]?.path ?? '', join(site, 'postgresql'));
  copyPages(corpora[2]?.path ?? '', join(site, 'git'));
  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  t.diagnostic(`SEED=${seed}`);
  const pages = phrasedPages(site, seededRandom(seed), 200);
  assert.equal(pages.length, 200);
  const data = join(folder.path, 'data');
  {
    await using up = await startServer<UpReady>([
      'up',
      site,
      '--port',
      '0',
      '--site-port',
      '0',
      '--data',
      data,
    ]);
    const { objects, bytesRead } = up.ready;
    t.diagnostic(
      `${objects} objects ready after ${up.readyMs.toFixed(0)} ms; ${up.ready.wireBytes} bytes on the wire for ${bytesRead}`,
    );
    assert.deepEqual([objects, up.ready.failed], [pagesOf(site).length, 0]);
    const base = up.ready.site.split(' ')[0];
    const wrong: string[] = [];
    for (const { page, phrase } of pages) {
      const answer = await search(up.ready.search, `"${phrase}"`);
      if (answer.total !== 1 || answer.hits[0]?.url !== base + page)
        wrong.push(`${page} "${phrase}": ${answer.total} ${answer.hits.map(({ url }) => url).join(' ')}`);
    }
    assert.deepEqual(wrong, []);
    await changeOnePage(up, site, data, t);
    assert.equal((await up.stop()).code, 0);
  }

  const [page] = pages.filter((one) => one.page !== 'python/library/asyncio.html');
  assert.ok(page);
  const times: number[] = [];
  for (let i = 0; i < 5; i++) times.push(await firstAnswer(data, page, undefined));
  t.diagnostic(`opened to the first answer in ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  assert.ok(Math.min(...times) < 1000);
  const reads = new Reads();
  await firstAnswer(data, page, reads);
  t.diagnostic(`${reads.gets} rows read by key, ${reads.scanned} by scans, the longest of ${reads.maxScan}`);
  // Less than a fifth of the objects: no scan read all of them.
  assert.ok(reads.maxScan < 400, `a scan of ${reads.maxScan} rows`);
});
