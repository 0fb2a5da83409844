import { type Fetch, readBody } from '../fetch/index.ts';
import { failure } from '../kernel/index.ts';
import { statisticsFrom } from './collection-statistics.ts';
import { brokerErrors } from './errors.ts';
import { remoteAnswer } from './remote-answer.ts';
import { searchAddress } from './search-address.ts';
import type { SearchedBroker } from './searched-broker.ts';

const maxAnswerBytes = 8 * 1024 * 1024;

/** Asks a Broker's API for a path with its parameters; resolves with the JSON of the answer. */
export type AskApi = (path: string) => Promise<unknown>;

/**
 * Asks a Broker at an http(s) address. Throws FETCH_*, and BROKER_REMOTE when what comes back is not what a Broker says.
 */
export function askAt(address: string, fetch: Fetch, signal?: AbortSignal): AskApi {
  const base = address.endsWith('/') ? address : `${address}/`;
  return async (path) => {
    await using response = await fetch({
      ...{ url: new URL(path.slice(1), base).href, signal, maxBytes: maxAnswerBytes },
      headers: { accept: 'application/json' },
    });
    const text = Buffer.from(await readBody(response)).toString();
    if (response.status !== 200)
      throw failure(brokerErrors.BROKER_REMOTE, {
        address,
        why: `it answers with status ${response.status}`,
      });
    try {
      return JSON.parse(text);
    } catch (error) {
      throw failure(brokerErrors.BROKER_REMOTE, { address, why: 'its answer is no JSON' }, error);
    }
  };
}

/** A Broker that is searched over its API; what it answers is checked. Throws BROKER_REMOTE and what `ask` throws. */
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
        throw failure(brokerErrors.BROKER_REMOTE, { address: name, why: 'its answer is none to a search' });
      return answer;
    },
  };
}
