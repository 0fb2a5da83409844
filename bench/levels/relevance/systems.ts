import { execFileSync } from 'node:child_process';
import MiniSearch from 'minisearch';
import { analyse, termOf } from '../../../query/index.ts';
import { summaryObject } from '../../../soif/index.ts';
import { withIndex } from '../engine.ts';
import type { JudgedCollection } from './collection.ts';

/** Ranks the documents of a collection, as positions, for each of its queries, best first. */
export interface RankingSystem {
  readonly name: string;
  readonly rank: (collection: JudgedCollection, limit: number) => Promise<readonly (readonly number[])[]>;
}

/** The stop list of Lucene's English analyser, which published BM25 baselines use. */
const luceneStops: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
    'this to was will with'
  ).split(' '),
);

const stemmed = (text: string) =>
  analyse(text)
    .filter(({ word }) => !luceneStops.has(word))
    .map(({ term }) => term);

/** The baseline: Okapi BM25, k1 = 0.9, b = 0.4, Porter stems, a stop list, title and text as one. */
const bm25: RankingSystem = {
  name: 'bm25',
  rank: async ({ documents, queries }, limit) => {
    const [k1, b] = [0.9, 0.4];
    const lengths = new Float64Array(documents.length);
    const postings = new Map<string, Map<number, number>>();
    documents.forEach(({ title, text }, place) => {
      const terms = stemmed(`${title} ${text}`);
      lengths[place] = terms.length;
      for (const term of terms) {
        const list = postings.get(term) ?? new Map<number, number>();
        postings.set(term, list.set(place, (list.get(place) ?? 0) + 1));
      }
    });
    const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
    return queries.map(({ text }) => {
      const scores = new Map<number, number>();
      for (const term of stemmed(text)) {
        const list = postings.get(term);
        if (list === undefined) continue;
        const idf = Math.log(1 + (documents.length - list.size + 0.5) / (list.size + 0.5));
        for (const [place, times] of list) {
          const norm = k1 * (1 - b + (b * (lengths[place] as number)) / average);
          scores.set(place, (scores.get(place) ?? 0) + (idf * times * (k1 + 1)) / (times + norm));
        }
      }
      return [...scores]
        .sort((x, y) => y[1] - x[1] || x[0] - y[0])
        .slice(0, limit)
        .map(([place]) => place);
    });
  },
};

/** minisearch as its documentation describes it, with Porter stems and the stop list. */
const minisearch: RankingSystem = {
  name: 'minisearch',
  rank: async ({ documents, queries }, limit) => {
    const index = new MiniSearch<{ id: number; title: string; text: string }>({
      fields: ['title', 'text'],
      processTerm: (word) => {
        const lower = word.toLowerCase();
        return luceneStops.has(lower) ? null : termOf(lower);
      },
    });
    index.addAll(documents.map(({ title, text }, id) => ({ id, title, text })));
    return queries.map(({ text }) =>
      index
        .search(text)
        .slice(0, limit)
        .map(({ id }) => id as number),
    );
  },
};

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * SQLite's FTS5 with its Porter tokeniser and bm25(), by the sqlite3 of this machine; documents with any of the words
 * are ranked.
 */
const fts5: RankingSystem = {
  name: 'fts5',
  rank: async ({ documents, queries }, limit) => {
    const rows = documents.map(
      ({ title, text }, place) =>
        `insert into d(rowid, title, text) values (${place}, ${quoted(title)}, ${quoted(text)});`,
    );
    const selects = queries.map(({ text }, query) => {
      const words = [...new Set(analyse(text).map(({ word }) => word))].filter(
        (word) => !luceneStops.has(word),
      );
      const any = words.map((word) => `"${word}"`).join(' OR ');
      return words.length === 0
        ? ''
        : `select ${query}, rowid from d where d match ${quoted(any)} order by bm25(d), rowid limit ${limit};`;
    });
    const script = [
      'create virtual table d using fts5(title, text, tokenize = "porter unicode61");',
      ...['begin;', ...rows, 'commit;', '.mode list', ...selects],
    ].join('\n');
    const answer = execFileSync('sqlite3', [':memory:'], {
      input: script,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    const rankings: number[][] = queries.map(() => []);
    for (const line of answer.split('\n')) {
      const [query, place] = line.split('|').map(Number);
      if (line !== '' && query !== undefined && place !== undefined) rankings[query]?.push(place);
    }
    return rankings;
  },
};

/** The embedded engine of a Broker; documents with any of the words are ranked. */
const garner: RankingSystem = {
  name: 'garner',
  rank: async ({ documents, queries }, limit) => {
    const objects = documents.map(({ id, title, text }) =>
      summaryObject(`http://collection.example.org/${encodeURIComponent(id)}`, [
        ...(title.trim() === '' ? [] : ([['Title', title]] as const)),
        ...(text.trim() === '' ? [] : ([['Full-Text', text]] as const)),
      ]),
    );
    return withIndex(objects, async ({ ask }) => {
      const rankings: (readonly number[])[] = [];
      for (const { text } of queries) rankings.push(await ask(text, true, limit));
      return rankings;
    });
  },
};

export const rankingSystems: readonly RankingSystem[] = [garner, bm25, minisearch, fts5];
