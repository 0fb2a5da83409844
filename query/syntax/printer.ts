import { type ComparisonFlag, commonFlags } from './comparison.ts';
import { isPlainWord } from './lexer.ts';
import { isPlainBound, quotationMarks } from './range-text.ts';
import { printedRegex } from './term-groups.ts';
import type { Bound, NearOperand, PrefixNode, QueryNode, RangeNode, WordLeaf, WordNode } from './tree.ts';
import { errorMark, splitMark } from './word-marks.ts';

// How tightly each kind binds, leaves tightest; an operand that binds no tighter than needed gets parentheses.
const binding: Readonly<Partial<Record<QueryNode['kind'], number>>> = {
  or: 0,
  and: 1,
  near: 2,
  not: 3,
  attribute: 4,
};
const leafBinding = 5;

/** A query as text that `parseQuery` reads back to the same tree (for trees it could have made). */
export function printQuery(node: QueryNode): string {
  return printFlagged(node, []);
}

const optionText = (flags: readonly ComparisonFlag[]) => flags.map((flag) => `#${flag} `).join('');

/** Prints the options that all leaves have in common in front; `printed`: those printed further out. */
function printFlagged(node: QueryNode, printed: readonly ComparisonFlag[]): string {
  const common = commonFlags(node).filter((flag) => !printed.includes(flag));
  return `${optionText(common)}${print(node, [...printed, ...common])}`;
}

function print(node: QueryNode, printed: readonly ComparisonFlag[]): string {
  switch (node.kind) {
    case 'attribute':
      return `${node.name}: ${operand(node.operand, node.operand.kind === 'attribute' ? leafBinding : 4, printed)}`;
    case 'and':
      return node.operands.map((part) => operand(part, 2, printed)).join(' AND ');
    case 'or':
      return node.operands.map((part) => operand(part, 1, printed)).join(' OR ');
    case 'not':
      return `NOT ${operand(node.operand, 3, printed)}`;
    case 'near':
      return node.operands
        .map((part: NearOperand) => operand(part, 3, printed))
        .join(` NEAR/${node.distance} `);
    case 'all':
      return '*';
    case 'regex':
      return printedRegex(node);
    case 'range':
      return rangeText(node);
    default:
      return wordText(node);
  }
}

function operand(node: QueryNode, needed: number, printed: readonly ComparisonFlag[]): string {
  const binds = (binding[node.kind] ?? leafBinding) >= needed;
  const isLeaf = binding[node.kind] === undefined;
  if (binds && !(isLeaf && commonFlags(node).some((flag) => !printed.includes(flag))))
    return print(node, printed);
  return `(${printFlagged(node, printed)})`;
}

/** Text between quotation marks, in which no word has a mark that is not its own. */
const quoted = (text: string) => `"${text.replaceAll(quotationMarks, ' ')}"`;

const unmarked = (text: string) => splitMark(text).word;

function wordText(node: WordLeaf): string {
  switch (node.kind) {
    case 'word':
      return `${isPlainWord(node.word) && node.typed !== true ? node.word : quoted(unmarked(node.word))}${errorMark(node)}`;
    case 'prefix':
      return `${isPlainWord(node.prefix) ? node.prefix : quoted(unmarked(node.prefix))}*`;
    case 'phrase':
      return `${quoted(node.words.map(unmarked).join(' '))}${errorMark(node)}`;
    case 'sequence':
      return quoted(node.parts.map(partText).join(' '));
  }
}

const partText = (part: WordNode | PrefixNode) =>
  part.kind === 'prefix' ? `${unmarked(part.prefix)}*` : `${unmarked(part.word)}${errorMark(part)}`;

function rangeText({ from, to }: RangeNode): string {
  if (from === undefined || to === undefined) {
    if (from !== undefined) return `${from.exclusive === true ? '>' : '>='}${boundText(from)}`;
    return to === undefined ? '*' : `${to.exclusive === true ? '<' : '<='}${boundText(to)}`;
  }
  if (from.exclusive === true || to.exclusive === true)
    return `(${rangeText({ kind: 'range', from })} AND ${rangeText({ kind: 'range', to })})`;
  return from.value === to.value ? `=${boundText(from)}` : `${boundText(from)}..${boundText(to)}`;
}

const boundText = ({ value }: Bound) => (isPlainBound(value) ? value : quoted(value));
