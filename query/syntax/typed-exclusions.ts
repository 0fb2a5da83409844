import { languages, stemOf, typedTerm, wordsOf } from '../words/index.ts';
import type { QueryNode, WordNode } from './tree.ts';

/** The wanted words of an operand of AND. */
function wantedIn(node: QueryNode): string[] {
  if (node.kind === 'word') return wordsOf(node.word);
  return node.kind === 'phrase' ? wordsOf(node.words.join(' ')) : [];
}

const isPlainWord = ({ typed, case: exact, part, errors }: WordNode) =>
  typed !== true && exact !== true && part !== true && errors === undefined;

/** Whether a word is another form of one of these, in any language. */
const isFormOf = (word: string, others: readonly string[]) =>
  others.some((other) => other !== word && languages.some((one) => stemOf(word, one) === stemOf(other, one)));

/**
 * The query with exclusions of another form of a wanted word limited to that form: `news -new` would else exclude itself.
 * Adds a note for each.
 */
export function withTypedExclusions(query: QueryNode, notes: Set<string>): QueryNode {
  if (query.kind !== 'and') return query;
  const wanted = query.operands.flatMap(wantedIn);
  const operands = query.operands.map((operand): QueryNode => {
    if (operand.kind !== 'not' || operand.operand.kind !== 'word' || !isPlainWord(operand.operand))
      return operand;
    const [word, more] = wordsOf(operand.operand.word);
    if (word === undefined || more !== undefined || typedTerm(word) === undefined || !isFormOf(word, wanted))
      return operand;
    notes.add(`only "${word}" itself is excluded, because the query asks for another form of it`);
    return { kind: 'not', operand: { ...operand.operand, typed: true } };
  });
  return { ...query, operands };
}
