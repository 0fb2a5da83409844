import { defaultLanguage, isStopWord, type Language, languageOfStopWords } from '../words/index.ts';
import type { QueryNode } from './tree.ts';

/**
 * The same query with every word of a plain AND of words made optional, or undefined for another query. Stop
 * words no longer make an object match unless there are only stop words: those of the language, among some,
 * that most of them belong to.
 */
export function relax(
  query: QueryNode,
  among: Iterable<Language> = [defaultLanguage],
): QueryNode | undefined {
  if (query.kind !== 'and') return undefined;
  const wanted = query.operands.filter((operand) => operand.kind !== 'not');
  const refused = query.operands.filter((operand) => operand.kind === 'not');
  if (wanted.length < 2) return undefined;
  const words = wanted.flatMap((operand) => (operand.kind === 'word' ? [operand.word] : []));
  const language = languageOfStopWords(words, among);
  const telling = wanted.filter((operand) => operand.kind !== 'word' || !isStopWord(operand.word, language));
  const operands = telling.length === 0 ? wanted : telling;
  const any: QueryNode = operands.length === 1 ? (operands[0] as QueryNode) : { kind: 'or', operands };
  return refused.length === 0 ? any : { kind: 'and', operands: [any, ...refused] };
}
