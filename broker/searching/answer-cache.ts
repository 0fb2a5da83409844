import { queryAnswered } from '../events.ts';
import type { SearchAnswer, SearchParameters, SourceSummary } from './search-answer.ts';
import type { SearchLog } from './search-log.ts';

/** Everything that an answer follows from beside what was asked. */
export interface AnswerMoment {
  /** Names one state of the index, the store and the views: it never comes again after another. */
  readonly index: string;
  readonly sources: readonly SourceSummary[];
}

export interface AnswerCacheOptions {
  readonly search: (parameters: SearchParameters, signal?: AbortSignal) => Promise<SearchAnswer>;
  readonly moment: () => AnswerMoment;
  /** Told of what is answered again; who searches tells it of the rest. */
  readonly log?: Pick<SearchLog, 'record'>;
  /** JSON characters of all answers that are kept; each takes about two bytes of memory. Default 8 Mi. */
  readonly maxCharacters?: number;
}

const defaultCharacters = 8 * 1024 * 1024;

const timeName = '"tookMs":';

/** What is asked in more characters is answered anew each time. */
const maxKeyLength = 1024;

interface Kept {
  readonly answer: SearchAnswer;
  /** Its JSON text, before and after the time that it took. */
  readonly head: string;
  readonly tail: string;
  readonly characters: number;
}

/** An answer with its JSON text where it is there already. */
export interface AnswerResponse {
  readonly json: SearchAnswer;
  readonly jsonText?: string;
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
  async search(parameters: SearchParameters, signal?: AbortSignal): Promise<SearchAnswer> {
    return (await this.response(parameters, signal)).json;
  }

  /** The same for who sends it as JSON. */
  async response(parameters: SearchParameters, signal?: AbortSignal): Promise<AnswerResponse> {
    const { search, moment } = this.#options;
    const key = keyOf(parameters);
    if (key === undefined) return { json: await search(parameters, signal) };
    const started = performance.now();
    const { index, sources } = moment();
    const told = JSON.stringify(sources);
    const now = `${index} ${told}`;
    if (now !== this.#moment) this.#forget(now);
    const kept = this.#answers.get(key);
    if (kept !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, kept);
      const { total, corrected, relaxed } = kept.answer;
      if (parameters.offset === 0 && parameters.limit > 0)
        this.#options.log?.record(parameters.q, corrected !== null || relaxed ? 0 : total);
      return again(kept, performance.now() - started);
    }
    const answer = await search(parameters, signal);
    // Of a moment that has passed; sources may come back to what they were.
    if (this.#moment !== now || JSON.stringify(answer.sources) !== told) return { json: answer };
    return { json: answer, jsonText: this.#keep(key, answer) };
  }

  /** Resolves to the answer's JSON text. */
  #keep(key: string, answer: SearchAnswer): string {
    const { maxCharacters = defaultCharacters } = this.#options;
    const text = JSON.stringify(answer);
    const characters = key.length + text.length;
    if (characters > maxCharacters) return text;
    this.#drop(key);
    // Within a text the quotes of such a name would be escaped.
    const at = text.indexOf(timeName) + timeName.length;
    const tail = text.slice(at + String(answer.tookMs).length);
    this.#answers.set(key, { answer, head: text.slice(0, at), tail, characters });
    this.#characters += characters;
    for (const oldest of this.#answers.keys()) {
      if (this.#characters <= maxCharacters) break;
      this.#drop(oldest);
    }
    return text;
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

function again({ answer, head, tail }: Kept, ms: number): AnswerResponse {
  const { total, query } = answer;
  queryAnswered.publish({ total, ms, words: query.split(/\s+/).length });
  const tookMs = Math.round(ms * 100) / 100;
  return { json: { ...answer, tookMs }, jsonText: `${head}${tookMs}${tail}` };
}

/** An age in a query, which is another time with each question. */
const age = /\d[hdwy](?![\p{L}\p{N}])/u;

/** What tells a question from every other; undefined for one that is not worth remembering. */
function keyOf(parameters: SearchParameters): string | undefined {
  // Statistics of other Brokers come with each question, and are large.
  if (parameters.statistics !== undefined) return undefined;
  // A cursor leads to another part of its list each time that one is frozen.
  if (parameters.cursor !== undefined) return undefined;
  if (age.test(parameters.q)) return undefined;
  const key = JSON.stringify(parameters);
  return key.length > maxKeyLength ? undefined : key;
}
