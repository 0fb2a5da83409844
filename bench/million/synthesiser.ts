import type { Random } from '../../kernel/index.ts';
import type { DocumentationPage } from '../material/documentation.ts';

/** The growth of a vocabulary with the tokens of a text: about `k` · tokens^`beta` distinct words (Heaps' law). */
export interface Growth {
  readonly k: number;
  readonly beta: number;
}

const word = /\p{L}[\p{L}\p{N}]*/gu;
const wordsOf = (text: string) => text.toLowerCase().match(word) ?? [];

/** Fit the growth to texts in the given order, from the words of a quarter of them and of all. */
export function growthOf(texts: readonly string[]): Growth {
  const seen = new Set<string>();
  const points: (readonly [tokens: number, words: number])[] = [];
  let tokens = 0;
  for (const [index, text] of texts.entries()) {
    for (const one of wordsOf(text)) {
      seen.add(one);
      tokens++;
    }
    if (index + 1 === Math.ceil(texts.length / 4) || index + 1 === texts.length)
      points.push([tokens, seen.size]);
  }
  const [[n1, v1], [n2, v2]] = [points[0] ?? [1, 1], points.at(-1) ?? [1, 1]];
  const beta = n2 > n1 ? Math.log(v2 / v1) / Math.log(n2 / n1) : 0.5;
  return { beta, k: v2 / n2 ** beta };
}

/** The words that occur in only one text: a larger collection has other ones. */
function rareWords(texts: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const one of new Set(wordsOf(text))) counts.set(one, (counts.get(one) ?? 0) + 1);
  return new Set([...counts].filter(([one, count]) => count === 1 && one.length >= 4).map(([one]) => one));
}

const newWordShare = 0.5;

/**
 * Makes any number of objects from real ones. Each has the length of a random real one, sentences of all of them, and
 * a title of two real titles' halves. Coined words, each made of the halves of two rare words, replace rare words, so
 * that the vocabulary keeps growing like that of the real ones. The objects have the word frequencies of the real
 * texts and none of their topics. The same pages and `random` give the same objects.
 */
export class Synthesiser {
  readonly #pages: readonly DocumentationPage[];
  readonly #sentences: readonly string[];
  readonly #rare: ReadonlySet<string>;
  readonly #rareList: readonly string[];
  readonly #growth: Growth;
  readonly #random: Random;
  /** Words of the real texts. */
  readonly #real: number;
  readonly #coined: string[] = [];
  readonly #known: Set<string>;
  #tokens = 0;

  /** Throws TypeError when the pages hold no sentence. */
  constructor(pages: readonly DocumentationPage[], random: Random) {
    const texts = pages.map(({ text }) => text);
    this.#pages = pages;
    this.#random = random;
    this.#sentences = texts
      .flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/))
      .filter((one) => one.trim() !== '');
    if (this.#sentences.length === 0) throw new TypeError('the pages hold no sentence');
    this.#rare = rareWords(texts);
    this.#rareList = [...this.#rare];
    this.#growth = growthOf(texts);
    this.#known = new Set(texts.flatMap(wordsOf));
    this.#real = this.#known.size;
  }

  /** The number of coined words so far. */
  get coined(): number {
    return this.#coined.length;
  }

  get growth(): Growth {
    return this.#growth;
  }

  /** The next object, under a URL with its number. */
  page(number: number): DocumentationPage {
    const like = this.#pick(this.#pages);
    const sentences: string[] = [];
    for (let length = 0; length < like.text.length; ) {
      const room = like.text.length - length;
      const sentence = this.#pick(this.#sentences).slice(0, room);
      sentences.push(sentence);
      length += sentence.length + 1;
    }
    const title = `${half(like.title, 0)} ${half(this.#pick(this.#pages).title, 1)}`.trim();
    const text = this.#grown(sentences.join('\n'));
    return { url: `http://objects.example.org/${number}`, title, text };
  }

  /** The text with rare words replaced while the vocabulary is behind its growth. */
  #grown(text: string): string {
    this.#tokens += wordsOf(text).length;
    const wanted = this.#growth.k * this.#tokens ** this.#growth.beta - this.#real;
    if (this.#rareList.length < 2 || wanted < 1) return text;
    return text.replace(word, (one) => {
      if (!this.#rare.has(one.toLowerCase())) return one;
      if (this.#coined.length < wanted) return this.#coin();
      // A coined word occurs again, as rare words do.
      return this.#coined.length > 0 && this.#random.next() < newWordShare ? this.#pick(this.#coined) : one;
    });
  }

  #coin(): string {
    const joined = half(this.#pick(this.#rareList), 0) + half(this.#pick(this.#rareList), 1);
    const made = this.#known.has(joined) ? `${joined}${this.#coined.length.toString(36)}` : joined;
    this.#known.add(made);
    this.#coined.push(made);
    return made;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random.next() * items.length)] as Item;
  }
}

/** One half of a word, or of a title's words. */
function half(text: string, which: 0 | 1): string {
  const words = text.split(/\s+/);
  if (words.length > 1) {
    const middle = Math.ceil(words.length / 2);
    return (which === 0 ? words.slice(0, middle) : words.slice(middle)).join(' ');
  }
  const middle = Math.ceil(text.length / 2);
  return which === 0 ? text.slice(0, middle) : text.slice(middle);
}
