// The quality of a Broker's ranking on collections with judgments, compared with BM25, minisearch and SQLite's FTS5.
import { parseArgs } from 'node:util';
import { qualityOf } from '../quality.ts';
import { type JudgedCollection, readCollection, shortened } from './collection.ts';
import { rankingSystems } from './systems.ts';

/** MAP counts so many documents, as in trec_eval. */
const depth = 1000;

interface RelevanceRow {
  readonly collection: string;
  readonly system: string;
  readonly queries: number;
  readonly ndcg10: number;
  readonly map: number;
  readonly recall100: number;
}

/** The system that the others are compared with. */
const reference = 'bm25';

async function measure(collection: JudgedCollection): Promise<RelevanceRow[]> {
  const rows: RelevanceRow[] = [];
  for (const { name, rank } of rankingSystems) {
    const rankings = await rank(collection, depth);
    const { queries, ndcg10, map, recall100 } = qualityOf(rankings, collection.queries);
    rows.push({ collection: collection.name, system: name, queries, ndcg10, map, recall100 });
  }
  return rows;
}

function table(rows: readonly RelevanceRow[]): string {
  const base = rows.find(({ system }) => system === reference);
  const [first] = rows;
  const lines = rows.map(({ system, ndcg10, map, recall100 }) => {
    const times = base === undefined ? '' : `${(ndcg10 / base.ndcg10).toFixed(3)}x`;
    const numbers = [ndcg10, map, recall100].map((value) => value.toFixed(4).padStart(10)).join('');
    return `  ${system.padEnd(12)}${numbers}${times.padStart(10)}`;
  });
  const head = `  ${''.padEnd(12)}   nDCG@10       MAP  Recall@100`;
  return `\n${first?.collection}: ${first?.queries} queries\n${head}\n${lines.join('\n')}\n`;
}

/**
 * Measure every system on the collections in `args`: with their queries as they are and with each cut to three words
 * (`--json` gives only the first, with `--short` only the second). Resolves to the exit code, or to a usage error as
 * a string.
 */
export async function benchRelevance(args: readonly string[]): Promise<number | string> {
  let parsed: ReturnType<typeof understand>;
  try {
    parsed = understand(args);
  } catch (error) {
    return (error as Error).message;
  }
  const { folders, json, short } = parsed;
  if (folders.length === 0) return 'relevance takes the folders of the collections';
  const all: RelevanceRow[] = [];
  for (const folder of folders) {
    const whole = readCollection(folder);
    const variants = json ? [short ? shortened(whole) : whole] : [whole, shortened(whole)];
    for (const collection of variants) {
      process.stderr.write(`  ${collection.name}: ${collection.documents.length} documents\n`);
      const rows = await measure(collection);
      all.push(...rows);
      if (!json) process.stdout.write(table(rows));
    }
  }
  if (json) process.stdout.write(`${JSON.stringify(all)}\n`);
  return 0;
}

function understand(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, short: { type: 'boolean', default: false } },
  });
  return { folders: positionals, ...values };
}
