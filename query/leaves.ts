import { termOf, termsOf, wordsOf } from './analysis.ts';
import { defaultLanguage, type Language } from './languages.ts';
import { nearLeaves } from './near-matcher.ts';
import { isStopWord } from './stop-words.ts';
import { tokenTests } from './token-test.ts';
import type { PhraseNode, QueryNode, SequenceNode, TextLeaf, WordNode } from './tree.ts';

/** A leaf of a query that looks at texts, as it is ranked by and shown. */
export interface QueryLeaf {
  readonly node: TextLeaf;
  /**
   * Terms to rank by, in the order of the query: those that a text must hold to match (one of each alternative of a
   * NEAR). None when the leaf is a prefix, an expression, or compared with errors or in part.
   */
  readonly terms: readonly string[];
  /** Whether it is one of those words that nearly every text of the language has (`isStopWord`). */
  readonly stop: boolean;
  /** Lower-case attribute name it is restricted to (the innermost one), or undefined. */
  readonly attribute: string | undefined;
  /** How much it counts beside the others: 1 for what was asked, less for what was added. */
  readonly weight: number;
}

/** Whether a word or phrase matches wherever its terms follow each other: it is compared in no other way. */
export function isPlain(node: WordNode | PhraseNode): boolean {
  return node.case !== true && node.part !== true && (node.errors ?? 0) === 0;
}

const textOf = (node: WordNode | PhraseNode) => (node.kind === 'word' ? node.word : node.words.join(' '));

/** The normalised words of a word or phrase node. */
export const leafWords = (node: WordNode | PhraseNode): string[] => wordsOf(textOf(node));

/** The terms of a word or phrase node where it is compared with texts of a language. */
export const leafTerms = (node: WordNode | PhraseNode, language: Language = defaultLanguage): string[] =>
  termsOf(textOf(node), language);

/**
 * The different runs of terms that a plain word or phrase is in these languages. An object in any of them matches the node
 * where one of the runs stands, whichever: no run of one language is found in another that reads the node differently.
 */
export function leafVariants(node: WordNode | PhraseNode, among: Iterable<Language>): string[][] {
  const words = leafWords(node);
  const variants = new Map<string, string[]>();
  for (const language of words.length === 0 ? [] : among) {
    const terms = words.map((word) => termOf(word, language));
    variants.set(terms.join(' '), terms);
  }
  return [...variants.values()];
}

/** The parts of a sequence that have tokens: the others stand for nothing. */
export function tellingParts({ parts }: SequenceNode): SequenceNode['parts'] {
  return parts.filter((part) => tokenTests(part, defaultLanguage).length > 0);
}

/** The terms that a leaf is ranked by. */
function rankedTerms(node: TextLeaf, language: Language): string[] {
  switch (node.kind) {
    case 'word':
    case 'phrase':
      return node.part === true || (node.errors ?? 0) !== 0 ? [] : leafTerms(node, language);
    case 'sequence':
      return node.parts.flatMap((part) => rankedTerms(part, language));
    case 'near':
      return node.operands.flatMap(nearLeaves).flatMap((leaf) => rankedTerms(leaf, language));
    case 'prefix':
    case 'regex':
      return [];
  }
}

/** Whether any text can match the leaf. */
function isPossible(node: TextLeaf): boolean {
  if (node.kind === 'regex') return true;
  if (node.kind === 'near') return node.operands.every((operand) => nearLeaves(operand).some(isPossible));
  return tokenTests(node, defaultLanguage).length > 0;
}

/**
 * The leaves that make an object match when they are present, as objects in a language read them: those under an even
 * number of NOTs. Every language has the same leaves with as many terms each.
 */
export function positiveLeaves(query: QueryNode, language: Language = defaultLanguage): QueryLeaf[] {
  const found: QueryLeaf[] = [];
  const visit = (node: QueryNode, attribute: string | undefined, positive: boolean): void => {
    switch (node.kind) {
      case 'attribute':
        visit(node.operand, node.name.toLowerCase(), positive);
        return;
      case 'and':
      case 'or':
        for (const operand of node.operands) visit(operand, attribute, positive);
        return;
      case 'not':
        visit(node.operand, attribute, !positive);
        return;
      case 'all':
      case 'range':
        return;
      default: {
        if (!positive || !isPossible(node)) return;
        const stop = node.kind === 'word' && isStopWord(node.word, language);
        const weight = node.kind === 'word' || node.kind === 'phrase' ? (node.weight ?? 1) : 1;
        found.push({ node, terms: rankedTerms(node, language), attribute, stop, weight });
      }
    }
  };
  visit(query, undefined, true);
  return found;
}
