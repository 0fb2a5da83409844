import { defineErrors } from '../../kernel/index.ts';

interface Named {
  readonly url: string;
}

/** Faults of annotations. */
export const annotationErrors = defineErrors({
  ANNOTATION_URL: {
    message: ({ url, problem }: Named & { readonly problem: string }) =>
      `${JSON.stringify(url.slice(0, 200))} cannot be annotated: the URL ${problem}`,
    hint: () => 'give the whole URL of the document as a result shows it, percent-encoded',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  ANNOTATION_FIELD: {
    message: ({ name, problem }: { readonly name: string; readonly problem: string }) =>
      `the attribute ${JSON.stringify(name.slice(0, 80))} ${problem}`,
    hint: () =>
      'names are letters, digits and "-", such as Keywords; attributes that the Gatherer itself sets cannot be annotated',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  ANNOTATION_TOO_LARGE: {
    message: ({ what, limit }: { readonly what: string; readonly limit: number }) =>
      `${what} is over the limit of ${limit}`,
    hint: () => 'shorten it: an annotation describes a document',
    exit: 2,
    retry: 'never',
    status: 413,
  },
  ANNOTATION_FULL: {
    message: ({ limit }: { readonly limit: number }) => `there are ${limit} annotations already`,
    hint: () => 'remove annotations of deleted documents, or raise gatherer.max-annotations',
    exit: 1,
    retry: 'never',
    status: 507,
  },
  ANNOTATION_MISSING: {
    message: ({ url }: Named) => `${url.slice(0, 200)} has no annotation`,
    hint: () => 'garner gatherer annotate --export and GET /annotations list the annotated documents',
    exit: 1,
    retry: 'never',
    status: 404,
  },
  ANNOTATION_CHANGED: {
    message: ({ url }: Named) =>
      `somebody else has changed the annotation of ${url.slice(0, 200)} since you read it`,
    hint: () => 'read it again, and change the current version',
    exit: 1,
    retry: 'never',
    status: 412,
  },
  ANNOTATION_BODY: {
    message: ({ problem }: { readonly problem: string }) => `the annotation cannot be read: ${problem}`,
    hint: () =>
      'send JSON such as {"fields": {"Keywords": "harvest, soif"}}, or one SOIF object with content-type application/x-soif',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  ANNOTATION_FORMAT: {
    message: ({ format }: { readonly format: string }) =>
      `annotations cannot be read from ${JSON.stringify(format.slice(0, 40))}`,
    hint: () => 'name the format: soif, iafa, lsm or bibtex',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  ANNOTATION_TOKEN: {
    message: () => 'this is not an administration token of this Gatherer',
    hint: () => 'type one of those in http.admin-tokens',
    exit: 1,
    retry: 'never',
    status: 403,
  },
});
