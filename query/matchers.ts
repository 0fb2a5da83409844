import { NearMatcher } from './near-matcher.ts';
import { Regex } from './regex/index.ts';
import type { TextMatcher } from './text-matcher.ts';
import { TokenMatcher } from './token-matcher.ts';
import { tokenTests } from './token-test.ts';
import type { TextLeaf } from './tree.ts';

/** A matcher for one leaf. Throws QUERY_REGEX. */
export function matcherOf(leaf: TextLeaf): TextMatcher {
  switch (leaf.kind) {
    case 'near':
      return new NearMatcher(leaf);
    case 'regex':
      return new Regex(leaf.pattern, leaf);
    default:
      return new TokenMatcher([tokenTests(leaf)]);
  }
}

/**
 * Matchers for several leaves at once, in as few passes over a text as can be: the leaf that a matcher tells its
 * visitor is an index into its `leaves`, which are indexes into those given. Throws QUERY_REGEX.
 */
export function matchersOf(
  leaves: readonly TextLeaf[],
): { readonly leaves: readonly number[]; readonly matcher: TextMatcher }[] {
  const runs: number[] = [];
  const others: number[] = [];
  for (const [index, { kind }] of leaves.entries())
    (kind === 'near' || kind === 'regex' ? others : runs).push(index);
  const made = others.map((index) => ({ leaves: [index], matcher: matcherOf(leaves[index] as TextLeaf) }));
  if (runs.length === 0) return made;
  const tests = runs.flatMap((index) => {
    const leaf = leaves[index] as TextLeaf;
    return leaf.kind === 'near' || leaf.kind === 'regex' ? [] : [tokenTests(leaf)];
  });
  return [{ leaves: runs, matcher: new TokenMatcher(tests) }, ...made];
}

/**
 * Pieces of normalised words, of which every text that a regular expression matches holds at least one inside a token
 * (one that was cut at `maxWordLength` aside); undefined when none can be told. Throws QUERY_REGEX.
 */
export function regexFragments(leaf: Extract<TextLeaf, { kind: 'regex' }>): readonly string[] | undefined {
  return new Regex(leaf.pattern, leaf).wordFragments();
}
