import {
  distanceWithin,
  isLoneCharacter,
  type Language,
  scanWords,
  stemOf,
  termOf,
  typedTerm,
} from '../words/index.ts';
import { bestWithoutStore, type Comparison, type PhraseNode, type WordLeaf, type WordNode } from './tree.ts';

/** The compared form of a token: its stem in the text's language, its normalised word, or as written. */
export type TokenForm = 'term' | 'word' | 'written';

export interface TokenTest {
  readonly form: TokenForm;
  readonly text: string;
  /** Of the form `term`: the whole term, as an index has it. */
  readonly term?: string;
  /** Of a whole word without errors: the term of its typed form, where that has one. */
  readonly own?: string;
  /** Where `text` is in the token's form: all of it, its beginning, or anywhere in it. */
  readonly place: 'whole' | 'beginning' | 'inside';
  /** Insertions, deletions and substitutions of characters that are allowed; 0 for a beginning. */
  readonly errors: number;
}

const joiners = /\u00ad|\u200c|\u200d|\u2060/g;

/** A token as it is compared with regard to case: as written, but in NFC, without soft hyphens and joiners. */
export const writtenForm = (text: string) => text.replace(joiners, '').normalize('NFC');

/** The form of tokens that a comparison looks at. */
export const formOf = ({ case: exact, part }: Comparison): TokenForm =>
  exact === true ? 'written' : part === true ? 'word' : 'term';

function testsOfWord(text: string, comparison: Comparison, language: Language): TokenTest[] {
  const form = formOf(comparison);
  const wanted = comparison.errors === 'best' ? bestWithoutStore : (comparison.errors ?? 0);
  const tests: TokenTest[] = [];
  scanWords(text, (word, _, start, end) => {
    const own =
      form === 'term' ? stemOf(word, language) : form === 'word' ? word : writtenForm(text.slice(start, end));
    const errors = wanted === 0 ? 0 : Math.min(wanted, [...own].length - 1);
    const place = comparison.part === true ? 'inside' : 'whole';
    const typed = form === 'term' && errors === 0 ? typedTerm(word) : undefined;
    const terms = {
      ...(form === 'term' && { term: termOf(word, language) }),
      ...(typed !== undefined && { own: typed }),
    };
    if (comparison.typed === true && typed !== undefined)
      tests.push({ form: 'word', text: word, ...terms, place, errors });
    else tests.push({ form, text: own, ...terms, place, errors });
    return false;
  });
  return tests;
}

/** Whether a word is searched inside of tokens: it says so, or is one character of Chinese or the like. */
export function isPartOfWord(leaf: WordNode | PhraseNode): boolean {
  if (leaf.part === true || leaf.case === true || (leaf.errors ?? 0) !== 0) return leaf.part === true;
  return isLoneCharacter(leaf.kind === 'word' ? leaf.word : leaf.words.join(' '));
}

/** The tests by which a run of tokens matches this leaf, one a token. Empty: nothing can match. */
export function tokenTests(leaf: WordLeaf, language: Language): TokenTest[] {
  switch (leaf.kind) {
    case 'word':
      return testsOfWord(leaf.word, isPartOfWord(leaf) ? { ...leaf, part: true } : leaf, language);
    case 'phrase':
      return testsOfWord(leaf.words.join(' '), isPartOfWord(leaf) ? { ...leaf, part: true } : leaf, language);
    case 'prefix': {
      const exact = leaf.case === true ? ({ case: true } as const) : {};
      const tests = testsOfWord(leaf.prefix, exact, language);
      const beginning = testsOfWord(leaf.prefix, { ...exact, part: true }, language).at(-1);
      return beginning === undefined ? [] : [...tests.slice(0, -1), { ...beginning, place: 'beginning' }];
    }
    case 'sequence':
      return leaf.parts.flatMap((part) => tokenTests(part, language));
  }
}

/** Whether a token's form passes a test. Takes time in the product of two words' lengths. */
export function passes(form: string, { text, place, errors }: TokenTest): boolean {
  if (errors > 0) return distanceWithin(text, form, errors, place === 'inside');
  if (place === 'whole') return form === text;
  return place === 'beginning' ? form.startsWith(text) : form.includes(text);
}
