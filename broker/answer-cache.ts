import { queryAnswered } from './events.ts';
import type { SearchAnswer, SearchParameters, SourceSummary } from './query-manager.ts';

/** Everything that an answer follows from beside what was asked. */
export interface AnswerMoment {
  /** Names one state of the index, the store and the views: it never comes again after another. */
  readonly index: string;
  readonly sources: readonly SourceSummary[];
}

export interface AnswerCacheOptions {
  readonly search: (parameters: SearchParameters) => Promise<SearchAnswer>;
  readonly moment: () => AnswerMoment;
  /** JSON characters of all answers that are kept; each takes about two bytes of memory. Default 8 Mi. */
  readonly maxCharacters?: number;
}

const defaultCharacters = 8 * 1024 * 1024;

/** What is asked in more characters is answered anew each time. */
const longestKey = 1024;

interface Kept {
  readonly answer: SearchAnswer;
  readonly characters: number;
}

/**
 * Answers of one moment: who asks again while nothing has changed gets the same answer without a search. Any change of
 * the index, the store, the views or the sources forgets them all; of too many, those asked least lately go.
 */
export class AnswerCache {
  readonly #options: AnswerCacheOptions;
  readonly #answers = new Map<string, Kept>();
  #moment = '';
  #characters = 0;

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
  }

  /** Answers that are kept, and the JSON characters that they have together. */
  get size(): { readonly answers: number; readonly characters: number } {
    return { answers: this.#answers.size, characters: this.#characters };
  }

  /** The answer to a query as it is now; `tookMs` is what it took this time. */
  async search(parameters: SearchParameters): Promise<SearchAnswer> {
    const { search, moment } = this.#options;
    const key = keyOf(parameters);
    if (key === undefined) return search(parameters);
    const started = performance.now();
    const { index, sources } = moment();
    const told = JSON.stringify(sources);
    const now = `${index} ${told}`;
    if (now !== this.#moment) this.#forget(now);
    const kept = this.#answers.get(key);
    if (kept !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, kept);
      const ms = performance.now() - started;
      queryAnswered.publish({ total: kept.answer.total, ms, words: parameters.q.split(/\s+/).length });
      return { ...kept.answer, tookMs: Math.round(ms * 100) / 100 };
    }
    const answer = await search(parameters);
    const after = moment();
    // What changed meanwhile may be in one half of the answer and not in the other.
    if (this.#moment === now && after.index === index && JSON.stringify(answer.sources) === told)
      this.#keep(key, answer);
    return answer;
  }

  #keep(key: string, answer: SearchAnswer): void {
    const { maxCharacters = defaultCharacters } = this.#options;
    const characters = key.length + JSON.stringify(answer).length;
    if (characters > maxCharacters) return;
    this.#drop(key);
    this.#answers.set(key, { answer, characters });
    this.#characters += characters;
    for (const oldest of this.#answers.keys()) {
      if (this.#characters <= maxCharacters) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#answers.get(key);
    if (kept === undefined) return;
    this.#answers.delete(key);
    this.#characters -= kept.characters;
  }

  #forget(moment: string): void {
    this.#moment = moment;
    this.#answers.clear();
    this.#characters = 0;
  }
}

/** What tells a question from every other; undefined for one that is not worth remembering. */
function keyOf(parameters: SearchParameters): string | undefined {
  // Statistics of other Brokers come with each question, and are large.
  if (parameters.statistics !== undefined) return undefined;
  const key = JSON.stringify(parameters);
  return key.length > longestKey ? undefined : key;
}
