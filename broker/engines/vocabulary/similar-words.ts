import { editsBetween, termsIn } from '../../../query/index.ts';
import { allField } from '../index-database/index-fields.ts';
import type { SimilarWord, WordKnowledge } from '../model/search-engine.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import { type IndexedWords, offeredWords, wordBlocks } from './completion.ts';

// Each further edit requires this many times the objects.
const timesPerEdit = 30;
// Shorter words are too often names, acronyms or words of another language.
const minWordLength = 5;
const maxWordLength = 32;
// Min length for two edits.
const twoEditsFrom = 7;
// Mistakes after these letters are searched for among the words that share them; earlier ones are tried one
// by one.
const exactLetters = 2;
const maxWordsLookedAt = 20_000;
const maxCounted = 24;

const alphabets: readonly (readonly [RegExp, string])[] = [
  [/^[a-z0-9]+$/, 'abcdefghijklmnopqrstuvwxyz'],
  [/^\p{Script=Greek}+$/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/^\p{Script=Cyrillic}+$/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюя'],
];

/** Every word that one edit among the first letters makes, in scripts with a known alphabet. */
function* earlyEdits(word: string): Generator<string> {
  const letters = alphabets.find(([script]) => script.test(word))?.[1] ?? '';
  for (let at = 0; at <= exactLetters; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) {
      yield head + letter + tail;
      if (at < exactLetters) yield head + letter + tail.slice(1);
    }
    if (at === exactLetters) return;
    yield head + tail.slice(1);
    if (tail.length > 1) yield head + tail[1] + tail[0] + tail.slice(2);
  }
}

/** Whether some segment has the word as written. A term alone may be the stem of another. */
async function isWritten({ database, segments }: IndexedWords, word: string): Promise<boolean> {
  for (const segment of segments)
    for await (const block of wordBlocks(database, segment, word))
      if (offeredWords(block).some(([other]) => other === word)) return true;
  return false;
}

/** The number of living objects with a word, each in its own language. Stops counting above `enough`. */
async function objectsWith(
  word: string,
  { languages, isAlive }: IndexedWords,
  reader: PostingReader,
  enough = Number.POSITIVE_INFINITY,
): Promise<number> {
  const lists = await Promise.all(
    termsIn(word, languages).map((term) => reader.held(allField, term) ?? reader.postings(allField, term)),
  );
  let objects = 0;
  // No object is in two languages, so none is in two of the lists.
  for (const { docnos } of lists)
    for (const docno of docnos) {
      if (!isAlive(docno)) continue;
      objects++;
      if (objects > enough) return objects;
    }
  return objects;
}

/** Words of the index that one edit among the first letters makes. */
async function knownEarlyEdits(words: IndexedWords, reader: PostingReader, word: string): Promise<string[]> {
  const candidates = [...new Set(earlyEdits(word))]
    .filter((other) => other !== word)
    .map((other) => ({ other, terms: termsIn(other, words.languages) }));
  const present = await reader.present(
    allField,
    candidates.flatMap(({ terms }) => terms),
  );
  const written: string[] = [];
  for (const { other, terms } of candidates)
    if (
      terms.some((term) => present.has(term)) &&
      (await objectsWith(other, words, reader)) > 0 &&
      (await isWritten(words, other))
    )
      written.push(other);
  return written;
}

interface Near {
  readonly edits: number;
  /** From the counts in the blocks of words: an estimate that needs no further reading. */
  objects: number;
}

/** Words with the same beginning, few edits away. */
async function lateEdits({ database, segments }: IndexedWords, word: string): Promise<Map<string, Near>> {
  const max = word.length >= twoEditsFrom ? 2 : 1;
  const prefix = [...word].slice(0, exactLetters).join('');
  const found = new Map<string, Near>();
  let seen = 0;
  for (const segment of segments) {
    for await (const block of wordBlocks(database, segment, prefix)) {
      const counts = offeredWords(block);
      for (const [other, objects] of counts) {
        if (other === word || !other.startsWith(prefix)) continue;
        const known = found.get(other);
        if (known !== undefined) known.objects += objects;
        else {
          const edits = editsBetween(word, other, max);
          if (edits !== undefined) found.set(other, { edits, objects });
        }
      }
      seen += counts.length;
      if (seen >= maxWordsLookedAt) return found;
    }
  }
  return found;
}

const worth = ({ objects, edits }: Near) => objects / timesPerEdit ** edits;

/**
 * The number of objects with a normalised word (at most 2) and, when there are none, the words that may have been meant:
 * up to two edits away after the first two letters, one within them. Reads some 20,000 words at most.
 */
export async function lookUpWord(
  words: IndexedWords,
  reader: PostingReader,
  word: string,
  limit: number,
): Promise<WordKnowledge> {
  const objectsOf = (other: string) => objectsWith(other, words, reader);
  const formsOf = (other: string) => termsIn(other, words.languages).join(' ');
  const objects = await objectsWith(word, words, reader, 1);
  const isLikelyMistake =
    objects === 0 && word.length >= minWordLength && word.length <= maxWordLength && /^\p{L}+$/u.test(word);
  if (!isLikelyMistake) return { objects, similar: [] };
  const near = await lateEdits(words, word);
  for (const other of await knownEarlyEdits(words, reader, word))
    near.set(other, { edits: 1, objects: await objectsOf(other) });
  const best = [...near].sort((a, b) => worth(b[1]) - worth(a[1]) || (a[0] < b[0] ? -1 : 1));
  const byForms = new Map<string, SimilarWord>();
  for (const [other, { edits }] of best.slice(0, maxCounted)) {
    const forms = formsOf(other);
    // Another form of the same word finds the same objects.
    if (forms === formsOf(word) || byForms.has(forms)) continue;
    byForms.set(forms, { word: other, objects: await objectsOf(other), edits });
  }
  const similar = [...byForms.values()]
    .filter((one) => one.objects > 0)
    .sort((a, b) => worth(b) - worth(a) || (a.word < b.word ? -1 : 1))
    .slice(0, limit);
  return { objects, similar };
}
