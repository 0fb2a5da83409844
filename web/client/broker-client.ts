import {
  type BrokerStatus,
  type LinkState,
  readBrokerStatus,
  readHit,
  readLinkState,
  readSearchAnswer,
  readWords,
  type SearchAnswer,
  type SearchHit,
} from './answers.ts';
import { BrokerError, type BrokerRequest, requestJson, requestLines } from './broker-request.ts';
import { type BrokerObject, readObject, readViewChanges, type ViewChanges } from './object-answers.ts';
import { type SearchParameters, searchPath } from './search-parameters.ts';

export type {
  AskedSource,
  BrokerStatus,
  Copy,
  FacetValue,
  KnownSource,
  LinkState,
  MatchedLine,
  NamedFacet,
  SearchAnswer,
  SearchHit,
  SourceHealth,
  Span,
} from './answers.ts';
export { BrokerError, type ClientErrorCode } from './broker-request.ts';
export type {
  BrokerObject,
  NamedServer,
  ObjectAttribute,
  ViewChange,
  ViewChanges,
} from './object-answers.ts';
export type { SearchOrder, SearchParameters } from './search-parameters.ts';

/** Options of a client. */
export interface BrokerClientOptions {
  /** Sent as `Authorization: Bearer`, for a Broker that requires a token to read. */
  readonly token?: string;
  /** Max time of an answer in milliseconds, from the request to its last byte: 20,000 when absent. */
  readonly timeoutMs?: number;
  /** Max size of an answer in bytes, decompressed: 8 MiB when absent. */
  readonly maxBytes?: number;
}

/** Options of one call. */
export interface CallOptions {
  /** Gives up the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The HTTP API of one Broker (docs/http-api.md): typed answers, checked and bounded. It needs `fetch` alone, and works
 * in Node.js and in browsers; a page must come from the Broker's own origin, since Brokers send no CORS headers.
 *
 * Every call throws `BrokerError` with a `code` and a `hint`: CLIENT_UNREACHABLE, CLIENT_TIMEOUT, CLIENT_TOO_LARGE,
 * CLIENT_ANSWER for an answer that is not a Broker's, CLIENT_REFUSED for a refusal without a code, or the code of the
 * Broker's refusal. An aborted call throws the reason of its signal. What an answer holds comes from elsewhere: odd
 * parts are left out, control characters in texts become blanks, but links and texts are not made safe for a page.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { BrokerClient, BrokerError } from 'garner/client';
 *
 * const client = new BrokerClient('http://127.0.0.1:8501');
 * const { total, hits } = await client.search({ q: 'Title: mooring', limit: 1 });
 * assert.equal(total, 2);
 * assert.equal(hits[0]?.title, 'Moorings');
 *
 * await assert.rejects(client.object('no-such-object'), (error) => {
 *   return error instanceof BrokerError && error.status === 404;
 * });
 */
export class BrokerClient {
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limits: { readonly timeoutMs: number; readonly maxBytes: number };

  /**
   * A client of the Broker at an http or https address, such as `https://search.example.org/garner`. Throws
   * BrokerError `CLIENT_ADDRESS`.
   */
  constructor(address: string | URL, options: BrokerClientOptions = {}) {
    const { token, timeoutMs = 20_000, maxBytes = 8 * 1024 * 1024 } = options;
    this.#base = baseOf(address);
    this.#headers = {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    this.#limits = { timeoutMs: Math.min(timeoutMs, maxTimerMs), maxBytes };
  }

  /**
   * Search: at most 100 hits, with facets and the state of the sources.
   *
   * @example
   * import assert from 'node:assert/strict';
   * import { BrokerClient } from 'garner/client';
   *
   * // A frozen list, page by page.
   * const client = new BrokerClient('http://127.0.0.1:8501', { timeoutMs: 5000 });
   * const titles = [];
   * let page = await client.search({ q: 'mooring', cursor: '*', limit: 1 });
   * for (;;) {
   *   titles.push(...page.hits.map(({ title }) => title));
   *   if (page.cursor === null) break;
   *   page = await client.search({ cursor: page.cursor, limit: 1 });
   * }
   * assert.deepEqual(titles.toSorted(), ['Mooring fees', 'Moorings']);
   */
  async search(parameters: SearchParameters, options?: CallOptions): Promise<SearchAnswer> {
    return requestJson(this.#request(searchPath(parameters), options), readSearchAnswer);
  }

  /**
   * Every hit of a search, as they arrive. `timeoutMs` bounds the wait for the next ones, and `maxBytes` one hit. Leave
   * the loop to end the request.
   *
   * @example
   * import assert from 'node:assert/strict';
   * import { BrokerClient } from 'garner/client';
   *
   * const client = new BrokerClient('http://127.0.0.1:8501');
   * const urls = [];
   * for await (const { url } of client.hits({ q: 'mooring', sort: 'url' })) urls.push(url);
   * assert.deepEqual(urls, ['https://harbour.example/fees.html', 'https://harbour.example/moorings.html']);
   */
  hits(
    parameters: Omit<SearchParameters, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<SearchHit, void, undefined> {
    return requestLines(this.#request(`${searchPath(parameters)}&format=jsonl`, options), readHit);
  }

  /** Up to eight indexed words that begin with `prefix`, the most frequent first. */
  async complete(prefix: string, options?: CallOptions): Promise<readonly string[]> {
    return requestJson(this.#request(`complete?q=${escaped(prefix)}`, options), readWords);
  }

  /** The Broker's name, size, sources and index. */
  async status(options?: CallOptions): Promise<BrokerStatus> {
    return requestJson(this.#request('status', options), readBrokerStatus);
  }

  /** The summary object with this identifier, with all its attributes. */
  async object(oid: string, options?: CallOptions): Promise<BrokerObject> {
    return requestJson(this.#request(`objects/${escaped(oid)}`, options), readObject);
  }

  /**
   * What entered, changed in and left a view since a place in its log: `since` of the last answer. Without a place,
   * everything in the view. At most `limit` changes: 100 when absent, at most 1,000.
   *
   * @example
   * import assert from 'node:assert/strict';
   * import { BrokerClient } from 'garner/client';
   *
   * // `garner broker view add moorings 'Title: mooring'` has defined the view.
   * const client = new BrokerClient('http://127.0.0.1:8501');
   * const first = await client.changes('moorings');
   * assert.deepEqual(first.changes.map(({ kind }) => kind), ['insert', 'insert']);
   * const later = await client.changes('moorings', { since: first.since });
   * assert.deepEqual(later.changes, []);
   */
  async changes(
    view: string,
    options: CallOptions & { readonly since?: string; readonly limit?: number } = {},
  ): Promise<ViewChanges> {
    const parameters = new URLSearchParams();
    if (options.since !== undefined) parameters.set('since', options.since);
    if (options.limit !== undefined) parameters.set('limit', String(options.limit));
    const path = `views/${escaped(view)}/changes?${parameters}`;
    return requestJson(this.#request(path, options), readViewChanges);
  }

  /** Have the Broker check whether the URL of an object still works. */
  async checkLink(oid: string, options?: CallOptions): Promise<LinkState> {
    return requestJson(this.#request(`objects/${escaped(oid)}/check`, options, 'POST'), readLinkState);
  }

  #request(
    path: string,
    { signal }: CallOptions = {},
    method: BrokerRequest['method'] = 'GET',
  ): BrokerRequest {
    return { url: new URL(path, this.#base), method, headers: this.#headers, signal, ...this.#limits };
  }
}

/** Timers fire at once beyond this. */
const maxTimerMs = 2 ** 31 - 1;

/** A text as a part of a path or query. Half of a character, as at the end of typing, has no encoding. */
const escaped = (text: string) => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));

/** The address as a folder, below which the API lies. */
function baseOf(address: string | URL): URL {
  const refuse = (why: string) => new BrokerError('CLIENT_ADDRESS', `the address ${why}`);
  if (!URL.canParse(String(address))) throw refuse('is no URL');
  const base = new URL(address);
  if (base.protocol !== 'http:' && base.protocol !== 'https:')
    throw refuse(`has the scheme ${base.protocol}`);
  if (base.username !== '' || base.password !== '') throw refuse('has a password');
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  base.search = '';
  base.hash = '';
  return base;
}
