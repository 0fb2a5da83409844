import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { seededRandom } from '../../kernel/index.ts';
import type { Block } from '../../readers/document/index.ts';
import type { Judged } from './quality.ts';
import { readDocument } from './reading.ts';

/** A document with its size at the provider and the text read from it. */
export interface Document {
  readonly url: string;
  /** Bytes at the provider. */
  readonly bytes: number;
  readonly gzipped: number;
  readonly title: string;
  /** The source of terse and selected summaries, and the text of a full one. */
  readonly blocks: readonly Block[];
  readonly text: string;
  readonly references: readonly string[];
}

/** Documents and sets of queries with known answers. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly Document[];
  /** False when queries are made of titles: titles are then not indexed. */
  readonly titles: boolean;
  /** By the name of the set. */
  readonly queries: Readonly<Record<string, readonly Judged[]>>;
  /** True for questions: objects with any of the words are ranked. */
  readonly any: boolean;
}

interface JudgedDocument {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly text: string;
}

const linesOf = <Item>(file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item);

/** A collection with judgments: docs.jsonl, queries.jsonl and qrels.tsv of a folder. */
export function judgedCollection(
  folder: string,
  name: string,
  gzip: (bytes: Uint8Array) => number,
): Collection {
  const source = linesOf<JudgedDocument>(join(folder, 'docs.jsonl'));
  const places = new Map(source.map(({ id }, index) => [id, index]));
  const relevant = new Map<string, Set<number>>();
  for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').split('\n')) {
    const [query = '', document = '', grade = ''] = line.split('\t');
    const place = places.get(document);
    if (place === undefined || Number(grade) <= 0) continue;
    relevant.set(query, (relevant.get(query) ?? new Set()).add(place));
  }
  const queries = linesOf<{ readonly id: string; readonly text: string }>(join(folder, 'queries.jsonl'))
    .filter(({ id }) => relevant.has(id))
    .map(({ id, text }) => ({ text: asWords(text), relevant: relevant.get(id) as ReadonlySet<number> }));
  const documents = source.map(({ id, title, text }) => ({
    url: `http://${name}.example.org/${id}`,
    bytes: Buffer.byteLength(title) + Buffer.byteLength(text) + 2,
    gzipped: gzip(Buffer.from(`${title}\n\n${text}`)),
    title,
    blocks: text === '' ? [] : [{ role: 'paragraph' as const, text: text.replace(/\s+/g, ' ').trim() }],
    text: text.replace(/\s+/g, ' ').trim(),
    references: [],
  }));
  return { name, documents, titles: true, queries: { questions: queries }, any: true };
}

/** The words of a text, so that nothing of a query is an operator. */
export const asWords = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s._'-]/gu, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^[-._']+|[-._']+$/g, ''))
    .filter((word) => /\p{L}/u.test(word))
    .join(' ');

const part = /\s+[|\u2013\u2014\u00b7-]\s+/;
const sectionNumber = /^(?:(?:chapter|appendix|part)\s+)?(?:[ivx]+|[a-z]|\d+)(?:\.\d+)*\.\s+/i;

/** Titles without parts that many pages share and without section numbers. */
function ownTitles(titles: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const title of titles)
    for (const one of new Set(title.split(part))) counts.set(one, (counts.get(one) ?? 0) + 1);
  return titles.map((title) => {
    const own = title.split(part).filter((one) => (counts.get(one) ?? 0) < 20);
    return own.join(' ').replace(sectionNumber, '');
  });
}

const wordsInQuery = 4;

/** The queries that name one document: its title, one of its headings, some words of one of its sentences. */
export function knownItems(
  documents: readonly Document[],
  count: number,
): Readonly<Record<'titles' | 'headings' | 'sentences', readonly Judged[]>> {
  const random = seededRandom(1995);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random.next() * items.length)];
  const shuffled = documents.map((_, index) => [random.next(), index] as const).sort(([a], [b]) => a - b);
  const titles = ownTitles(documents.map(({ title }) => title)).map(asWords);
  const headings = documents.map(({ blocks }) => [
    ...new Set(
      blocks
        .filter(({ role, level }) => role === 'heading' && level !== 1)
        .map(({ text }) => asWords(text.replace(sectionNumber, '')))
        .filter((text) => (text.match(/\p{L}{3,}/gu)?.length ?? 0) >= 2),
    ),
  ]);
  const times = (values: Iterable<string>) => {
    const counted = new Map<string, number>();
    for (const value of values) counted.set(value, (counted.get(value) ?? 0) + 1);
    return counted;
  };
  const titleTimes = times(titles);
  const headingTimes = times(headings.flat());
  const judged = (text: string | undefined, index: number): Judged[] =>
    text === undefined || text === '' ? [] : [{ text, relevant: new Set([index]) }];
  const made = { titles: [] as Judged[], headings: [] as Judged[], sentences: [] as Judged[] };
  for (const [, index] of shuffled) {
    const title = titles[index] as string;
    if (titleTimes.get(title) === 1) made.titles.push(...judged(title, index));
    made.headings.push(
      ...judged(pick((headings[index] as string[]).filter((text) => headingTimes.get(text) === 1)), index),
    );
    const sentence = pick(
      (documents[index] as Document).blocks.filter(
        ({ role, text }) => role === 'paragraph' && text.length > 80,
      ),
    );
    const words = (sentence?.text ?? '').match(/\p{L}{4,}/gu) ?? [];
    if (words.length >= 2 * wordsInQuery) {
      const from = Math.floor(random.next() * (words.length - wordsInQuery));
      made.sentences.push(...judged(asWords(words.slice(from, from + wordsInQuery).join(' ')), index));
    }
  }
  return {
    titles: made.titles.slice(0, count),
    headings: made.headings.slice(0, count),
    sentences: made.sentences.slice(0, count),
  };
}

/** Debian's HTML manuals. */
export const manuals: Readonly<Record<string, string>> = {
  'python3.11-doc': '/usr/share/doc/python3.11/html',
  'postgresql-doc-15': '/usr/share/doc/postgresql-doc-15/html',
  'git-doc': '/usr/share/doc/git-doc',
};

/** The pages below the installed folders; `gzip` counts a page's compressed bytes. */
export async function pagesOf(
  folders: readonly string[],
  gzip: (bytes: Uint8Array) => number,
): Promise<Document[]> {
  const documents: Document[] = [];
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!name.endsWith('.html')) continue;
      const bytes = readFileSync(join(folder, name));
      const url = `http://docs.example.org${join(folder, name).split(sep).join('/')}`;
      const reading = await readDocument('HTML', url, bytes);
      documents.push({ url, bytes: bytes.length, gzipped: gzip(bytes), ...reading });
    }
  }
  return documents;
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** A page without the headings that only repeat words of its title. */
export function withoutTitleHeadings(document: Document): Document {
  const title = plain(document.title);
  const repeats = (text: string) => text.length > 1 && title.includes(plain(text));
  return {
    ...document,
    blocks: document.blocks.filter(({ role, text }) => role !== 'heading' || !repeats(text)),
  };
}
