import { importBibtex } from './bibliography-import.ts';
import { importIafa } from './iafa-import.ts';
import { type Imported, importText } from './imported.ts';
import { importLsm } from './lsm-import.ts';
import { importSoif } from './soif-form.ts';

export const annotationFormats = ['soif', 'iafa', 'lsm', 'bibtex'] as const;

/** The notations that annotations are read from. */
export type AnnotationFormat = (typeof annotationFormats)[number];

// The beginning of each: the form of its first line differs from that of every other.
const beginnings: readonly (readonly [AnnotationFormat, RegExp])[] = [
  ['soif', /^[ \t]*@(?:DELETE|REFRESH|UPDATE)[ \t]*\{/m],
  ['soif', /^[ \t]*@[A-Z0-9_-]{1,64}[ \t]*\{[ \t]*(?:-|[A-Z][A-Z0-9+.-]*:\S*[^\s,])[ \t]*$/im],
  ['iafa', /^Template-Type[ \t]*:/im],
  ['lsm', /^Begin[2-4]?[ \t]*$/im],
  ['bibtex', /^[ \t]*@[ \t]*[A-Za-z]{1,50}[ \t]*[{(][ \t]*(?:[^\s,{}]+[ \t]*[,=]|$)/m],
];

/** The notation whose beginning comes first in a text, or undefined. */
function notationOf(text: string): AnnotationFormat | undefined {
  let first: { readonly format: AnnotationFormat; readonly at: number } | undefined;
  for (const [format, beginning] of beginnings) {
    const at = text.search(beginning);
    if (at >= 0 && (first === undefined || at < first.at)) first = { format, at };
  }
  return first?.format;
}

/**
 * Read annotations from a file's bytes. The notation is recognised by the content unless it is given; undefined when it
 * is none of these. Throws ANNOTATION_TOO_LARGE.
 */
export async function importAnnotations(
  bytes: Uint8Array,
  given?: AnnotationFormat,
): Promise<Imported | undefined> {
  const text = importText(bytes);
  const format = given ?? notationOf(text);
  switch (format) {
    case 'soif':
      return importSoif(bytes);
    case 'iafa':
      return importIafa(text);
    case 'lsm':
      return importLsm(text);
    case 'bibtex':
      return importBibtex(text);
    case undefined:
      return undefined;
  }
}
