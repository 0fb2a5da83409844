import type { QueryNode } from '../syntax/index.ts';
import { isPlain } from './leaves.ts';

/** The bare words of a query in their order, as they were typed. */
export interface TypedText {
  readonly text: string;
  /** Whether the last word is only the beginning of one. */
  readonly isOpen: boolean;
}

/** Whether a node is a word that was not typed, such as a synonym. */
const isAdded = (node: QueryNode) =>
  (node.kind === 'word' || node.kind === 'phrase') && (node.weight ?? 1) < 1;

/** Whether a node is the last word of a query that is being typed, which counts more than what it may become. */
const isUnfinished = (node: QueryNode) =>
  (node.kind === 'word' || node.kind === 'phrase') && (node.weight ?? 1) > 1;

/** The text that a title or heading must have to be the query; undefined where the query is more than words. */
export function typedText(node: QueryNode): TypedText | undefined {
  switch (node.kind) {
    case 'word':
      return { text: node.word, isOpen: false };
    case 'phrase':
      return { text: node.words.join(' '), isOpen: false };
    case 'prefix':
      return { text: node.prefix, isOpen: true };
    case 'attribute':
      return isTitle(node) ? typedText(node.operand) : undefined;
    case 'or': {
      const typed = node.operands.filter((operand) => !isAdded(operand)).map(typedText);
      const [first] = typed;
      const isSame = first !== undefined && typed.every((one) => one?.text === first.text);
      const isOpen = typed.some((one) => one?.isOpen) || node.operands.some(isUnfinished);
      return isSame ? { ...first, isOpen } : undefined;
    }
    case 'and': {
      const parts: TypedText[] = [];
      for (const operand of node.operands) {
        if (isFilter(operand)) continue;
        const words = typedText(operand);
        if (words === undefined || parts.at(-1)?.isOpen === true) return undefined;
        parts.push(words);
      }
      const last = parts.at(-1);
      return last && { text: parts.map(({ text }) => text).join(' '), isOpen: last.isOpen };
    }
    default:
      return undefined;
  }
}

const isTitle = (node: QueryNode) => node.kind === 'attribute' && node.name.toLowerCase() === 'title';

/** Whether a node only restricts what the words find. */
function isFilter(node: QueryNode): boolean {
  switch (node.kind) {
    case 'attribute':
      return !isTitle(node);
    case 'or':
      return node.operands.every(isFilter);
    default:
      return node.kind === 'not' || node.kind === 'range' || node.kind === 'all';
  }
}

/** Whether a query is nothing but bare words, with what was added to them. */
export function isOnlyWords(query: QueryNode): boolean {
  switch (query.kind) {
    case 'word':
      return isPlain(query) || isAdded(query);
    case 'prefix':
      return query.case !== true;
    case 'and':
    case 'or':
      return query.operands.every(isOnlyWords);
    default:
      return isAdded(query);
  }
}
