import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SummaryObject, summaryObject } from '../../../soif/index.ts';
import { type Database, openDatabase } from '../../../store/index.ts';
import { linkingHosts, linkWrites } from './link-counts.ts';

async function withDatabase(use: (database: Database) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-links-'));
  try {
    await using database = await openDatabase(folder);
    await use(database);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const pageOf = (url: string, links: readonly string[]): SummaryObject =>
  summaryObject(url, links.length === 0 ? [] : [['URL-References', links.join('\n')]]);

/** Objects under docnos, as in an index. */
class Indexed {
  readonly held = new Map<string, { readonly docno: number; readonly links: readonly string[] }>();
  readonly #database: Database;
  #next = 1;

  constructor(database: Database) {
    this.#database = database;
  }

  async apply(changes: ReadonlyMap<string, readonly string[] | undefined>): Promise<void> {
    const dead = [...changes.keys()].flatMap((url) => this.held.get(url)?.docno ?? []);
    const added: [number, SummaryObject][] = [];
    for (const [url, links] of changes) {
      this.held.delete(url);
      if (links === undefined) continue;
      const docno = this.#next++;
      this.held.set(url, { docno, links });
      added.push([docno, pageOf(url, links)]);
    }
    await this.#database.batch(await linkWrites(this.#database, added, dead));
  }

  /** The counts of each URL in the index. */
  async hosts(): Promise<Record<string, number>> {
    const urls = [...this.held.keys()];
    const docnos = Uint32Array.from(urls, (url) => this.held.get(url)?.docno ?? 0);
    const hosts = await linkingHosts(this.#database, docnos);
    return Object.fromEntries(urls.map((url, index) => [url, hosts[index] as number]));
  }
}

const urls = ['a', 'b', 'c', 'd'].flatMap((host) => [1, 2].map((n) => `http://${host}.example/${n}`));
const hostOf = (url: string) => new URL(url).host;

test('after any history other hosts that link to a page are counted as if from scratch', async () => {
  const links = fc.uniqueArray(fc.constantFrom(...urls, 'http://elsewhere.example/'), { maxLength: 5 });
  const change = fc.tuple(fc.constantFrom(...urls), fc.option(links, { nil: undefined, freq: 4 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
      async (history) =>
        withDatabase(async (database) => {
          const indexed = new Indexed(database);
          for (const changes of history) await indexed.apply(new Map(changes));
          const wanted = [...indexed.held.keys()].map((url): [string, number] => {
            const hosts = new Set<string>();
            for (const [from, { links: to }] of indexed.held)
              if (to.includes(url) && hostOf(from) !== hostOf(url)) hosts.add(hostOf(from));
            return [url, hosts.size];
          });
          assert.deepEqual(await indexed.hosts(), Object.fromEntries(wanted));
          await indexed.apply(new Map(urls.map((url) => [url, undefined])));
          for await (const _ of database.keys({})) assert.fail('nothing is left of deleted objects');
        }),
    ),
    { numRuns: 60 },
  );
});

test('a page is the same under http and https, with a fragment, and whatever the case of its host', async () => {
  await withDatabase(async (database) => {
    const indexed = new Indexed(database);
    await indexed.apply(
      new Map([
        ['http://one.example/page', []],
        ['http://two.example/', ['https://ONE.example/page#part', 'http://one.example/page']],
        ['http://one.example/own', ['http://one.example/page']],
        ['not a URL', ['http://one.example/page']],
      ]),
    );
    assert.equal((await indexed.hosts())['http://one.example/page'], 1);
  });
});

test('the links of one object are bounded, whatever it contains', async () => {
  await withDatabase(async (database) => {
    const indexed = new Indexed(database);
    const many = Array.from({ length: 5000 }, (_, n) => `http://h${n}.example/`);
    await indexed.apply(new Map([['http://spam.example/', many]]));
    let rows = 0;
    for await (const _ of database.keys({})) rows++;
    assert.ok(rows < 200, `${rows}`);
  });
});
