import type { RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { JsonBody, pathParameter } from '../requests/index.ts';
import type { LogPlace } from './change-batch.ts';
import { viewErrors } from './errors.ts';
import type { ViewDefinition } from './view-table.ts';

/** Max characters of a view's query and of its description. */
const maxTextLength = 65_536;

export const viewName = pathParameter('name', 'Name of a view');

/** The view that a request defines. Throws BROKER_BODY. */
export function definitionIn(request: RouteRequest): ViewDefinition {
  const body = new JsonBody(request, ['query', 'over', 'description']);
  const [over, description] = [body.text('over'), body.text('description', maxTextLength)];
  return {
    name: request.params.name ?? '',
    query: body.required('query', maxTextLength),
    ...(over !== undefined && { over }),
    ...(description !== undefined && { description }),
  };
}

/** A place in a view's log as text: `EPOCH.LSN`, followed by the start of an unfinished series of batches. */
export function placeText({ epoch, lsn, known, everythingFrom }: LogPlace): string {
  if (everythingFrom !== undefined) return `${epoch}.${lsn}.all.${everythingFrom}`;
  return known === lsn ? `${epoch}.${lsn}` : `${epoch}.${lsn}.${known}`;
}

/** The client's place in the view's log; undefined for none. Throws VIEW_SINCE. */
export function placeIn({ query }: Pick<RouteRequest, 'query'>): LogPlace | undefined {
  const { since = '' } = query;
  if (since === '') return undefined;
  const parts = /^([A-Za-z0-9_-]{16})\.(\d{1,15})(?:\.(\d{1,15})|\.all\.(\d{1,15}))?$/.exec(since);
  const [, epoch, lsn, known, everythingFrom] = parts ?? [];
  if (epoch === undefined) throw failure(viewErrors.VIEW_SINCE, { since: since.slice(0, 40) });
  const place = { epoch, lsn: Number(lsn), known: Number(known ?? lsn) };
  return everythingFrom === undefined
    ? place
    : { ...place, known: 0, everythingFrom: Number(everythingFrom) };
}
