import {
  groupName,
  isPartOfWord,
  nearLeaves,
  type PhraseNode,
  printedRegex,
  type QueryNode,
  type SequenceNode,
  type TermGroup,
  type TextLeaf,
  type TokenTest,
  tokenTests,
  type WordNode,
  withoutCase,
} from '../syntax/index.ts';
import {
  defaultLanguage,
  isStopWord,
  type Language,
  termOf,
  termsOf,
  typedTerm,
  wordsOf,
} from '../words/index.ts';

/** A leaf of a query that looks at texts, in the form that ranking and display need. */
export interface QueryLeaf {
  readonly node: TextLeaf;
  /** Terms to rank by, in the order of the query: those that a match needs (one of a NEAR's alternatives). */
  readonly terms: readonly string[];
  /** The terms of their typed forms, in the same order; '' for a term whose words have one form. */
  readonly typed: readonly string[];
  /** Further parts to rank by: tokens that many terms pass, or the expression. */
  readonly groups: readonly TermGroup[];
  /** Whether it is a word that nearly every text of the language has (`isStopWord`). */
  readonly stop: boolean;
  /** Lower-case name of the innermost attribute around it, or undefined. */
  readonly attribute: string | undefined;
  /** Weight in ranking: 1 for words of the query, less for added words. */
  readonly weight: number;
}

/** Whether a word or phrase matches exactly where its terms follow each other, with no other comparison. */
export const isPlain = (node: WordNode | PhraseNode): boolean => node.typed !== true && isWhole(node);

/** The same where the terms may be those of the typed forms. */
export function isWhole(node: WordNode | PhraseNode): boolean {
  return node.case !== true && (node.errors ?? 0) === 0 && !isPartOfWord(node);
}

const textOf = (node: WordNode | PhraseNode) => (node.kind === 'word' ? node.word : node.words.join(' '));

/** The normalised words of a word or phrase node. */
export const leafWords = (node: WordNode | PhraseNode): string[] => wordsOf(textOf(node));

/** The terms of a word or phrase node where it is compared with texts of a language. */
export const leafTerms = (node: WordNode | PhraseNode, language: Language = defaultLanguage): string[] =>
  termsOf(textOf(node), language);

/**
 * The different runs of terms, or of typed forms, that a word or phrase becomes in these languages. A run of one language never
 * occurs in a language that reads the node differently.
 */
export function leafVariants(node: WordNode | PhraseNode, among: Iterable<Language>): string[][] {
  const words = leafWords(node);
  const variants = new Map<string, string[]>();
  for (const language of words.length === 0 ? [] : among) {
    const terms = words.map((word) => (node.typed && typedTerm(word)) || termOf(word, language));
    variants.set(terms.join(' '), terms);
  }
  return [...variants.values()];
}

/** The parts of a sequence that have tokens; the others are ignored. */
export function partsWithTokens({ parts }: SequenceNode): SequenceNode['parts'] {
  return parts.filter((part) => tokenTests(part, defaultLanguage).length > 0);
}

function rankedBy(node: TextLeaf, language: Language): Pick<QueryLeaf, 'terms' | 'typed' | 'groups'> {
  if (node.kind === 'regex')
    return { terms: [], typed: [], groups: [{ name: printedRegex(node), regex: node }] };
  const runs = node.kind === 'near' ? node.operands.flatMap(nearLeaves) : [node];
  const tests = runs.flatMap((run) => tokenTests(withoutCase(run), language));
  const named = runs.flatMap((run) => tokenTests(withoutCase(run), defaultLanguage));
  // The same in every language.
  const isExact = (at: number) => named[at]?.errors === 0 && named[at].place === 'whole';
  return {
    terms: tests.flatMap(({ term, text }, at) => (isExact(at) ? [term ?? text] : [])),
    typed: tests.flatMap(({ own = '' }, at) => (isExact(at) ? [own] : [])),
    groups: tests.flatMap((test, at) =>
      isExact(at) ? [] : [{ name: groupName(named[at] as TokenTest), test }],
    ),
  };
}

/** Whether any text can match the leaf. */
function isPossible(node: TextLeaf): boolean {
  if (node.kind === 'regex') return true;
  if (node.kind === 'near') return node.operands.every((operand) => nearLeaves(operand).some(isPossible));
  return tokenTests(node, defaultLanguage).length > 0;
}

/** The leaves that make an object match when present (an even number of NOTs), the same in any language. */
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
        found.push({ node, ...rankedBy(node, language), attribute, stop, weight });
      }
    }
  };
  visit(query, undefined, true);
  return found;
}
