import {
  begunLeaf,
  lastWordOf,
  orElse,
  type QueryNode,
  type UnfinishedLeaf,
  unfinishedLeaf,
} from '../../query/index.ts';
import type { SearchEngine } from '../engines/index.ts';

/** A query whose last word is searched as it is, and as the beginning of other words. */
export interface UnfinishedQuery {
  readonly query: QueryNode;
  /** The last word as it was typed. */
  readonly word: string;
}

// Shorter beginnings have too many words: the most frequent ones are taken instead.
const minPrefixLength = 3;
const maxWordsOfShort = 32;

/** Scripts whose words have one or two characters. */
const short = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_]/u;

/** The query with its last word as itself or as the beginning of a word; undefined where that word is finished. */
export async function unfinishedQuery(
  query: QueryNode,
  text: string,
  engine: Pick<SearchEngine, 'complete'>,
): Promise<UnfinishedQuery | undefined> {
  const leaf = unfinishedLeaf(query, text);
  if (leaf === undefined) return undefined;
  const word = lastWordOf(leaf);
  const isShort = [...word].length < minPrefixLength && !short.test(word);
  const others = isShort ? await wordsFrom(leaf, word, engine) : [begunLeaf(leaf)];
  return others.length === 0 ? undefined : { query: orElse(query, leaf, others), word };
}

/** Words added to the typed one count little: an object with many of them is not a better one. */
const addedWeight = 0.1;

/** The query's part with each of the most frequent words that begin so. */
async function wordsFrom(
  leaf: UnfinishedLeaf,
  word: string,
  engine: Pick<SearchEngine, 'complete'>,
): Promise<UnfinishedLeaf[]> {
  const words = await engine.complete(word.toLowerCase(), maxWordsOfShort);
  const weight = addedWeight;
  return words.map((other) =>
    leaf.kind === 'word'
      ? { kind: 'word', word: other, weight }
      : { kind: 'phrase', words: [...leaf.words.slice(0, -1), other], weight },
  );
}
