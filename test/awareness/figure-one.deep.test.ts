import assert from 'node:assert/strict';
import { cp, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { Broker, SegmentedEngine, type SourceAddress } from '../../broker/index.ts';
import {
  answerVerbs,
  type FilterSpec,
  type RoundReport,
  sourceVerbs,
  type Verb,
} from '../../exchange/index.ts';
import { defaultPlan, FolderEnumerator, Gatherer, LightFirstProcessor } from '../../gatherer/index.ts';
import { ManualClock, systemClock, systemRandom } from '../../kernel/index.ts';
import { decodeObject } from '../../soif/index.ts';
import { type DataFolder, openDataFolder } from '../../store/index.ts';
import { WireServer } from '../../wire/index.ts';
import { temporaryFolder } from '../commands/command.ts';

// Figure 1 of the awareness paper: the technical reports of three groups (HCI, AI, DB), an index of computer science
// over all three without reports older than five years, and an index of only the DB reports.

const hour = 3600;
const day = 24 * hour;
const year = 365 * day;
const recent: FilterSpec = { age: { attribute: 'DCTERMS-Issued', seconds: 5 * year } };

/** This clock sets the time of everything; only sessions wait in real time. */
const clock = new ManualClock();
const seconds = () => Math.floor(clock.now() / 1000);

async function listen(
  folder: DataFolder,
  role: 'gatherer' | 'broker',
  verbs: Readonly<Record<string, Verb>>,
) {
  const wire = new WireServer({
    ...{ identity: folder.identity, name: role, role },
    ...{ clock: systemClock, random: systemRandom, onChannel: answerVerbs(verbs) },
  });
  const http = createServer();
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    close: async () => {
      await wire[Symbol.asyncDispose]();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const dataFolder = (path: string, role: 'gatherer' | 'broker') =>
  openDataFolder(path, { role, create: true, clock, random: systemRandom });

/** A group's reports in a folder, and the Gatherer that serves their summaries. */
async function reports(path: string, group: string) {
  const root = join(path, `${group}-reports`);
  await mkdir(root);
  const folder = await dataFolder(join(path, group), 'gatherer');
  const processor = new LightFirstProcessor({ plan: defaultPlan, threads: 1, seconds: 60, heapMiB: 256 });
  const baseUrl = `http://${group}.example/`;
  const gatherer = await Gatherer.open({
    ...{ folder, clock, processor, plan: defaultPlan, name: group, host: `${group}.example`, version: '1' },
    enumerators: () => [new FolderEnumerator({ root, baseUrl, hidden: false, maxBytesPerDocument: 1e6 })],
    ...{ ttlSeconds: 30 * day, refreshSeconds: 7 * day },
  });
  const { serverId, sign } = folder.identity;
  const wire = await listen(
    folder,
    'gatherer',
    sourceVerbs({ source: folder.store, serverId, sign, clock: systemClock }),
  );
  return {
    ...{ root, url: wire.url, store: folder.store },
    gather: () => gatherer.run(),
    write: (title: string, age: number, words = 'a report') =>
      writeFile(
        join(root, `${title}.html`),
        `<title>${title}</title><meta name="dcterms.issued" content="${seconds() - age}"><p>${words}</p>`,
      ),
    remove: (title: string) => rm(join(root, `${title}.html`)),
    [Symbol.asyncDispose]: async () => {
      await wire.close();
      await processor[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function index(path: string, sources: readonly SourceAddress[]) {
  const folder = await dataFolder(path, 'broker');
  const database = await folder.database('index');
  const engine = await SegmentedEngine.open({
    database,
    objectOf: async (oid) => {
      const stored = await folder.store.get(oid);
      return stored && decodeObject(stored.body);
    },
  });
  const broker = await Broker.open({
    ...{ folder, engine, sources, name: 'index', clock: systemClock, random: systemRandom },
    ...{ intervalSeconds: 600, graceSeconds: hour, snippetLength: 120, deleteGuard: 0.2 },
  });
  broker.start();
  const wire = await listen(folder, 'broker', broker.verbs());
  const found = async (q: string) => {
    await broker.indexer.reached(folder.store.lsn);
    const { hits, total } = await broker.queries.search({ q, limit: 50, offset: 0, sources: [], types: [] });
    assert.equal(hits.length, total);
    return hits.map(({ title }) => title).sort();
  };
  return {
    ...{ url: wire.url, store: folder.store, found },
    round: (): Promise<readonly RoundReport[]> => broker.collector.collectNow(),
    /** From now on it answers from its store. */
    stopAsking: () => broker.collector[Symbol.asyncDispose](),
    /** Run a round with every source and return all that is known. */
    titles: async () => {
      await broker.collector.collectNow();
      return found('*');
    },
    [Symbol.asyncDispose]: async () => {
      await wire.close();
      await broker[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Copy the same documents to another folder, with new file times. */
async function copyToNewDisk(root: string): Promise<void> {
  await cp(root, `${root}-copy`, { recursive: true });
  for (const name of await readdir(`${root}-copy`)) await utimes(join(`${root}-copy`, name), 12_345, 12_345);
  await rm(root, { recursive: true });
  await rename(`${root}-copy`, root);
}

test('figure 1: two indexes become aware of reports that three groups write, change, withdraw and let grow old', async () => {
  await using folder = await temporaryFolder();
  await using hci = await reports(folder.path, 'hci');
  await using ai = await reports(folder.path, 'ai');
  await using db = await reports(folder.path, 'db');
  await hci.write('hci-new', year);
  await hci.write('hci-old', 8 * year);
  await ai.write('ai-new', 2 * year);
  await ai.write('ai-edge', 5 * year - hour);
  await db.write('db-new', year, 'about joins');
  await db.write('db-old', 9 * year);
  for (const group of [hci, ai, db]) await group.gather();
  const three = [hci, ai, db].map(({ url }): SourceAddress => ({ url, filter: recent }));
  await using cs = await index(join(folder.path, 'cs'), three);
  await using onlyDb = await index(join(folder.path, 'only-db'), [{ url: db.url }]);

  assert.deepEqual(await cs.titles(), ['ai-edge', 'ai-new', 'db-new', 'hci-new']);
  assert.deepEqual(await onlyDb.titles(), ['db-new', 'db-old']);

  // Insert, change, delete.
  await hci.write('hci-newer', day);
  await db.write('db-new', year, 'about hashing');
  await ai.remove('ai-new');
  for (const group of [hci, ai, db]) await group.gather();
  assert.deepEqual(await cs.titles(), ['ai-edge', 'db-new', 'hci-new', 'hci-newer']);
  assert.deepEqual([await cs.found('joins'), await cs.found('hashing')], [[], ['db-new']]);
  assert.deepEqual(await onlyDb.titles(), ['db-new', 'db-old']);
  assert.deepEqual(await onlyDb.found('hashing'), ['db-new']);

  // Only time has passed: the report and its group are unchanged.
  const untouched = ai.store.lsn;
  clock.advance(2 * hour * 1000);
  assert.deepEqual(await cs.titles(), ['db-new', 'hci-new', 'hci-newer']);
  assert.equal(ai.store.lsn, untouched);

  // One change makes a report match the filter, and one makes a report not match it.
  await hci.write('hci-old', day);
  await hci.write('hci-new', 8 * year);
  await hci.gather();
  assert.deepEqual(await cs.titles(), ['db-new', 'hci-newer', 'hci-old']);
});

test('a site that is copied to a new disk, with every file time changed, sends no object again', async () => {
  await using folder = await temporaryFolder();
  await using db = await reports(folder.path, 'db');
  for (let n = 0; n < 20; n++) await db.write(`report ${n}`, n * day, `words of number ${n}`);
  await db.gather();
  await using cs = await index(join(folder.path, 'cs'), [{ url: db.url, filter: recent }]);
  await using onlyDb = await index(join(folder.path, 'only-db'), [{ url: db.url }]);
  for (const { titles } of [cs, onlyDb]) assert.equal((await titles()).length, 20);
  const lsn = db.store.lsn;
  await copyToNewDisk(db.root);
  const run = await db.gather();
  assert.deepEqual([run.unchanged, run.changed, run.added, run.deleted], [20, 0, 0, 0]);
  assert.equal(db.store.lsn, lsn);
  for (const { round } of [cs, onlyDb]) {
    const [report] = await round();
    assert.deepEqual([report?.schemes, report?.learned, report?.refreshed, report?.forgotten], [[], 0, 0, 0]);
    const bytes = (report?.bytesUp ?? 0) + (report?.bytesDown ?? 0);
    assert.ok(bytes > 0 && bytes < 120, `${bytes} bytes`);
  }
  // A changed file among them is noticed.
  await db.write('report 3', 3 * day, 'other words');
  assert.equal((await db.gather()).changed, 1);
  assert.equal((await cs.titles()).length, 20);
  assert.deepEqual(await cs.found('other'), ['report 3']);
});

test('one record of two sources is one hit, and disappears when its publisher withdraws it', async () => {
  await using folder = await temporaryFolder();
  await using db = await reports(folder.path, 'db');
  await db.write('db-new', year, 'about joins');
  await db.write('db-other', year, 'about trees');
  await db.gather();
  await using onlyDb = await index(join(folder.path, 'only-db'), [{ url: db.url }]);
  await onlyDb.titles();
  const both = [db, onlyDb].map(({ url }): SourceAddress => ({ url, filter: recent }));
  await using cs = await index(join(folder.path, 'cs'), both);
  assert.deepEqual(await cs.titles(), ['db-new', 'db-other']);
  assert.deepEqual(await cs.found('joins'), ['db-new'], 'one hit');
  assert.equal(cs.store.count, 2, 'one object for each record');
  assert.equal(cs.store.partitions.size, 2);

  clock.advance(1000);
  await db.write('db-new', year, 'about hashing');
  await db.gather();
  await cs.titles();
  assert.deepEqual(
    [await cs.found('joins'), await cs.found('hashing')],
    [[], ['db-new']],
    'the newer of the two',
  );
  await onlyDb.titles();
  assert.deepEqual(await cs.titles(), ['db-new', 'db-other']);

  await onlyDb.stopAsking();
  await db.remove('db-new');
  await db.gather();
  assert.equal(onlyDb.store.count, 2, 'the other source still has it');
  assert.deepEqual(await cs.titles(), ['db-other'], 'its publisher has withdrawn it');
  for (const source of [...onlyDb.store.partitions.keys()]) await onlyDb.store.dropPartition(source);
  assert.deepEqual(await cs.titles(), ['db-other'], 'one of its two sources has dropped it');
  assert.equal(cs.store.count, 1);
});
