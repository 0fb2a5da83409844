import type { Route } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import { annotationErrors } from '../annotate/errors.ts';
import type { AnnotationChange, ImportedRecord } from '../annotate/index.ts';
import type { Gatherer } from '../run/index.ts';

/** The `url` of a query. */
export const urlParameter = {
  name: 'url',
  in: 'query',
  describe: 'URL of a document',
  required: true,
  schema: { type: 'string' },
} as const;

/** Annotation routes for the commands on a running Gatherer: changes of one annotation, and imported records. */
export function annotationControlRoutes(gatherer: Gatherer): readonly Route[] {
  const common = { scope: 'admin', hidden: true } as const;
  return [
    {
      ...common,
      method: 'POST',
      path: '/control/annotate',
      summary: 'Change the annotation of a URL',
      handle: async ({ body }) => {
        const { url, change } = changeIn(body);
        return { json: await gatherer.annotate(url, change) };
      },
    },
    {
      ...common,
      method: 'DELETE',
      path: '/control/annotate',
      summary: 'Remove the annotation of a URL',
      parameters: [urlParameter],
      handle: async ({ query }) => ({
        json: { outcome: await gatherer.removeAnnotation(query.url ?? ''), annotation: null },
      }),
    },
    {
      ...common,
      method: 'GET',
      path: '/control/annotate',
      summary: 'The annotation of a URL',
      parameters: [urlParameter],
      handle: async ({ query }) => ({ json: (await gatherer.annotations.get(query.url ?? '')) ?? null }),
    },
    {
      ...common,
      method: 'POST',
      path: '/control/annotations',
      summary: 'Merge records into the annotations',
      handle: async ({ body }) => ({ json: await gatherer.importAnnotations(recordsIn(body)) }),
    },
  ];
}

const bad = (problem: string) => failure(annotationErrors.ANNOTATION_BODY, { problem });

type Json = Readonly<Record<string, unknown>>;

function jsonIn(body: Uint8Array): Json {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    if (typeof value === 'object' && value !== null) return value as Json;
  } catch {
    // The error is below.
  }
  throw bad('it is no JSON object');
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const areFields = (value: unknown): value is Field[] =>
  Array.isArray(value) && value.every((each) => areTexts(each) && each.length === 2);

function changeIn(body: Uint8Array): { readonly url: string; readonly change: AnnotationChange } {
  const { url, set = [], remove = [], author } = jsonIn(body);
  if (typeof url !== 'string' || !areFields(set) || !areTexts(remove)) throw bad('a part of it is missing');
  return { url, change: { set, remove, ...(typeof author === 'string' ? { author } : {}) } };
}

function recordsIn(body: Uint8Array): readonly ImportedRecord[] {
  const { records } = jsonIn(body);
  if (!Array.isArray(records)) throw bad('"records" is missing');
  return records.map((record: unknown) => {
    const { url, fields, author, at } = Object(record) as Json;
    if (typeof url !== 'string' || !areFields(fields)) throw bad('a record has no url or no fields');
    return {
      url,
      fields,
      ...(typeof author === 'string' ? { author } : {}),
      ...(typeof at === 'number' && Number.isFinite(at) ? { at } : {}),
    };
  });
}
