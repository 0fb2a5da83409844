import type { Comparison, NearNode, TextLeaf, WordLeaf } from '../syntax/tree.ts';
import { analyse, type Token } from '../words/analysis.ts';
import { typedTerm } from '../words/stop-words.ts';

// A second definition of the meaning of leaves, simple and slow.

export interface Read extends Token {
  readonly written: string;
}

/** The tokens of a text. */
export const read = (text: string): Read[] =>
  analyse(text).map((token) => ({
    ...token,
    written: text.slice(token.start, token.end).replace('\u00ad', '').normalize('NFC'),
  }));

function distance(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return distance(restA, restB);
  return 1 + Math.min(distance(restA, b), distance(a, restB), distance(restA, restB));
}

function isLike(wanted: Read, token: Read, how: Comparison): boolean {
  const isTyped = how.typed === true && typedTerm(wanted.word) !== undefined;
  const form = how.case === true ? 'written' : how.part === true || isTyped ? 'word' : 'term';
  const [own, other] = [[...wanted[form]], [...token[form]]];
  const errors = Math.min(how.errors === 'best' ? 1 : (how.errors ?? 0), own.length - 1);
  if (how.part !== true) return distance(own, other) <= errors;
  for (let from = 0; from <= other.length; from++)
    for (let to = from; to <= other.length; to++)
      if (distance(own, other.slice(from, to)) <= errors) return true;
  return false;
}

type TokenTest = (token: Read) => boolean;

function testsOf(leaf: WordLeaf): TokenTest[] {
  switch (leaf.kind) {
    case 'word':
      return read(leaf.word).map((wanted) => (token: Read) => isLike(wanted, token, leaf));
    case 'phrase':
      return leaf.words.flatMap((word) => testsOf({ ...leaf, kind: 'word', word }));
    case 'sequence':
      return leaf.parts.flatMap(testsOf);
    case 'prefix': {
      const all = read(leaf.prefix);
      const form = leaf.case === true ? 'written' : 'word';
      const how = leaf.case === true ? ({ case: true } as const) : {};
      return all.map((wanted, at) =>
        at < all.length - 1
          ? (token: Read) => isLike(wanted, token, how)
          : (token: Read) => token[form].startsWith(wanted[form]),
      );
    }
  }
}

/** Every run of tokens that is the leaf, as positions of its first and last token. */
function runsOf(leaf: NearNode['operands'][number], tokens: readonly Read[]): [number, number][] {
  if (leaf.kind === 'or') return leaf.operands.flatMap((operand) => runsOf(operand, tokens));
  const tests = testsOf(leaf);
  if (tests.length === 0) return [];
  return tokens.flatMap((_, at): [number, number][] =>
    at + tests.length <= tokens.length && tests.every((holds, index) => holds(tokens[at + index] as Read))
      ? [[at, at + tests.length - 1]]
      : [],
  );
}

/** Whether a leaf is in a text of these tokens. */
export function occurs(leaf: TextLeaf, tokens: readonly Read[]): boolean {
  if (leaf.kind === 'regex') throw new Error('regular expressions have a test of their own');
  if (leaf.kind !== 'near') return runsOf(leaf, tokens).length > 0;
  const [lefts, rights] = leaf.operands.map((operand) => runsOf(operand, tokens)) as [
    [number, number][],
    [number, number][],
  ];
  const between = ([, end]: [number, number], [start]: [number, number]) => start - end - 1;
  return lefts.some((left) =>
    rights.some((right) =>
      [between(left, right), between(right, left)].some((gap) => gap >= 0 && gap <= leaf.distance),
    ),
  );
}
