import {
  checkParameters,
  errorAnswer,
  type Route,
  type RouteRequest,
  type RouteResponse,
} from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import {
  type AskedBy,
  askedByObject,
  hitSelection,
  searchAnswer,
  searchHit,
  searchParameters,
  searchParameterTable,
  severalAnswers,
  severalRequests,
  severalSearches,
  wantsLines,
} from '../requests/index.ts';
import { hitLines } from '../searching/index.ts';
import type { Broker } from '../service/index.ts';

/** Caches may keep an answer, and ask with its entity tag at each use whether it is still right. */
const revalidated = { 'cache-control': 'no-cache' };

type Searched = Pick<Broker, 'answers' | 'queries'>;

/** One search as one answer. Throws BROKER_QUERY and the errors of queries. */
async function oneAnswer(
  { answers }: Searched,
  asked: AskedBy,
  signal: AbortSignal,
): Promise<RouteResponse & { readonly json: unknown }> {
  const select = hitSelection(asked);
  const { etag, ...answer } = await answers.response(searchParameters(asked), signal);
  const headers = { ...revalidated, ...(etag !== undefined && { etag }) };
  if (select === undefined) return { ...answer, headers };
  return { json: { ...answer.json, hits: answer.json.hits.map(select) }, headers };
}

async function search(broker: Searched, request: RouteRequest): Promise<RouteResponse> {
  if (!wantsLines(request)) return oneAnswer(broker, request, request.signal);
  const hits = broker.queries.hits(searchParameters(request), request.signal);
  const body = hitLines(hits, hitSelection(request));
  return { body, headers: { ...revalidated, 'content-type': 'application/jsonl; charset=utf-8' } };
}

/** Several searches, one after the other: each answer is that of the search alone, or its error. */
async function several(broker: Searched, alone: Route, request: RouteRequest): Promise<RouteResponse> {
  const answers: unknown[] = [];
  for (const one of severalSearches(request)) {
    try {
      const asked = askedByObject(one);
      checkParameters(alone, { ...asked, params: {}, headers: {} });
      if (wantsLines(asked))
        throw failure(brokerErrors.BROKER_QUERY, { field: 'format', reason: 'must be json here' });
      answers.push((await oneAnswer(broker, asked, request.signal)).json);
    } catch (error) {
      request.signal.throwIfAborted();
      answers.push(errorAnswer(error, { method: 'POST', route: '/search' }));
    }
  }
  return { json: { answers }, headers: { 'cache-control': 'no-store' } };
}

/** `/search`: one search by GET, several by POST. */
export function searchRoutes(broker: Searched): readonly Route[] {
  const alone: Route = {
    method: 'GET',
    path: '/search',
    summary: 'Search',
    scope: 'public',
    parameters: searchParameterTable,
    response: searchAnswer,
    media: { 'application/jsonl': searchHit },
    handle: (request) => search(broker, request),
  };
  return [
    alone,
    {
      method: 'POST',
      path: '/search',
      summary:
        'Several searches at once; each is answered as alone, and one that fails does not fail the others',
      scope: 'public',
      isShared: true,
      request: severalRequests,
      response: severalAnswers,
      handle: (request) => several(broker, alone, request),
    },
  ];
}
