import {
  isPlain,
  isStopWord,
  type Language,
  leafWords,
  type PhraseNode,
  type QueryNode,
  termOf,
  type WordNode,
} from '../../query/index.ts';
import { allField, fieldOf } from './index-fields.ts';
import type { PostingReader } from './posting-reader.ts';

/** A plain word or phrase with the field whose lists tell where it stands. */
interface PlainLeaf {
  readonly node: WordNode | PhraseNode;
  readonly field: number;
}

/** The plain leaves of a query; undefined where there are others, which look at terms in ways of their own. */
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
        return isPlain(node);
      default:
        return false;
    }
  };
  return visit(query, allField) ? found : undefined;
}

/** What a query's words are in a language: the term of each that stands in the index, '' for one that does not. */
interface Reading {
  readonly terms: readonly string[];
  readonly stops: readonly boolean[];
}

async function readingOf(
  leaves: readonly PlainLeaf[],
  language: Language,
  reader: PostingReader,
): Promise<Reading> {
  const [terms, stops]: [string[], boolean[]] = [[], []];
  for (const { node, field } of leaves)
    for (const word of leafWords(node)) {
      const term = termOf(word, language);
      const { docnos } = reader.held(field, term) ?? (await reader.postings(field, term));
      terms.push(docnos.length > 0 ? term : '');
      stops.push(node.kind === 'word' && isStopWord(node.word, language));
    }
  // Where there is nothing else, stop words are ranked by too.
  return { terms, stops: stops.every(Boolean) ? stops.map(() => false) : stops };
}

/** Whether one reading finds all that the other finds, and ranks by all that the other ranks by. */
const covers = (one: Reading, other: Reading) =>
  other.terms.every(
    (term, at) => term === '' || (term === one.terms[at] && (other.stops[at] || !one.stops[at])),
  );

/**
 * Of the languages of the objects (the commonest first) those whose reading of the query adds anything to those before
 * it: most words stand in few of them, and each costs as many look-ups as the query has words.
 */
export async function tellingLanguages(
  query: QueryNode,
  languages: readonly Language[],
  reader: PostingReader,
): Promise<readonly Language[]> {
  const leaves = languages.length < 2 ? undefined : plainLeaves(query);
  if (leaves === undefined) return languages;
  const kept: Reading[] = [];
  const telling: Language[] = [];
  for (const language of languages) {
    const reading = await readingOf(leaves, language, reader);
    if (kept.some((one) => covers(one, reading))) continue;
    kept.push(reading);
    telling.push(language);
  }
  return telling;
}
