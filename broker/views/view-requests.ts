import type { RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { viewErrors } from './errors.ts';
import type { LogPlace } from './telling.ts';
import type { ViewDefinition } from './view-table.ts';

const mostBody = 65_536;

/** The parameter of a path that names a view. */
export const viewName = {
  name: 'name',
  in: 'path',
  describe: 'Name of a view',
  required: true,
  schema: { type: 'string' },
} as const;

const bad = (problem: string) => failure(viewErrors.VIEW_REQUEST, { problem });

/** A request's body as a JSON object with text values of these names. Throws VIEW_REQUEST. */
export function textFields<Name extends string>(
  body: Uint8Array,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  if (body.length > mostBody) throw bad(`is larger than ${mostBody} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw bad('is no JSON');
  }
  if (json === null || typeof json !== 'object' || Array.isArray(json)) throw bad('is no JSON object');
  const fields: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(json)) {
    if (!(names as readonly string[]).includes(name)) throw bad(`has the unknown field ${name.slice(0, 40)}`);
    if (value === null) continue;
    if (typeof value !== 'string') throw bad(`has a ${name} that is no text`);
    fields[name as Name] = value;
  }
  return fields;
}

/** The view that a request defines. Throws VIEW_REQUEST. */
export function definitionIn({ params, body }: RouteRequest): ViewDefinition {
  const { query, over, description } = textFields(body, ['query', 'over', 'description']);
  if (query === undefined) throw bad('has no query');
  return {
    name: params.name ?? '',
    query,
    ...(over !== undefined && { over }),
    ...(description !== undefined && { description }),
  };
}

/** A whole number of the query string. */
export function countIn({ query }: RouteRequest, name: string, otherwise: number): number {
  const text = query[name];
  return text === undefined || text === '' ? otherwise : Number(text);
}

/** A place in a view's log as text: `EPOCH.LSN`, and behind it what a telling under way began from. */
export function placeText({ epoch, lsn, known, everythingFrom }: LogPlace): string {
  if (everythingFrom !== undefined) return `${epoch}.${lsn}.all.${everythingFrom}`;
  return known === lsn ? `${epoch}.${lsn}` : `${epoch}.${lsn}.${known}`;
}

/** The place in a view's log that a client has learned up to; undefined for none. Throws VIEW_REQUEST. */
export function placeIn({ query }: Pick<RouteRequest, 'query'>): LogPlace | undefined {
  const { since = '' } = query;
  if (since === '') return undefined;
  const parts = /^([A-Za-z0-9_-]{16})\.(\d{1,15})(?:\.(\d{1,15})|\.all\.(\d{1,15}))?$/.exec(since);
  const [, epoch, lsn, known, everythingFrom] = parts ?? [];
  if (epoch === undefined) throw bad('has a since that is none: send the one of the last answer');
  const place = { epoch, lsn: Number(lsn), known: Number(known ?? lsn) };
  return everythingFrom === undefined
    ? place
    : { ...place, known: 0, everythingFrom: Number(everythingFrom) };
}
