import type { Language } from '../../query/index.ts';
import { type ContentSummary, classOf, classSize } from './content-summary.ts';
import { type QueryWord, queryWords } from './query-words.ts';

/** A Broker for a query, by the words that its summary shares with it. */
export interface RankedServer {
  readonly id: string;
  /** 0: its summary has no word of the query. */
  readonly score: number;
}

/** A Broker as the selector has it in memory. */
interface Held {
  readonly id: string;
  readonly slot: number;
  readonly objects: number;
  readonly words: number;
  readonly language: Language;
}

// The saturation of a word's number of objects, and how much of it goes by the Broker's size: measured by
// `npm run bench -- federation`.
const saturation = 20;
const bySize = 0.75;

/** A posting is the slot of a Broker times this, plus a class. */
const classes = 128;
/** Beyond this number of words of all Brokers together, those of a Broker are cut. */
const maxPostings = 8_000_000;
const alwaysTaken = 500;

/**
 * Ranks Brokers for a query by their content summaries. Each word of the query counts by its rarity over the
 * Brokers, and by the number of a Broker's objects that have it, which saturates: the BM25 of a collection whose
 * documents are Brokers. Each Broker has one voice in a word's rarity, whatever number of objects it claims.
 */
export class ServerSelector {
  readonly #held = new Map<string, Held>();
  readonly #slots: (Held | undefined)[] = [];
  /** By language and stem. */
  #postings = new Map<string, number[]>();
  #count = 0;
  #usualWords: number | undefined;

  get size(): number {
    return this.#held.size;
  }

  /** Take a Broker's summary in the place of its former one. */
  put(id: string, { objects, words, languages, terms }: ContentSummary): void {
    this.delete(id);
    const slot = this.#slots.length;
    const language = languages[0]?.[0] ?? 'en';
    const held = { id, slot, objects, words, language };
    this.#held.set(id, held);
    this.#slots.push(held);
    let room = Math.max(alwaysTaken, Math.floor((maxPostings - this.#count) / 100));
    for (const [term, count] of terms) {
      if (room-- === 0) break;
      const key = keyOf(language, term);
      const posting = slot * classes + classOf(count);
      const known = this.#postings.get(key);
      if (known === undefined) this.#postings.set(key, [posting]);
      else known.push(posting);
      this.#count++;
    }
    this.#usualWords = undefined;
  }

  delete(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    this.#slots[held.slot] = undefined;
    this.#usualWords = undefined;
    if (this.#slots.length > 2 * this.#held.size + 1000) this.#compact();
  }

  /** All Brokers with a summary, the best for the query first. Throws the errors of `parseQuery`. */
  rank(query: string): readonly RankedServer[] {
    const spoken = new Set(Array.from(this.#held.values(), ({ language }) => language));
    const scores = new Map<number, number>();
    for (const word of queryWords(query, spoken)) this.#add(word, scores);
    const scoreOf = ({ slot }: Held) => scores.get(slot) ?? 0;
    return [...this.#held.values()]
      .sort((a, b) => scoreOf(b) - scoreOf(a) || b.objects - a.objects || (a.id < b.id ? -1 : 1))
      .map((held) => ({ id: held.id, score: scoreOf(held) }));
  }

  #add(word: QueryWord, scores: Map<number, number>): void {
    const found: { readonly held: Held; readonly count: number }[] = [];
    let shares = 0;
    for (const [language, stem] of word)
      for (const posting of this.#postings.get(keyOf(language, stem)) ?? []) {
        const held = this.#slots[Math.floor(posting / classes)];
        if (held === undefined) continue;
        const count = Math.min(held.objects, classSize(posting % classes));
        shares += count / held.objects;
        found.push({ held, count });
      }
    const weight = Math.log(1 + this.#held.size / shares) ** 2;
    for (const { held, count } of found) {
      const size = 1 - bySize + (bySize * held.words) / this.#usual();
      const score = (weight * count) / (count + saturation * size);
      scores.set(held.slot, (scores.get(held.slot) ?? 0) + score);
    }
  }

  /** The median of the Brokers' numbers of words: one that lies does not move it. */
  #usual(): number {
    if (this.#usualWords === undefined) {
      const all = Float64Array.from(this.#held.values(), ({ words }) => words).sort();
      this.#usualWords = Math.max(1, all[Math.floor(all.length / 2)] ?? 1);
    }
    return this.#usualWords;
  }

  /** Forget the postings of Brokers that are gone. */
  #compact(): void {
    const numbers = new Map<number, number>();
    const living = this.#slots.filter((held) => held !== undefined);
    this.#slots.length = 0;
    for (const held of living) {
      numbers.set(held.slot, this.#slots.length);
      const moved = { ...held, slot: this.#slots.length };
      this.#slots.push(moved);
      this.#held.set(held.id, moved);
    }
    const postings = new Map<string, number[]>();
    this.#count = 0;
    for (const [key, all] of this.#postings) {
      const kept = all.flatMap((posting) => {
        const slot = numbers.get(Math.floor(posting / classes));
        return slot === undefined ? [] : [slot * classes + (posting % classes)];
      });
      if (kept.length > 0) postings.set(key, kept);
      this.#count += kept.length;
    }
    this.#postings = postings;
  }
}

const keyOf = (language: Language, stem: string) => `${language} ${stem}`;
