import { isStopWord } from './stop-words.ts';
import type { QueryNode } from './tree.ts';

const isStop = (node: QueryNode) => node.kind === 'word' && isStopWord(node.word);

/**
 * The same query with every word of a plain AND of words made optional, or undefined when it is not one. Stop words no
 * longer make an object match unless there is nothing else.
 */
export function relax(query: QueryNode): QueryNode | undefined {
  if (query.kind !== 'and') return undefined;
  const wanted = query.operands.filter((operand) => operand.kind !== 'not');
  const refused = query.operands.filter((operand) => operand.kind === 'not');
  if (wanted.length < 2) return undefined;
  const telling = wanted.filter((operand) => !isStop(operand));
  const operands = telling.length === 0 ? wanted : telling;
  const any: QueryNode = operands.length === 1 ? (operands[0] as QueryNode) : { kind: 'or', operands };
  return refused.length === 0 ? any : { kind: 'and', operands: [any, ...refused] };
}
