import type { Fetch, FetchResponse } from '../../../fetch/index.ts';
import { searchParameters } from '../../requests/index.ts';
import { type SearchAnswer, statisticsText } from '../../searching/index.ts';
import type { OpenBroker } from '../../testing/topic.ts';

/** The JSON with which a Broker answers a path and query string. */
export type Answers = (path: string, signal?: AbortSignal) => Promise<unknown>;

async function* once(text: string) {
  yield Buffer.from(text);
}

/** A `Fetch` that reaches these Brokers, by the origin of their URLs. */
export function fetchOf(brokers: Readonly<Record<string, Answers>>): Fetch {
  return async ({ url, signal }): Promise<FetchResponse> => {
    const { origin, pathname, search } = new URL(url);
    const answers = brokers[`${origin}/`];
    if (answers === undefined) throw new Error(`nothing is at ${url}`);
    const body = JSON.stringify(await answers(pathname + search, signal));
    return {
      ...{ url, redirects: [], status: 200, headers: {}, notModified: false, etag: undefined },
      ...{ lastModified: undefined, contentType: 'application/json', location: undefined },
      ...{ body: once(body), wireBytes: body.length },
      [Symbol.asyncDispose]: async () => undefined,
    };
  };
}

/** The API of a Broker, as far as others search it. */
export const answersOf =
  ({ broker: { queries } }: OpenBroker): Answers =>
  async (path) => {
    const { searchParams } = new URL(path, 'http://example.org/');
    const names = [...new Set(searchParams.keys())];
    const request = {
      query: Object.fromEntries(names.map((one) => [one, searchParams.get(one) ?? ''])),
      queries: Object.fromEntries(names.map((one) => [one, searchParams.getAll(one)])),
    };
    if (!path.startsWith('/statistics')) return queries.search(searchParameters(request));
    const statistics = await queries.statistics(request.query.q ?? '');
    return { ...statistics, text: statisticsText(statistics) };
  };

/** The answer to a search without matches. */
export const emptyAnswer: SearchAnswer = {
  ...{ query: 'x', understood: 'x', notes: [], total: 0, entries: 0, tookMs: 1, relaxed: false, hits: [] },
  ...{ facets: { source: [], type: [], more: [] }, sources: [], suggestion: null, corrected: null },
  ...{ rebuilding: null, cursor: null },
};
