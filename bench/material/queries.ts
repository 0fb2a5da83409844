import type { Random } from '../../kernel/index.ts';
import { Attributes, attributeText, decodeObject, type Oid } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';

/** A query and, for a phrase, the object it was taken from. */
export interface Query {
  readonly q: string;
  readonly oid?: Oid;
}

/** Plausible queries of a store: words of its titles, and phrases of its texts. */
export interface QuerySet {
  readonly words: readonly Query[];
  readonly phrases: readonly Query[];
}

const wordsOfPhrase = 6;

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random.next() * items.length)] as Item;
}

function wordsQuery(title: string, random: Random): string | undefined {
  const words = title.toLowerCase().match(/\p{L}[\p{L}\p{N}]{2,}/gu) ?? [];
  if (words.length === 0) return undefined;
  const chosen = Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => pick(words, random));
  return [...new Set(chosen)].join(' ');
}

/** Six consecutive words of one line, without the characters between them. */
function phraseQuery(text: string, random: Random): string | undefined {
  const lines = text.split('\n').filter((line) => line.length > 40);
  for (let tries = 0; lines.length > 0 && tries < 20; tries++) {
    const words = pick(lines, random).trim().split(/\s+/);
    const from = Math.floor(random.next() * words.length);
    const phrase = words.slice(from, from + wordsOfPhrase);
    if (phrase.length === wordsOfPhrase && phrase.every((word) => /^[a-z]+$/i.test(word)))
      return `"${phrase.join(' ').toLowerCase()}"`;
  }
  return undefined;
}

/** Queries over what a store holds, `count` of each kind in each of `sets` sets; the same for the same `random`. */
export async function makeQueries(
  store: ObjectStore,
  { sets, count, random }: { readonly sets: number; readonly count: number; readonly random: Random },
): Promise<readonly QuerySet[]> {
  const pages: { readonly oid: Oid; readonly url: string; readonly title: string; readonly text: string }[] =
    [];
  await using snapshot = await store.snapshot();
  for await (const { oid } of snapshot.scan()) {
    const stored = await snapshot.get(oid);
    if (stored === undefined) continue;
    const object = decodeObject(stored.body);
    const title = attributeText(object, Attributes.title) ?? '';
    pages.push({ oid, url: object.url, title, text: attributeText(object, Attributes.fullText) ?? '' });
  }
  // The store orders objects by their random identifiers.
  pages.sort((a, b) => (a.url < b.url ? -1 : 1));
  const draw = (make: (page: (typeof pages)[number]) => Query | undefined): Query[] => {
    const queries: Query[] = [];
    while (queries.length < count) {
      const query = make(pick(pages, random));
      if (query !== undefined) queries.push(query);
    }
    return queries;
  };
  return Array.from({ length: sets }, () => ({
    words: draw(({ title }) => {
      const q = wordsQuery(title, random);
      return q === undefined ? undefined : { q };
    }),
    phrases: draw(({ oid, text }) => {
      const q = phraseQuery(text, random);
      return q === undefined ? undefined : { q, oid };
    }),
  }));
}
