export { resolveBest } from './best-errors.ts';
export { optionBounds, type QueryOptions } from './options.ts';
export { type ParsedQuery, parseQuery, printedWith } from './parser.ts';
export { printQuery } from './printer.ts';
export { relax } from './relaxed-query.ts';
export { groupName, printedRegex, type TermGroup, withoutCase } from './term-groups.ts';
export { passes, type TokenTest, tokenTests, writtenForm } from './token-predicate.ts';
export {
  type Bound,
  type LeafNode,
  type NearNode,
  nearLeaves,
  type PhraseNode,
  type PrefixNode,
  type QueryNode,
  type RangeNode,
  type RegexNode,
  type SequenceNode,
  type TextLeaf,
  type WordLeaf,
  type WordNode,
} from './tree.ts';
