import { hasToken } from '../words/index.ts';
import type { Comparison, PhraseNode, PrefixNode, SequenceNode, WordNode } from './tree.ts';

const lastMark = /(?:~(\d{1,2}|best)?|(\*+))$/;

/** The mark behind a word in query text: its errors, or a star for a prefix. */
export type WordMark = { readonly errors: number | 'best' } | 'star';

/** A word and the last mark behind it (`~`, `~2`, `~best`, `*`). A token precedes the mark. */
export function splitMark(text: string): { readonly word: string; readonly mark: WordMark | undefined } {
  let word = text;
  for (let shorter = withoutMark(word); shorter !== word && hasToken(shorter); shorter = withoutMark(word))
    word = shorter;
  return { word, mark: word === text ? undefined : markOf(text) };
}

const withoutMark = (text: string) => text.replace(lastMark, '');

export function markOf(text: string): WordMark | undefined {
  const found = lastMark.exec(text);
  if (found === null) return undefined;
  const [, errors, star] = found;
  if (star !== undefined) return 'star';
  return { errors: errors === undefined ? 1 : errors === 'best' ? errors : Number(errors) };
}

/** The errors of a word in query text; '' when they are not set. */
export const errorMark = ({ errors }: Comparison) => (errors === undefined ? '' : `~${errors}`);

const sameComparison = (a: WordNode, b: WordNode) =>
  a.case === b.case && a.part === b.part && a.errors === b.errors && a.typed === b.typed;

/**
 * Adjacent words: a plain phrase when all are words compared in the same way. A part without a token takes
 * the comparison of the others, or no errors where they differ.
 */
export function phraseOf(
  all: readonly (WordNode | PrefixNode)[],
): WordNode | PrefixNode | PhraseNode | SequenceNode {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const parts = all.map(withoutIdleStar);
  const first = parts.find(holdsToken) ?? only;
  const words: string[] = [];
  for (const part of parts) {
    if (part.kind !== 'word' || first?.kind !== 'word' || (holdsToken(part) && !sameComparison(part, first)))
      return { kind: 'sequence', parts: parts.map(withoutIdleErrors) };
    words.push(part.word);
  }
  if (first?.kind !== 'word') return { kind: 'phrase', words };
  const { kind: _kind, word: _word, ...comparison } = first;
  return { kind: 'phrase', words, ...comparison };
}

const holdsToken = (part: WordNode | PrefixNode) => hasToken(part.kind === 'word' ? part.word : part.prefix);

/** A part without a token is not a prefix. */
function withoutIdleStar(part: WordNode | PrefixNode): WordNode | PrefixNode {
  if (part.kind === 'word' || holdsToken(part)) return part;
  const { prefix: word, ...rest } = part;
  return { ...rest, kind: 'word', word };
}

function withoutIdleErrors(part: WordNode | PrefixNode): WordNode | PrefixNode {
  if (part.kind === 'prefix' || holdsToken(part)) return part;
  const { errors: _errors, typed: _typed, ...rest } = part;
  return rest;
}
