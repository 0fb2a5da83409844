import assert from 'node:assert/strict';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { assertEqualsScratch } from '../index-from-scratch.ts';
import { engineOver, servedFacets } from '../topic-broker.ts';
import { type ServerProcess, until } from './server-process.ts';
import { type ChangingSite, commonWord } from './site.ts';
import { auditStore } from './store-audit.ts';

interface GathererStatus {
  readonly objects: number;
  readonly lsn: number;
  readonly lastRun: { readonly complete: boolean } | null;
}

interface BrokerStatus {
  readonly objects: number;
  readonly lsn: number;
  readonly engine: { readonly lsn: number; readonly objects: number };
  readonly sources: readonly {
    readonly state: string;
    readonly objects: number;
    readonly lastRound: { readonly lsn: number } | null;
  }[];
}

interface Answer {
  readonly total: number;
  readonly hits: readonly { readonly url: string }[];
}

const askedAtOnce = 8;
const wordsToAnOr = 20;
const lastWords = 500;

export const gathererStatus = (gatherer: ServerProcess) => gatherer.ask('/status') as Promise<GathererStatus>;
export const brokerStatus = (broker: ServerProcess) => broker.ask('/status') as Promise<BrokerStatus>;

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: askedAtOnce }, worker));
}

/**
 * Wait until no work is left: the Gatherer has scanned the whole site since its last change (`fresh`: its first run
 * has), the Broker has everything of the Gatherer, and its index has everything of the Broker.
 */
export async function quiet(gatherer: ServerProcess, broker: ServerProcess, fresh: boolean): Promise<void> {
  await until(
    'the first run',
    () => gathererStatus(gatherer),
    ({ lastRun }) => lastRun?.complete === true,
  );
  if (!fresh) await gatherer.ask('/control/run', 'POST');
  await until(
    'a round',
    () => broker.ask('/control/collect', 'POST'),
    () => true,
  );
  // With short lives objects come and go at the Gatherer too: request the status of both each time.
  await until(
    'the Broker to have what the Gatherer has',
    async () => ({ gathered: await gathererStatus(gatherer), status: await brokerStatus(broker) }),
    ({ gathered, status }) => {
      const [source] = status.sources;
      const collected =
        source?.state === 'ok' &&
        source.objects === gathered.objects &&
        (source.lastRound?.lsn ?? -1) >= gathered.lsn;
      return collected && status.engine.lsn === status.lsn;
    },
  );
}

async function search(broker: ServerProcess, query: string): Promise<Answer> {
  return (await broker.ask(`/search?limit=50&exact=1&q=${encodeURIComponent(query)}`)) as Answer;
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Words that are in no page any more find nothing. */
async function judgeGoneWords(broker: ServerProcess, words: readonly string[]): Promise<void> {
  await inParallel(inGroups(words, wordsToAnOr), async (group) => {
    const { total, hits } = await search(broker, group.join(' OR '));
    const urls = hits.map(({ url }) => url);
    assert.deepEqual({ total, urls }, { total: 0, urls: [] }, 'a phantom is found');
  });
}

/**
 * Every page is found once, by its word and under its URL, and nothing else is found. If `thorough`, each word is
 * searched alone, and every removed word; otherwise several at a time, and the last removed ones.
 */
export async function judgeSite(
  site: ChangingSite,
  gatherer: ServerProcess,
  broker: ServerProcess,
  { thorough }: { readonly thorough: boolean },
): Promise<void> {
  const pages = [...site.pages];
  const [gathered, collected] = [await gathererStatus(gatherer), await brokerStatus(broker)];
  assert.deepEqual(
    { gathered: gathered.objects, collected: collected.objects, indexed: collected.engine.objects },
    { gathered: pages.length, collected: pages.length, indexed: pages.length },
    'as many objects as pages',
  );
  await inParallel(inGroups(pages, thorough ? 1 : wordsToAnOr), async (group) => {
    const words = group.map(([, word]) => word).join(' OR ');
    const { total, hits } = await search(broker, words);
    const urls = hits.map(({ url }) => url).sort();
    const wanted = group.map(([url]) => url).sort();
    assert.deepEqual({ total, urls }, { total: wanted.length, urls: wanted }, `hits for ${words}`);
  });
  await judgeGoneWords(broker, site.goneWords.slice(thorough ? 0 : -lastWords));
  assert.equal((await search(broker, commonWord)).total, pages.length, 'hits for the word of every page');
  const stream = await gatherer.text('/soif');
  const streamed = [...stream.matchAll(/^@FILE \{ (\S+)$/gm)].map((match) => match[1]);
  assert.deepEqual(
    streamed.sort(),
    pages.map(([url]) => url).sort(),
    'the classic stream has every page once',
  );
}

/** Everything has expired: no object is left and no word finds anything. */
export async function judgeExpired(site: ChangingSite, broker: ServerProcess): Promise<void> {
  const status = await until(
    'the index to drop expired objects',
    () => brokerStatus(broker),
    ({ lsn, engine }) => engine.lsn === lsn,
  );
  assert.deepEqual([status.objects, status.engine.objects], [0, 0], 'everything has expired');
  await judgeGoneWords(broker, [...site.pages.values(), commonWord]);
}

/** The closed stores of both: each is consistent, and both agree with the site and with each other. */
export async function judgeStores(
  site: ChangingSite,
  gatherer: ServerProcess,
  broker: ServerProcess,
): Promise<void> {
  const [made, learned] = [
    await auditStore(`${gatherer.data}/store`),
    await auditStore(`${broker.data}/store`),
  ];
  assert.deepEqual([...made.objects.values()].map(({ url }) => url).sort(), [...site.pages.keys()].sort());
  await judgeIndex(broker);
  const digests = ({ objects }: typeof made) => [...objects].map(([oid, { digest }]) => `${oid} ${digest}`);
  assert.deepEqual(digests(learned), digests(made), 'the Broker has exactly the objects of the Gatherer');
  const [partition, ...others] = [...learned.partitions.values()];
  assert.equal(others.length, 0, 'there is one source');
  assert.equal(partition?.marker?.lsn, made.lsn, 'and all of it is learned');
}

/** The index of a closed Broker equals one made from scratch from its store. */
async function judgeIndex(broker: ServerProcess): Promise<void> {
  await using folder = await openDataFolder(broker.data, {
    role: 'broker',
    clock: systemClock,
    random: systemRandom,
  });
  const database = await folder.renewable('index');
  await using engine = await engineOver('flexsearch', database, folder.store, servedFacets);
  await assertEqualsScratch(engine, folder.store);
}
