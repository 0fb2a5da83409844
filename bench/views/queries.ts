import type { Random } from '../../kernel/index.ts';
import { isStopWord } from '../../query/index.ts';
import type { JudgedDocument } from '../levels/relevance/collection.ts';

/** A kind of query that people let stand, and how many of a hundred are of it. */
type Maker = (from: Words, other: Words, pick: (words: readonly string[]) => string) => string;

interface Words {
  readonly title: readonly string[];
  readonly text: readonly string[];
}

const makers: readonly (readonly [share: number, make: Maker])[] = [
  [25, ({ title }, _, pick) => `${pick(title)} ${pick(title)}`],
  [20, ({ title }, _, pick) => `${pick(title)} ${pick(title)} ${pick(title)}`],
  [20, ({ text }, _, pick) => `${pick(text)} ${pick(text)} ${pick(text)}`],
  [10, ({ title }, _, pick) => `Title: ${pick(title)} AND ${pick(title)}`],
  [10, ({ title }) => `"${title.slice(0, 2).join(' ')}"`],
  [5, ({ title }, other, pick) => `(${pick(title)} OR ${pick(other.title)}) AND ${pick(title)}`],
  [5, ({ title }, other, pick) => `${pick(title)} ${pick(title)} -${pick(other.text)}`],
  [3, ({ text }, _, pick) => pick(text)],
  [2, ({ title }, other, pick) => `${pick(title)} OR ${pick(other.title)}`],
];

function wordsIn(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).filter((word) => !isStopWord(word));
}

/** So many queries of words that stand together in these documents, all of them different. */
export function standingQueries(
  documents: readonly JudgedDocument[],
  count: number,
  random: Random,
): readonly string[] {
  const words = documents
    .map(({ title, text }): Words => ({ title: wordsIn(title), text: wordsIn(text) }))
    .filter(({ title, text }) => title.length > 1 && text.length > 2);
  const any = <Item>(items: readonly Item[]) => items[Math.floor(random.next() * items.length)] as Item;
  // By how much of a hundred goes to the makers up to it.
  const upTo = makers.map(([share]) => share);
  for (let i = 1; i < upTo.length; i++) upTo[i] = (upTo[i] as number) + (upTo[i - 1] as number);
  const made = new Set<string>();
  // Phrases run out, so that others take their place.
  for (let tries = 0; made.size < count && tries < 20 * count; tries++) {
    const at = random.next() * 100;
    const [, make] = makers[upTo.findIndex((end) => at < end)] as (typeof makers)[number];
    const taken = new Set<string>();
    // No word twice in a query, where there is another.
    const pick = (words: readonly string[]) => {
      const left = words.filter((word) => !taken.has(word));
      const word = any(left.length === 0 ? words : left);
      taken.add(word);
      return word;
    };
    made.add(make(any(words), any(words), pick));
  }
  return [...made];
}
