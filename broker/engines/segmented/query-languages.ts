import {
  isStopWord,
  isWhole,
  type Language,
  leafWords,
  type PhraseNode,
  type QueryNode,
  termOf,
  type WordNode,
} from '../../../query/index.ts';
import type { Postings } from '../codecs/posting-codec.ts';
import { allField, fieldOf } from '../index-database/index-fields.ts';
import type { PostingReader } from '../postings/posting-reader.ts';

/** A plain word or phrase with the field of its lists. */
interface PlainLeaf {
  readonly node: WordNode | PhraseNode;
  readonly field: number;
}

/** The plain leaves of a query; undefined where it has others, which use terms in ways of their own. */
function plainLeaves(query: QueryNode): readonly PlainLeaf[] | undefined {
  const found: PlainLeaf[] = [];
  const visit = (node: QueryNode, field: number): boolean => {
    switch (node.kind) {
      case 'attribute':
        return visit(node.operand, fieldOf(node.name.toLowerCase()) ?? allField);
      case 'and':
      case 'or':
        return node.operands.every((operand) => visit(operand, field));
      case 'not':
        return visit(node.operand, field);
      case 'all':
      case 'range':
        return true;
      case 'word':
      case 'phrase':
        found.push({ node, field });
        return isWhole(node);
      default:
        return false;
    }
  };
  return visit(query, allField) ? found : undefined;
}

/** A query's words in a language: the term of each that the index has, '' for one that it does not have. */
interface Reading {
  readonly terms: readonly string[];
  readonly stops: readonly boolean[];
}

async function readingOf(
  leaves: readonly PlainLeaf[],
  language: Language,
  reader: PostingReader,
): Promise<Reading> {
  const words = leaves.flatMap(({ node, field }) =>
    leafWords(node).map((word) => ({
      ...{ field, term: termOf(word, language) },
      stop: node.kind === 'word' && isStopWord(node.word, language),
    })),
  );
  const lists = await Promise.all(
    words.map(({ field, term }) => reader.held(field, term) ?? reader.postings(field, term)),
  );
  const terms = words.map(({ term }, at) => ((lists[at] as Postings).docnos.length > 0 ? term : ''));
  const stops = words.map(({ stop }) => stop);
  // Where there is nothing else, stop words rank too.
  return { terms, stops: stops.every(Boolean) ? stops.map(() => false) : stops };
}

/** Whether one reading finds all matches of the other, and ranks by all of its terms. */
const covers = (one: Reading, other: Reading) =>
  other.terms.every(
    (term, at) => term === '' || (term === one.terms[at] && (other.stops[at] || !one.stops[at])),
  );

/**
 * Of the languages of the objects (the commonest first) those whose reading of the query adds something to
 * those before. Few languages have most words, and each costs as many look-ups as the query has words.
 */
export async function significantLanguages(
  query: QueryNode,
  languages: readonly Language[],
  reader: PostingReader,
): Promise<readonly Language[]> {
  const leaves = languages.length < 2 ? undefined : plainLeaves(query);
  if (leaves === undefined) return languages;
  const readingsUsed: Reading[] = [];
  const significant: Language[] = [];
  // In parallel, so that uncached data is read together.
  const readings = await Promise.all(languages.map((language) => readingOf(leaves, language, reader)));
  for (const [at, reading] of readings.entries()) {
    if (readingsUsed.some((one) => covers(one, reading))) continue;
    readingsUsed.push(reading);
    significant.push(languages[at] as Language);
  }
  return significant;
}
