import type { Random } from '../../kernel/index.ts';

/** Max and min length of a word: others are identifiers or the letters of an index page. */
const word = /\p{L}[\p{L}\p{N}]{2,30}/gu;

/** Words that every engine reads the same way: some need a setting for other letters. */
const plain = /^[a-z][a-z0-9]+$/;

/** Words that are an operator of some engine. */
const operators: ReadonlySet<string> = new Set(['and', 'or', 'not', 'near']);

const wordsOf = (title: string) =>
  (title.toLowerCase().match(word) ?? []).filter((one) => plain.test(one) && !operators.has(one));

/** Max words of a query. */
const maxWords = 3;

/** Distinct adjacent words of a title, which are therefore a phrase too; undefined when there are too few. */
function adjacentWords(title: string, count: number, random: Random): string[] | undefined {
  const words = wordsOf(title);
  const starts = Array.from({ length: Math.max(0, words.length - count + 1) }, (_, at) => at).filter(
    (at) => new Set(words.slice(at, at + count)).size === count,
  );
  const start = starts[Math.floor(random.next() * starts.length)];
  return start === undefined ? undefined : words.slice(start, start + count);
}

/**
 * Queries of one, two and three words from titles, in turn; distinct as long as the titles have more. The same for
 * the same titles and `random`. Throws TypeError when no title has three words.
 */
export function titleQueries(titles: readonly string[], count: number, random: Random): string[][] {
  const usable = titles.filter((title) => wordsOf(title).length >= maxWords);
  if (usable.length === 0) throw new TypeError('no title has three words');
  const queries: string[][] = [];
  const seen = new Set<string>();
  for (let tries = 0; queries.length < count && tries < 50 * count; tries++) {
    const title = usable[Math.floor(random.next() * usable.length)] as string;
    const words = adjacentWords(title, 1 + (queries.length % maxWords), random);
    const key = words?.join(' ') ?? '';
    if (words === undefined || (seen.has(key) && tries < 25 * count)) continue;
    seen.add(key);
    queries.push(words);
  }
  return queries;
}

/** Distinct queries of two words from anywhere in the titles. */
export function twoWordQueries(titles: readonly string[], count: number, random: Random): string[] {
  const words = [...new Set(titles.flatMap(wordsOf))];
  if (words.length < 2 || count > (words.length * (words.length - 1)) / 2)
    throw new TypeError(`${words.length} words of titles make no ${count} queries`);
  const pick = () => words[Math.floor(random.next() * words.length)] as string;
  const queries = new Set<string>();
  while (queries.size < count) {
    const [first, second] = [pick(), pick()];
    if (first !== second) queries.add(`${first} ${second}`);
  }
  return [...queries];
}
