import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SegmentedEngine } from '../../broker/index.ts';
import { parseQuery, type QueryNode, relax } from '../../query/index.ts';
import { printSummary, summarise } from '../../registry/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject, summaryObject } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';

/** A text with its place in the judged collection; none for one that only disturbs. */
export interface Text {
  readonly title: string;
  readonly text: string;
  readonly place?: number;
}

type Statistics = Awaited<ReturnType<SegmentedEngine['ranker']['statistics']>>;

interface Hit {
  readonly place: number | undefined;
  readonly broker: number;
  readonly score: number;
}

const server = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const batchBytes = 8 * 1024 * 1024;

const objectOf = (broker: number, at: number, { title, text }: Text): SummaryObject =>
  summaryObject(`http://broker${broker}.example.org/${at}`, [
    ...(title.trim() === '' ? [] : ([['Title', title]] as const)),
    ...(text.trim() === '' ? [] : ([['Full-Text', text]] as const)),
  ]);

/** An index in this process, asked as a Broker is. */
export class BenchBroker implements AsyncDisposable {
  readonly number: number;
  readonly bytes: number;
  readonly #engine: SegmentedEngine;
  readonly #places: ReadonlyMap<Oid, number | undefined>;
  readonly #collection: ReadonlySet<number | undefined>;
  readonly #close: Closing;
  readonly #statistics = new Map<QueryNode, Promise<Statistics>>();
  #lsn: number;

  private constructor(number: number, { engine, places, bytes, close, lsn }: Parts) {
    this.number = number;
    this.bytes = bytes;
    this.#engine = engine;
    this.#places = places;
    this.#collection = new Set(places.values());
    this.#close = close;
    this.#lsn = lsn;
  }

  /** Index texts in a folder, which is removed at the end. */
  static async open(folder: string, number: number, texts: readonly Text[]): Promise<BenchBroker> {
    const path = join(folder, `broker-${number}`);
    const database = await openDatabase(path);
    const engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
    const close = async () => {
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    };
    const places = new Map<Oid, number | undefined>();
    let [bytes, size, lsn] = [0, 0, 0];
    let changes: Parameters<SegmentedEngine['apply']>[0][number][] = [];
    for (const [at, text] of texts.entries()) {
      const object = objectOf(number, at, text);
      const oid = oidOf(server, object.url);
      places.set(oid, text.place);
      changes.push({ kind: 'put', oid, object, source: 'bench' });
      size += Buffer.byteLength(text.text) + Buffer.byteLength(text.title);
      if (size < batchBytes && at + 1 < texts.length) continue;
      await engine.apply(changes, ++lsn);
      [bytes, size, changes] = [bytes + size, 0, []];
    }
    return new BenchBroker(number, { engine, places, bytes, close, lsn });
  }

  get objects(): number {
    return this.#engine.count;
  }

  /** Whether it has the document of this place. */
  has(place: number): boolean {
    return this.#collection.has(place);
  }

  /** Forget the statistics of questions that are not asked again. */
  forget(): void {
    this.#statistics.clear();
  }

  /** Put other texts in the place of some. */
  async replace(texts: readonly (readonly [at: number, text: Text])[]): Promise<void> {
    const changes = texts.map(([at, text]) => {
      const object = objectOf(this.number, at, text);
      return { kind: 'put', oid: oidOf(server, object.url), object, source: 'bench' } as const;
    });
    await this.#engine.apply(changes, ++this.#lsn);
  }

  async summary() {
    const engine = this.#engine;
    const languages = [...engine.languages].sort((a, b) => b[1] - a[1]);
    return summarise(engine.vocabulary(), { objects: engine.count, bytes: this.bytes, languages });
  }

  async summaryText(): Promise<string> {
    return printSummary(await this.summary());
  }

  statistics(query: QueryNode): Promise<Statistics> {
    const known = this.#statistics.get(query) ?? this.#engine.ranker.statistics(query);
    this.#statistics.set(query, known);
    return known;
  }

  async search(query: QueryNode, limit: number, statistics: Statistics): Promise<readonly Hit[]> {
    const { hits } = await this.#engine.search({ query, limit, offset: 0, statistics });
    return hits.map(({ oid, score }) => ({ place: this.#places.get(oid), broker: this.number, score }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

type Closing = () => Promise<void>;

interface Parts {
  readonly engine: SegmentedEngine;
  readonly places: ReadonlyMap<Oid, number | undefined>;
  readonly bytes: number;
  readonly close: Closing;
  readonly lsn: number;
}

/** A question: texts with any of its words are ranked. */
export function questionOf(text: string): QueryNode {
  const { query } = parseQuery(text);
  return relax(query) ?? query;
}

function summed(all: readonly Statistics[]): Statistics {
  const terms = new Map<string, Statistics['terms'][number]>();
  for (const one of all.flatMap((statistics) => statistics.terms)) {
    const key = `${one.field} ${one.term}`;
    const known = terms.get(key);
    terms.set(key, {
      ...one,
      objects: one.objects + (known?.objects ?? 0),
      occurrences: one.occurrences + (known?.occurrences ?? 0),
    });
  }
  return { objects: all.reduce((sum, { objects }) => sum + objects, 0), terms: [...terms.values()] };
}

/** One list of several Brokers, ranked by their statistics together, as a federated search ranks it. */
export async function askTogether(
  brokers: readonly BenchBroker[],
  query: QueryNode,
  limit: number,
): Promise<readonly Hit[]> {
  const statistics = summed(await Promise.all(brokers.map((broker) => broker.statistics(query))));
  const lists = await Promise.all(brokers.map((broker) => broker.search(query, limit, statistics)));
  return lists
    .flat()
    .sort((a, b) => b.score - a.score || a.broker - b.broker)
    .slice(0, limit);
}
