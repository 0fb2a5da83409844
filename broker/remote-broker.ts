import { type Fetch, readBody } from '../fetch/index.ts';
import { failure } from '../kernel/index.ts';
import { statisticsFrom, statisticsText } from './collection-statistics.ts';
import { brokerErrors } from './errors.ts';
import type { SearchAnswer, SearchHit } from './search-answer.ts';
import type { SearchedBroker } from './search-together.ts';

const maxAnswerBytes = 8 * 1024 * 1024;

const isText = (value: unknown) => typeof value === 'string';
const isRanges = (value: unknown) =>
  Array.isArray(value) &&
  value.every((range) => Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger));

function isHit(value: unknown): value is SearchHit {
  if (typeof value !== 'object' || value === null) return false;
  const { oid, url, title, snippet, matches, titleMatches, score, sourceName, type } =
    value as Partial<SearchHit>;
  return (
    [oid, url, title, snippet, sourceName, type].every(isText) &&
    isRanges(matches) &&
    isRanges(titleMatches) &&
    Number.isFinite(score)
  );
}

function isAnswer(value: unknown): value is SearchAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { total, hits, notes, understood, relaxed } = value as Partial<SearchAnswer>;
  return (
    Number.isSafeInteger(total) &&
    Array.isArray(hits) &&
    hits.every(isHit) &&
    Array.isArray(notes) &&
    notes.every(isText) &&
    isText(understood) &&
    typeof relaxed === 'boolean'
  );
}

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
    search: async ({ q, limit, offset, sources, types, statistics, widen = true }) => {
      const parameters = new URLSearchParams({ q, limit: String(limit), offset: String(offset) });
      for (const source of sources) parameters.append('source', source);
      for (const type of types) parameters.append('type', type);
      if (statistics !== undefined) parameters.set('statistics', statisticsText(statistics));
      if (!widen) parameters.set('widen', 'no');
      const answer = await ask(`/search?${parameters}`);
      if (!isAnswer(answer))
        throw failure(brokerErrors.BROKER_REMOTE, { address: name, why: 'its answer is none to a search' });
      return answer;
    },
  };
}
