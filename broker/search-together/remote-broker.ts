import { type Fetch, type FetchResponse, readBody } from '../../fetch/index.ts';
import { alarm, type Clock, failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import { statisticsFrom } from '../searching/index.ts';
import { remoteAnswer } from './remote-answer.ts';
import type { SearchedBroker } from './remote-list.ts';
import { searchAddress } from './search-address.ts';

const maxAnswerBytes = 8 * 1024 * 1024;

/** The same for Brokers whose addresses strangers have given. */
const maxStrangersBytes = 256 * 1024;

/** Calls a Broker's API with a path and its parameters. Resolves with the JSON of the answer. */
export type AskApi = (path: string) => Promise<unknown>;

/** Default of the max time for all answers of a Broker to one search; milliseconds. */
const usualPatience = 20_000;

export interface AskOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly patienceMs?: number;
  /** The address is not the operator's: small plain answers only, without redirects and compression. */
  readonly isStranger?: boolean;
}

/** Rejects with the signal's reason when it aborts. */
const abortOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

const strangersRequest = {
  maxBytes: maxStrangersBytes,
  redirect: 'manual',
  headers: { accept: 'application/json', 'accept-encoding': 'identity' },
} as const;

/** Why the body of a stranger's answer is not read; undefined for an answer in JSON. */
function faultOf({ status, location, headers, contentType = '' }: FetchResponse): string | undefined {
  if (location !== undefined) return 'it redirects to another address';
  if (status !== 200) return `it answers with status ${status}`;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return 'its answer is compressed';
  return /^application\/json\s*(?:;|$)/i.test(contentType) ? undefined : 'its answer is not of a JSON type';
}

/** Calls a Broker at an http(s) address. Throws FETCH_*, and BROKER_REMOTE when the answer is invalid. */
export function askAt(
  address: string,
  fetch: Fetch,
  { clock, signal, patienceMs = usualPatience, isStranger = false }: AskOptions,
): AskApi {
  const base = address.endsWith('/') ? address : `${address}/`;
  // Only the time spent waiting for this Broker counts.
  let leftMs = patienceMs;
  const strange = (why: string, cause?: unknown) =>
    failure(brokerErrors.BROKER_REMOTE, { address, why }, cause);
  const slow = () => strange(`it takes longer than ${patienceMs / 1000} seconds for all answers`);
  const answerTo = async (path: string, patient: AbortSignal): Promise<unknown> => {
    await using response = await fetch({
      ...{ url: new URL(path.slice(1), base).href, signal: patient, maxBytes: maxAnswerBytes },
      headers: { accept: 'application/json' },
      ...(isStranger && strangersRequest),
    });
    const fault = isStranger ? faultOf(response) : undefined;
    if (fault !== undefined) throw strange(fault);
    const text = Buffer.from(await readBody(response)).toString();
    if (response.status !== 200) throw strange(`it answers with status ${response.status}`);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw strange('its answer is not JSON', error);
    }
  };
  return async (path) => {
    const end = new AbortController();
    const started = clock.now();
    const left = leftMs;
    await using _alarm = alarm(clock, left, () => end.abort(slow()));
    try {
      const patient = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
      // An answer that comes after the end is thrown away.
      return await Promise.race([answerTo(path, patient), abortOf(patient)]);
    } finally {
      leftMs = Math.max(0, Math.min(leftMs, left - (clock.now() - started)));
    }
  };
}

/** A Broker searched over its API, with checked answers. Throws BROKER_REMOTE and the errors of `ask`. */
export function brokerBehind(name: string, ask: AskApi): SearchedBroker {
  const bad = (why: string) => failure(brokerErrors.BROKER_REMOTE, { address: name, why });
  return {
    name,
    statistics: async (q) => {
      const json = await ask(`/statistics?${new URLSearchParams({ q })}`);
      const { text } = (json ?? {}) as { readonly text?: unknown };
      const statistics = typeof text === 'string' ? statisticsFrom(text) : undefined;
      if (statistics === undefined) throw bad('it has no statistics of the query');
      return statistics;
    },
    search: async (parameters) => {
      const answer = remoteAnswer(await ask(searchAddress(parameters)), parameters.limit);
      if (answer === undefined) throw bad('its answer is not an answer to a search');
      return answer;
    },
  };
}
