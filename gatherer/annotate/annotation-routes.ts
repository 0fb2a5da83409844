import {
  type ParameterDescription,
  type Route,
  type RouteRequest,
  type RouteResponse,
  schemas,
} from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import type { AnnotationServing } from './annotate-form.ts';
import { annotateFormRoutes } from './annotate-form-routes.ts';
import { type Annotation, annotatedUrl, annotationLimits, versionOf } from './annotation.ts';
import { annotationErrors } from './errors.ts';
import { FieldList } from './field-list.ts';

const soifType = 'application/x-soif; charset=utf-8';
const pageSize = 100;
const maxPageSize = 1000;

/** Loaded for the first import or export. */
const files = () => import('./annotation-files.ts');

const urlParameter: ParameterDescription = {
  name: 'url',
  in: 'path',
  describe: 'URL of the document, percent-encoded as a whole',
  required: true,
  schema: { type: 'string' },
};
const format: ParameterDescription = {
  name: 'format',
  in: 'query',
  describe: 'json (the default) or soif',
  schema: { type: 'string' },
};

const { choice, count, list, map, object, orNull, text } = schemas;

const annotation = { url: text, fields: map(text), author: text, at: { ...text, format: 'date-time' } };
const outcome = choice('stored', 'unchanged', 'waiting', 'next-run');
const soif = { 'application/x-soif': { type: 'string' } };

/** Routes of annotations: public for reading, with an administration token for writing. */
export function annotationRoutes(serving: AnnotationServing): readonly Route[] {
  const path = '/annotations/:url';
  return [
    {
      method: 'GET',
      path: '/annotations',
      summary: 'Annotations in the order of their URLs, as JSON or SOIF',
      scope: 'public',
      parameters: [
        format,
        { name: 'after', in: 'query', describe: 'URL after which to begin', schema: { type: 'string' } },
        {
          name: 'limit',
          in: 'query',
          describe: `Max annotations; when absent ${pageSize} in JSON, all in SOIF`,
          schema: { type: 'integer', minimum: 1, maximum: maxPageSize },
        },
      ],
      response: object({ total: count, annotations: list(object(annotation)), next: orNull(text) }),
      media: soif,
      handle: (request) => (wantsSoif(request) ? soifPage(serving, request) : jsonPage(serving, request)),
    },
    {
      method: 'POST',
      path: '/annotations',
      summary: 'Import annotations, each merged into the existing one',
      scope: 'admin',
      parameters: [{ ...format, describe: 'soif (the default), iafa, lsm or bibtex' }],
      response: object({
        outcomes: map(count),
        refused: list(object({ url: text, reason: text })),
        problems: list(map(schemas.any)),
      }),
      handle: (request) => imported(serving, request),
    },
    {
      method: 'GET',
      path,
      summary: 'The annotation of one document',
      scope: 'public',
      parameters: [urlParameter, format],
      response: object(annotation),
      media: soif,
      handle: (request) => one(serving, request),
    },
    {
      method: 'PUT',
      path,
      summary:
        'Write the annotation of a document (JSON or one SOIF object); If-Match guards against lost updates',
      scope: 'admin',
      parameters: [urlParameter],
      request: object({ fields: map({ type: ['string', 'number', 'array'] }), author: text }, 'author'),
      response: object({ outcome, ...annotation }),
      handle: async (request) => {
        const url = annotatedUrl(request.params.url ?? '');
        const given = { ...(await bodyAnnotation(url, request)), at: Math.floor(serving.clock.now() / 1000) };
        const outcome = await serving.annotations.set(given, expectedVersion(request));
        return annotationAnswer((await serving.annotations.get(url)) ?? given, { outcome });
      },
    },
    {
      method: 'DELETE',
      path,
      summary: 'Remove the annotation of a document: the gathered values return',
      scope: 'admin',
      parameters: [urlParameter],
      response: object({ outcome }),
      handle: async (request) => ({
        json: {
          outcome: await serving.annotations.remove(request.params.url ?? '', expectedVersion(request)),
        },
      }),
    },
    ...annotateFormRoutes(serving),
  ];
}

async function one({ annotations }: AnnotationServing, request: RouteRequest): Promise<RouteResponse> {
  const url = annotatedUrl(request.params.url ?? '');
  const annotation = await annotations.get(url);
  if (annotation === undefined) throw failure(annotationErrors.ANNOTATION_MISSING, { url });
  if (!wantsSoif(request)) return annotationAnswer(annotation);
  return {
    headers: { 'content-type': soifType, vary: 'accept', etag: etagOf(annotation) },
    body: (await files()).printAnnotations([annotation]),
  };
}

/** Without a format, a browser gets JSON; `format` has priority over `Accept`. */
function wantsSoif({ query, headers }: RouteRequest): boolean {
  if (query.format !== undefined && query.format !== '') {
    if (query.format !== 'soif' && query.format !== 'json')
      throw failure(annotationErrors.ANNOTATION_FORMAT, { format: query.format });
    return query.format === 'soif';
  }
  return /\bapplication\/x-soif\b/i.test(headers.accept ?? '');
}

function listFrom({ annotations }: AnnotationServing, { query }: RouteRequest): AsyncIterable<Annotation> {
  return annotations.store.list(query.after === undefined || query.after === '' ? undefined : query.after);
}

async function soifPage(serving: AnnotationServing, request: RouteRequest): Promise<RouteResponse> {
  const limit = Number(request.query.limit || Number.POSITIVE_INFINITY);
  const list = firstOf(listFrom(serving, request), limit);
  return {
    headers: { 'content-type': soifType, vary: 'accept' },
    body: (await files()).printAnnotations(list),
  };
}

async function jsonPage(serving: AnnotationServing, request: RouteRequest): Promise<RouteResponse> {
  const limit = Number(request.query.limit || pageSize);
  const found: Annotation[] = [];
  let bytes = 0;
  let next: string | undefined;
  // One more than requested shows whether there is a next page; a page of large annotations is shorter.
  for await (const annotation of firstOf(listFrom(serving, request), limit + 1)) {
    if (found.length === limit || bytes > maxPageBytes) {
      next = found.at(-1)?.url;
      break;
    }
    for (const [name, value] of annotation.fields) bytes += name.length + value.length;
    found.push(annotation);
  }
  return {
    headers: { vary: 'accept' },
    json: { total: serving.annotations.store.count, annotations: found.map(plain), next: next ?? null },
  };
}

const maxPageBytes = 4 * 1024 * 1024;

async function* firstOf(list: AsyncIterable<Annotation>, limit: number): AsyncIterable<Annotation> {
  let count = 0;
  for await (const annotation of list) {
    yield annotation;
    if (++count >= limit) return;
  }
}

function plain({ url, fields, author, at }: Annotation) {
  return { url, fields: Object.fromEntries(fields), author, at: new Date(at * 1000).toISOString() };
}

const etagOf = (annotation: Annotation) => `"${versionOf(annotation)}"`;

function annotationAnswer(
  annotation: Annotation,
  more: Readonly<Record<string, unknown>> = {},
): RouteResponse {
  return {
    headers: { etag: etagOf(annotation), vary: 'accept', 'cache-control': 'no-cache' },
    json: { ...more, ...plain(annotation) },
  };
}

/** The version that the client has read (RFC 9110 section 13.1); `If-None-Match: *` means that there was none. */
function expectedVersion({ headers }: RouteRequest): string | undefined {
  if (headers['if-none-match']?.trim() === '*') return versionOf(undefined);
  const match = headers['if-match']?.trim();
  return match === undefined || match === '*' ? undefined : match.replace(/^(?:W\/)?"(.*)"$/, '$1');
}

async function imported(serving: AnnotationServing, request: RouteRequest): Promise<RouteResponse> {
  const wanted = request.query.format || 'soif';
  const read = (await files()).importers.get(wanted);
  if (read === undefined) throw failure(annotationErrors.ANNOTATION_FORMAT, { format: wanted });
  const { records, problems } = await read(request.body);
  const now = Math.floor(serving.clock.now() / 1000);
  const given = records.map((record) => ({ author: '', at: now, ...record }));
  const { outcomes, refused } = await serving.annotations.take(given);
  return { json: { outcomes, refused, problems } };
}

/**
 * The annotation of `url` in a request: JSON `{"fields": {"Name": "value" | ["value", ...]}, "author": "..."}`, or one
 * SOIF object with content-type application/x-soif. Throws ANNOTATION_BODY.
 */
async function bodyAnnotation(url: string, { body, headers }: RouteRequest): Promise<Omit<Annotation, 'at'>> {
  const type = headers['content-type'] ?? '';
  return /^application\/(?:x-)?soif\b/i.test(type) ? soifBody(url, body) : jsonBody(url, body);
}

function bad(problem: string) {
  return failure(annotationErrors.ANNOTATION_BODY, { problem });
}

async function soifBody(url: string, body: Uint8Array): Promise<Omit<Annotation, 'at'>> {
  const { records, problems } = (await files()).importSoif(body);
  const [record, other] = records;
  const [problem] = problems;
  if (problem !== undefined) throw bad(`${problem.record}: ${problem.reason}`);
  if (record === undefined || other !== undefined) throw bad('it is not one SOIF object');
  if (annotatedUrl(record.url) !== url) throw bad('its object has another URL');
  return { url, fields: record.fields, author: record.author ?? '' };
}

function jsonBody(url: string, body: Uint8Array): Omit<Annotation, 'at'> {
  let given: unknown;
  try {
    given = JSON.parse(Buffer.from(body).toString());
  } catch {
    throw bad('it is not JSON');
  }
  if (!isRecord(given) || !isRecord(given.fields)) throw bad('"fields" is missing');
  const { fields, author = '' } = given;
  if (typeof author !== 'string') throw bad('"author" is not text');
  const list = new FieldList();
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value]) addValue(list, name, each);
  return { url, fields: list.fields as readonly Field[], author };
}

function addValue(list: FieldList, name: string, value: unknown): void {
  if (typeof value !== 'string' && typeof value !== 'number') throw bad(`${name.slice(0, 80)} is not text`);
  if (list.count >= annotationLimits.fields) throw bad(`it has over ${annotationLimits.fields} values`);
  list.add(name, String(value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
