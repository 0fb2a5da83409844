import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { analyse, isStopWord } from '../../../query/index.ts';
import { asWords } from '../collections.ts';
import type { Judged } from '../quality.ts';

/** A document of a collection. */
export interface JudgedDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Documents and queries with answers judged by people. */
export interface JudgedCollection {
  readonly name: string;
  readonly documents: readonly JudgedDocument[];
  readonly queries: readonly Judged[];
}

const linesOf = <Item>(file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item);

/**
 * Read docs.jsonl (`{id, title, text}`), queries.jsonl (`{id, text}`) and qrels.tsv (query, document, grade; above 0
 * is relevant) of a folder. Queries without a relevant document are left out. Throws the errors of reading and
 * parsing.
 */
export function readCollection(folder: string): JudgedCollection {
  const documents = linesOf<Partial<JudgedDocument> & { readonly id: string }>(
    join(folder, 'docs.jsonl'),
  ).map(({ id, title = '', text = '' }) => ({ id: String(id), title, text }));
  const places = new Map(documents.map(({ id }, index) => [id, index]));
  const relevant = new Map<string, Set<number>>();
  for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').split('\n')) {
    const [query = '', document = '', grade = ''] = line.trim().split('\t');
    const place = places.get(document);
    if (place === undefined || !(Number(grade) > 0)) continue;
    relevant.set(query, (relevant.get(query) ?? new Set()).add(place));
  }
  const queries = linesOf<{ readonly id: string; readonly text: string }>(join(folder, 'queries.jsonl'))
    .map(({ id, text }) => ({ id: String(id), text: asWords(text) }))
    .flatMap(({ id, text }) => {
      const answers = relevant.get(id);
      return answers === undefined || text === '' ? [] : [{ text, relevant: answers }];
    });
  return { name: basename(folder), documents, queries };
}

const wordsKept = 3;
const minDocuments = 3;

/** The same with each query cut to its three rarest words among those that at least three documents have. */
export function shortened(collection: JudgedCollection): JudgedCollection {
  const { name, documents } = collection;
  const frequencies = new Map<string, number>();
  for (const { title, text } of documents)
    for (const word of new Set(analyse(`${title} ${text}`).map((token) => token.word)))
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  const queries = collection.queries.map(({ text, relevant }) => {
    const words = [...new Set(analyse(text).map((token) => token.word))]
      .filter((word) => (frequencies.get(word) ?? 0) >= minDocuments && !isStopWord(word))
      .map((word, place) => ({ word, place, frequency: frequencies.get(word) ?? 0 }))
      .sort((a, b) => a.frequency - b.frequency || a.place - b.place)
      .slice(0, wordsKept)
      .sort((a, b) => a.place - b.place);
    return { text: words.map(({ word }) => word).join(' '), relevant };
  });
  return { name: `${name}, 3 words`, documents, queries: queries.filter(({ text }) => text !== '') };
}
