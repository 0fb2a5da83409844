import { createHash, timingSafeEqual } from 'node:crypto';
import type { RouteRequest, RouteResponse, SitePage } from '../../http/index.ts';
import { type Clock, failure, isGarnerError } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import { annotatePage, type FormValues } from './annotate-page.ts';
import { type Annotation, annotatedUrl, versionOf } from './annotation.ts';
import type { AnnotationOutcome, Annotations } from './annotations.ts';
import { annotationErrors } from './errors.ts';
import { FieldList } from './field-list.ts';
import { asLabelledLines, labelledLines, numberedLines } from './labelled-lines.ts';

export { annotateStyle } from './annotate-style.ts';

/** The environment of the annotation routes. */
export interface AnnotationServing {
  readonly annotations: Annotations;
  readonly clock: Clock;
  /** The stored object of a URL as clients see it, or undefined. */
  readonly stored: (url: string) => Promise<SummaryObject | undefined>;
  /** Tokens that may annotate through the form; without any, the form cannot save. */
  readonly adminTokens: readonly string[];
  /** The pages of this server, for their navigation. */
  readonly pages?: readonly SitePage[];
}

const outcomes: Readonly<Record<AnnotationOutcome, string>> = {
  stored: 'Saved. The document’s summary shows it now.',
  unchanged: 'Nothing was changed.',
  waiting: 'Saved. It waits until the document is gathered.',
  'next-run': 'Saved. The document’s summary shows it after the next run.',
};

// Attributes with an input of their own; every other attribute is a line of the last input.
const inputs = { Title: 'title', Keywords: 'keywords', Description: 'description' } as const;
const empty: FormValues = {
  url: '',
  title: '',
  keywords: '',
  description: '',
  others: '',
  author: '',
  version: versionOf(undefined),
};

/** The parts of the page that no document changes. */
const commonOf = ({ adminTokens, pages = [] }: AnnotationServing) => ({
  canSave: adminTokens.length > 0,
  pages,
});

/** The form's page. */
export async function shown(
  serving: AnnotationServing,
  query: RouteRequest['query'],
): Promise<RouteResponse> {
  const { url: given = '', done } = query;
  const common = commonOf(serving);
  if (given.trim() === '') return annotatePage({ values: empty, annotated: false, ...common });
  const url = annotatedUrl(given.trim());
  const annotation = await serving.annotations.get(url);
  return annotatePage({
    values: valuesOf(url, annotation),
    gathered: await gatheredObject(serving, url),
    annotated: annotation !== undefined,
    ...common,
    // Only sentences of ours: anybody can write an address.
    done: Object.entries(outcomes).find(([outcome]) => outcome === done)?.[1],
  });
}

/** Save the form. */
export async function saved(serving: AnnotationServing, request: RouteRequest): Promise<RouteResponse> {
  const form = new URLSearchParams(Buffer.from(request.body).toString());
  const field = (name: string) => form.get(name) ?? '';
  const values: FormValues = {
    url: annotatedUrl(field('url')),
    title: field('title'),
    keywords: field('keywords'),
    description: field('description'),
    others: field('others'),
    author: field('author'),
    version: field('version'),
  };
  const { annotations, clock } = serving;
  try {
    if (!isKnown(serving.adminTokens, field('token'))) throw failure(annotationErrors.ANNOTATION_TOKEN, {});
    const fields = fieldsOf(values);
    const at = Math.floor(clock.now() / 1000);
    const { url, author, version } = values;
    // An emptied form means the same as the button that removes.
    const removes = field('act') === 'remove' || (fields.length === 0 && version !== versionOf(undefined));
    const outcome = removes
      ? await annotations.remove(url, version)
      : fields.length === 0
        ? 'unchanged'
        : await annotations.set({ url, fields, author, at }, version);
    const location = `annotate?url=${encodeURIComponent(url)}&done=${outcome}`;
    return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
  } catch (error) {
    if (!isGarnerError(error) || error.status >= 500) throw error;
    return annotatePage({
      values,
      gathered: await gatheredObject(serving, values.url),
      annotated: (await annotations.get(values.url)) !== undefined,
      ...commonOf(serving),
      fault: `Not saved: ${error.message}; ${error.hint}.`,
      status: error.status,
    });
  }
}

function valuesOf(url: string, annotation: Annotation | undefined): FormValues {
  if (annotation === undefined) return { ...empty, url };
  const own: Record<string, string> = {};
  const others: Field[] = [];
  for (const [name, value] of annotation.fields) {
    const input = Object.entries(inputs).find(([attribute]) => attribute === name)?.[1];
    // An input of one line would lose the other lines; an empty input would not show that the value is hidden.
    const fits = input !== undefined && value !== '' && (input !== 'title' || !value.includes('\n'));
    if (fits) own[input] = value;
    else others.push([name, value]);
  }
  const version = versionOf(annotation);
  return { ...empty, ...own, url, others: asLabelledLines(others), author: annotation.author, version };
}

function fieldsOf(values: FormValues): readonly Field[] {
  const list = new FieldList();
  for (const [name, input] of Object.entries(inputs)) {
    const value = values[input].trim();
    if (value !== '') list.add(name, value);
  }
  for (const entry of labelledLines(numberedLines(values.others))) {
    if ('stray' in entry)
      throw failure(annotationErrors.ANNOTATION_FIELD, {
        name: entry.stray,
        problem: 'is no “Name: value” line',
      });
    list.add(entry.name, entry.value);
  }
  return list.fields;
}

async function gatheredObject(serving: AnnotationServing, url: string): Promise<SummaryObject | undefined> {
  const stored = await serving.stored(url);
  return stored === undefined ? undefined : ((await serving.annotations.gathered(stored)) ?? stored);
}

/** Compares with every token in constant time. */
function isKnown(tokens: readonly string[], given: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const presented = hash(given);
  let known = false;
  for (const token of tokens) if (timingSafeEqual(hash(token), presented)) known = true;
  return known;
}
