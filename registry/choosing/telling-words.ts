import { Pacing } from '../../kernel/index.ts';
import { isStopWord, type Language, rarity, termOf, termParts } from '../../query/index.ts';
import { type ContentSummary, classOf, classSize, maxSummaryBytes, summaryHead } from './content-summary.ts';

/** What a Broker knows of its objects beside their words. */
export type SummaryFacts = Pick<ContentSummary, 'objects' | 'bytes' | 'languages'>;

/** Max words in memory. The least telling are forgotten when there are more. */
const maxWords = 200_000;
/** Longer words are hashes and addresses. */
const maxLength = 32;
/** Function words of a language are left out from this share of the objects on. */
const spokenShare = 0.05;
const wordsAtOnce = 2048;

/** A stem in its language, without the mark of the language. */
export const stemIn = (word: string, language: Language): string => termParts(termOf(word, language))[1];

/** How much a word tells of a Broker: words of many of its objects, and of few texts elsewhere. */
function tellingBy(language: Language): (stem: string, objects: number) => number {
  const rarityOf = (stem: string) => rarity(language === 'en' ? stem : termOf(stem, language));
  return (stem, objects) => objects * Math.sqrt(rarityOf(stem));
}

type Telling = readonly [stem: string, objects: number, weight: number];

const byWeight = (a: Telling, b: Telling) => b[2] - a[2] || (a[0] < b[0] ? -1 : 1);

/** Make the summary of a Broker out of its vocabulary. Yields to the event loop. */
export async function summarise(
  vocabulary: AsyncIterable<readonly [word: string, objects: number]>,
  facts: SummaryFacts,
  signal?: AbortSignal,
): Promise<ContentSummary> {
  const language = facts.languages[0]?.[0] ?? 'en';
  const spoken = facts.languages.filter(([, objects]) => objects >= spokenShare * facts.objects);
  const weigh = tellingBy(language);
  const weighed = (): Telling[] =>
    Array.from(counts, ([stem, objects]): Telling => [stem, objects, weigh(stem, objects)]).sort(byWeight);
  const pacing = new Pacing(wordsAtOnce);
  let counts = new Map<string, number>();
  let words = 0;
  for await (const [word, objects] of vocabulary) {
    await pacing.pause(1);
    signal?.throwIfAborted();
    if (word.length > maxLength || spoken.some(([one]) => isStopWord(word, one))) continue;
    words += objects;
    const stem = stemIn(word, language);
    counts.set(stem, Math.min(facts.objects, (counts.get(stem) ?? 0) + objects));
    if (counts.size > maxWords)
      counts = new Map(
        weighed()
          .slice(0, maxWords / 2)
          .map(([one, count]) => [one, count]),
      );
  }
  const head = { ...facts, words: Math.min(words, Number.MAX_SAFE_INTEGER) };
  return { ...head, terms: fitting(weighed(), maxSummaryBytes(facts.bytes) - summaryHead(head).length) };
}

/** The first words that fit, with their numbers in classes. */
function fitting(telling: readonly Telling[], bytes: number): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  const classes = new Set<number>();
  let left = bytes;
  for (const [stem, objects] of telling) {
    const half = classOf(objects);
    left -= 1 + Buffer.byteLength(stem) + (classes.has(half) ? 0 : 1 + String(half).length);
    if (left < 0) break;
    classes.add(half);
    terms.set(stem, classSize(half));
  }
  return terms;
}
