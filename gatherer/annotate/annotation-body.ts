import type { RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import { type Annotation, annotatedUrl, annotationLimits } from './annotation.ts';
import { annotationErrors } from './errors.ts';
import { FieldList } from './field-list.ts';
import { importSoif } from './soif-form.ts';

/**
 * What a request says about `url`: JSON `{"fields": {"Name": "value" | ["value", ...]}, "author": "..."}`, or one
 * SOIF object with content-type application/x-soif. Throws ANNOTATION_BODY.
 */
export function bodyAnnotation(url: string, { body, headers }: RouteRequest): Omit<Annotation, 'at'> {
  const type = headers['content-type'] ?? '';
  return /^application\/(?:x-)?soif\b/i.test(type) ? soifBody(url, body) : jsonBody(url, body);
}

function bad(problem: string) {
  return failure(annotationErrors.ANNOTATION_BODY, { problem });
}

function soifBody(url: string, body: Uint8Array): Omit<Annotation, 'at'> {
  const { records, problems } = importSoif(body);
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
