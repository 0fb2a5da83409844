import { failure } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import { decodeText } from '../../readers/text/index.ts';
import { annotationLimits, isKept } from './annotation.ts';
import { annotationErrors } from './errors.ts';
import { FieldList } from './field-list.ts';

/** A record of another notation about a document. */
export interface ImportedRecord {
  readonly url: string;
  readonly fields: readonly Field[];
  /** Author and time (seconds since 1970), if the record has them. */
  readonly author?: string;
  readonly at?: number;
}

/** A record, or a part of one, that could not be used. */
export interface ImportProblem {
  /** The record's name in its notation: a title, a key, a line. */
  readonly record: string;
  /** A sentence without a full stop. */
  readonly reason: string;
}

export interface Imported {
  readonly records: readonly ImportedRecord[];
  readonly problems: readonly ImportProblem[];
}

/** Limits of one import. */
export const importLimits = { bytes: 16 * 1024 * 1024, records: 20_000, problems: 1000 } as const;

/** Collects the records of an importer, within the limits. */
export class ImportList implements Imported {
  readonly records: ImportedRecord[] = [];
  readonly problems: ImportProblem[] = [];

  /** Add a record; one without a URL or fields, or beyond the limit, becomes a problem. */
  add(
    name: string,
    url: string | undefined,
    fields: readonly Field[],
    more: Partial<ImportedRecord> = {},
  ): void {
    if (url === undefined) this.problem(name, 'it names no URL of a document');
    else if (fields.length === 0) this.problem(name, 'it has no attribute that can be annotated');
    else if (this.full) this.problem(name, `only ${importLimits.records} records are taken at once`);
    else this.records.push({ ...more, url, fields });
  }

  problem(record: string, reason: string): void {
    if (this.problems.length < importLimits.problems)
      this.problems.push({ record: record.slice(0, 200), reason });
  }

  get full(): boolean {
    return this.records.length >= importLimits.records;
  }
}

/** Text of an import, in UTF-8 or an older charset. Throws ANNOTATION_TOO_LARGE. */
export function importText(bytes: Uint8Array): string {
  if (bytes.length > importLimits.bytes)
    throw failure(annotationErrors.ANNOTATION_TOO_LARGE, { what: 'The import', limit: importLimits.bytes });
  return decodeText(bytes);
}

/** The first of some texts that is a URL of a document (without `<URL:...>` around it), or undefined. */
export function firstUrl(texts: Iterable<string>): string | undefined {
  for (const text of texts) {
    const open = text
      .trim()
      .slice(0, annotationLimits.urlBytes)
      .replace(/^<?(?:URL:)?/i, '');
    const bare = (open.endsWith('>') ? open.slice(0, -1) : open).trim();
    if (/^(?:https?|ftp|gopher|file|news|nntp|mailto|wais|telnet):\S+$/i.test(bare) && URL.canParse(bare))
      return new URL(bare).href;
  }
  return undefined;
}

/**
 * Fields of a record under documented names: `rename` maps the name in the record (lower case) to an attribute's name.
 * An attribute that the Gatherer itself sets gets the notation's name as a prefix.
 */
export function renamed(
  fields: readonly Field[],
  rename: ReadonlyMap<string, string>,
  notation: string,
): readonly Field[] {
  const list = new FieldList();
  for (const [name, value] of fields) {
    if (value === '') continue;
    const known = rename.get(name.toLowerCase()) ?? capitalised(name);
    list.add(isKept(known) ? `${notation}-${known}` : known, value);
  }
  return list.fields;
}

/** `maintained-by` as SOIF names are spelled: `Maintained-By`. Names in capitals stay so. */
function capitalised(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}
