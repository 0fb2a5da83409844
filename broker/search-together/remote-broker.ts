import { type Fetch, readBody } from '../../fetch/index.ts';
import { type Clock, failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import { statisticsFrom } from '../searching/index.ts';
import { remoteAnswer } from './remote-answer.ts';
import type { SearchedBroker } from './remote-list.ts';
import { searchAddress } from './search-address.ts';

const maxAnswerBytes = 8 * 1024 * 1024;

/** Calls a Broker's API with a path and its parameters. Resolves with the JSON of the answer. */
export type AskApi = (path: string) => Promise<unknown>;

/** Max time for all answers of a Broker to one search; milliseconds. */
const usualPatience = 20_000;

/** Options of the calls to a remote Broker. */
export interface AskOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly patienceMs?: number;
}

/**
 * Limits the time of all answers of one Broker together, so that a Broker that answers slowly or page by page
 * delays the search no longer. Time spent waiting for other Brokers does not count.
 */
class Patience {
  readonly #clock: Clock;
  #left: number;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#left = ms;
  }

  async spent<Result>(
    signal: AbortSignal | undefined,
    over: () => Error,
    ask: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const end = new AbortController();
    const timer = new AbortController();
    const started = this.#clock.now();
    const left = this.#left;
    const waiting = this.#clock.sleep(left, timer.signal).then(
      () => end.abort(over()),
      () => undefined,
    );
    try {
      return await ask(signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]));
    } finally {
      this.#left = Math.max(0, Math.min(this.#left, left - (this.#clock.now() - started)));
      timer.abort();
      await waiting;
    }
  }
}

/** Calls a Broker at an http(s) address. Throws FETCH_*, and BROKER_REMOTE when the answer is invalid. */
export function askAt(
  address: string,
  fetch: Fetch,
  { clock, signal, patienceMs = usualPatience }: AskOptions,
): AskApi {
  const base = address.endsWith('/') ? address : `${address}/`;
  const patience = new Patience(clock, patienceMs);
  const strange = (why: string, cause?: unknown) =>
    failure(brokerErrors.BROKER_REMOTE, { address, why }, cause);
  const slow = () => strange(`it takes longer than ${patienceMs / 1000} seconds for all answers`);
  return (path) =>
    patience.spent(signal, slow, async (patient) => {
      await using response = await fetch({
        ...{ url: new URL(path.slice(1), base).href, signal: patient, maxBytes: maxAnswerBytes },
        headers: { accept: 'application/json' },
      });
      const text = Buffer.from(await readBody(response)).toString();
      if (response.status !== 200) throw strange(`it answers with status ${response.status}`);
      try {
        return JSON.parse(text);
      } catch (error) {
        throw strange('its answer is not JSON', error);
      }
    });
}

/** A Broker searched over its API, with checked answers. Throws BROKER_REMOTE and the errors of `ask`. */
export function brokerBehind(name: string, ask: AskApi): SearchedBroker {
  return {
    name,
    statistics: async (q) => {
      const json = (await ask(`/statistics?${new URLSearchParams({ q })}`)) as {
        readonly text?: unknown;
      } | null;
      const statistics = typeof json?.text === 'string' ? statisticsFrom(json.text) : undefined;
      if (statistics === undefined)
        throw failure(brokerErrors.BROKER_REMOTE, {
          address: name,
          why: 'it has no statistics of the query',
        });
      return statistics;
    },
    search: async (parameters) => {
      const answer = remoteAnswer(await ask(searchAddress(parameters)), parameters.limit);
      if (answer === undefined)
        throw failure(brokerErrors.BROKER_REMOTE, {
          address: name,
          why: 'its answer is not an answer to a search',
        });
      return answer;
    },
  };
}
