import { createHash } from 'node:crypto';
import { RecentMap } from '../../kernel/index.ts';
import { queryAnswered } from '../events.ts';
import type { SearchAnswer, SearchParameters, SourceSummary } from './search-answer.ts';
import type { SearchLog } from './search-log.ts';

/** Everything that an answer depends on beside the query. */
export interface AnswerMoment {
  /** Names one state of the index, the store and the views. It never recurs after another. */
  readonly index: string;
  readonly sources: readonly SourceSummary[];
}

export interface AnswerCacheOptions {
  readonly search: (parameters: SearchParameters, signal?: AbortSignal) => Promise<SearchAnswer>;
  readonly moment: () => AnswerMoment;
  /** Names this cache among those that were opened before: their settings may have been others. */
  readonly life?: number;
  /** Records cached answers. The search itself records the others. */
  readonly log?: Pick<SearchLog, 'record'>;
  /** Max JSON characters of all cached answers; each takes about two bytes of memory. Default 8 Mi. */
  readonly maxCharacters?: number;
}

const defaultCharacters = 8 * 1024 * 1024;

const timeName = '"tookMs":';

/** Longer queries are not cached. */
const maxKeyLength = 1024;

interface Cached {
  readonly answer: SearchAnswer;
  /** Its JSON text, before and after the time that it took. */
  readonly head: string;
  readonly tail: string;
}

/** An answer, with its JSON text where that exists already. */
export interface AnswerResponse {
  readonly json: SearchAnswer;
  readonly jsonText?: string;
  /** The entity tag of the answer, which changes with everything that the answer depends on. Weak: `tookMs` differs. */
  readonly etag?: string;
}

/** Answers of one moment. Any change of the index, the store, the views or the sources drops them all. */
export class AnswerCache {
  readonly #options: AnswerCacheOptions;
  readonly #answers: RecentMap<string, Cached>;
  #moment = '';

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
    this.#answers = new RecentMap(options.maxCharacters ?? defaultCharacters);
  }

  get size(): { readonly answers: number; readonly characters: number } {
    return { answers: this.#answers.count, characters: this.#answers.size };
  }

  /** The current answer to a query. `tookMs` is the time of this call. */
  async search(parameters: SearchParameters, signal?: AbortSignal): Promise<SearchAnswer> {
    return (await this.response(parameters, signal)).json;
  }

  /** The same for a caller that sends JSON. */
  async response(parameters: SearchParameters, signal?: AbortSignal): Promise<AnswerResponse> {
    const { search, moment } = this.#options;
    const key = keyOf(parameters);
    if (key === undefined) return { json: await search(parameters, signal) };
    const started = performance.now();
    const { index, sources } = moment();
    const sourcesText = JSON.stringify(sources);
    const now = `${index} ${sourcesText}`;
    if (now !== this.#moment) this.#answers.clear();
    this.#moment = now;
    const cached = this.#answers.get(key);
    if (cached !== undefined) {
      const { total, corrected, relaxed } = cached.answer;
      if (parameters.offset === 0 && parameters.limit > 0)
        this.#options.log?.record(parameters.q, corrected !== null || relaxed ? 0 : total);
      return { ...again(cached, performance.now() - started), etag: this.#etag(key) };
    }
    const answer = await search(parameters, signal);
    // Of a moment that has passed; the sources may return to an earlier state.
    if (this.#moment !== now || JSON.stringify(answer.sources) !== sourcesText) return { json: answer };
    return { json: answer, jsonText: this.#keep(key, answer), etag: this.#etag(key) };
  }

  #etag(key: string): string {
    const parts = JSON.stringify([this.#options.life ?? 0, this.#moment, key]);
    return `W/"${createHash('sha256').update(parts).digest('base64url').slice(0, 22)}"`;
  }

  #keep(key: string, answer: SearchAnswer): string {
    const text = JSON.stringify(answer);
    // Within a text the quotes of this name would be escaped.
    const at = text.indexOf(timeName) + timeName.length;
    const tail = text.slice(at + String(answer.tookMs).length);
    this.#answers.set(key, { answer, head: text.slice(0, at), tail }, key.length + text.length);
    return text;
  }
}

function again({ answer, head, tail }: Cached, ms: number): AnswerResponse {
  const { total, query } = answer;
  queryAnswered.publish({ total, ms, words: query.split(/\s+/).length });
  const tookMs = Math.round(ms * 100) / 100;
  return { json: { ...answer, tookMs }, jsonText: `${head}${tookMs}${tail}` };
}

/** An age in a query, which means another time at each query. */
const age = /\d[hdwy](?![\p{L}\p{N}])/u;

/** The identity of a query; undefined for one that is not cached. */
function keyOf(parameters: SearchParameters): string | undefined {
  // Statistics of other Brokers come with each query, and are large.
  if (parameters.statistics !== undefined) return undefined;
  // A frozen list has new cursors each time.
  if (parameters.cursor !== undefined) return undefined;
  if (age.test(parameters.q)) return undefined;
  const key = JSON.stringify(parameters);
  return key.length > maxKeyLength ? undefined : key;
}
