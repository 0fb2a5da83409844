// Query text and query trees: lexer, parser, printer, and functions that rewrite trees. Read tree.ts, then
// parser.ts.
export { resolveBest } from './best-errors.ts';
export type { KnownAttributes } from './lexer.ts';
export { relax } from './map-leaves.ts';
export { optionBounds, type QueryOptions } from './options.ts';
export { type ParseContext, type ParsedQuery, parseQuery, printedWith } from './parser.ts';
export { printQuery } from './printer.ts';
export { groupName, printedRegex, type TermGroup, withoutCase } from './term-groups.ts';
export { instantOf, isTimeAttribute, type Span, timeSpanOf } from './time-span.ts';
export { isPartOfWord, passes, type TokenTest, tokenTests, writtenForm } from './token-predicate.ts';
export {
  type Bound,
  type LeafNode,
  maxNearDistance,
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
export { begunLeaf, lastWordOf, orElse, type UnfinishedLeaf, unfinishedLeaf } from './unfinished-word.ts';
