import { isGarnerError } from '../../kernel/index.ts';
import { queryErrors } from '../errors.ts';
import { Regex, StepBudget } from '../regex/index.ts';
import { type TextLeaf, tokenTests } from '../syntax/index.ts';
import { defaultLanguage, type Language, type TextMatcher, type TextVisitor } from '../words/index.ts';
import { NearMatcher } from './near-matcher.ts';
import { TokenMatcher } from './token-matcher.ts';

/** A matcher for one leaf in texts of a language; expressions spend from `budget`. Throws QUERY_REGEX. */
export function matcherOf(
  leaf: TextLeaf,
  language: Language = defaultLanguage,
  budget?: StepBudget,
): TextMatcher {
  switch (leaf.kind) {
    case 'near':
      return new NearMatcher(leaf, language);
    case 'regex':
      return new Regex(leaf.pattern, { case: leaf.case === true, budget });
    default:
      return new TokenMatcher([tokenTests(leaf, language)], language);
  }
}

/** Budget of expressions that mark matches. It is smaller, since a match without a mark is still a match. */
const markingSteps = 2_000_000;

/** A matcher that finds nothing more after the expression has spent its budget. */
function untilSpent(matcher: TextMatcher): TextMatcher {
  const tried = <Result>(task: () => Result): Result | undefined => {
    try {
      return task();
    } catch (error) {
      if (isGarnerError(error, queryErrors.QUERY_COSTLY)) return undefined;
      throw error;
    }
  };
  return {
    test: (text) => tried(() => matcher.test(text)) ?? false,
    search: (text, visit: TextVisitor) => tried(() => matcher.search(text, visit)),
  };
}

/**
 * Matchers for several leaves at once, in as few passes over a text as possible; `leaves` are indexes into
 * the given ones. An expression that costs too much ends early. Throws QUERY_REGEX.
 */
export function matchersOf(
  leaves: readonly TextLeaf[],
  language: Language = defaultLanguage,
): { readonly leaves: readonly number[]; readonly matcher: TextMatcher }[] {
  const runs: number[] = [];
  const others: number[] = [];
  for (const [index, { kind }] of leaves.entries())
    (kind === 'near' || kind === 'regex' ? others : runs).push(index);
  const budget = new StepBudget(markingSteps);
  const made = others.map((index) => ({
    leaves: [index],
    matcher: untilSpent(matcherOf(leaves[index] as TextLeaf, language, budget)),
  }));
  if (runs.length === 0) return made;
  const tests = runs.flatMap((index) => {
    const leaf = leaves[index] as TextLeaf;
    return leaf.kind === 'near' || leaf.kind === 'regex' ? [] : [tokenTests(leaf, language)];
  });
  return [{ leaves: runs, matcher: new TokenMatcher(tests, language) }, ...made];
}
