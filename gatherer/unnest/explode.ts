import { isUtf8 } from 'node:buffer';
import { failure, isGarnerError } from '../../kernel/index.ts';
import { isMbox, latin1Start } from '../../readers/bytes/index.ts';
import type { ExplodedRecord } from '../../readers/records/index.ts';
import { decodeText } from '../../readers/text/index.ts';
import type { UnnestBudget } from './budget.ts';
import { unnestErrors } from './errors.ts';
import type { Refused } from './member.ts';
import { shownName } from './member-path.ts';

/** Formats of files with many objects. */
export type ExplodableFormat = (typeof explodableFormats)[number];
export const explodableFormats = ['mbox', 'bibtex', 'ris', 'jsonl', 'csv'] as const;

/** Formats exploded by default; rows of data are exploded only on request. */
export const explodedByDefault: ReadonlySet<ExplodableFormat> = new Set(['mbox', 'bibtex', 'ris']);

/** The format of a document of many objects, or undefined: recognised by its beginning, or else by its name. */
export function explodableFormat(
  type: string,
  bytes: Uint8Array,
  name: string,
): ExplodableFormat | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  switch (type) {
    case 'Mail':
    case 'Text':
      return isMbox(bytes) ? 'mbox' : undefined;
    case 'Bibliographic':
      if (ending === 'ris' || /^[\s\ufeff\xef\xbb\xbf]{0,40}TY {1,3}- /.test(latin1Start(bytes, 8192)))
        return 'ris';
      // Refer and MEDLINE files are bibliographies too, and are not taken apart here.
      return ending === 'bib' || /@[ \t]{0,8}[a-z]{1,40}\s{0,20}[{(]/i.test(latin1Start(bytes, 8192))
        ? 'bibtex'
        : undefined;
    case 'JSON':
      return ending === 'jsonl' || ending === 'ndjson' ? 'jsonl' : undefined;
    case 'Data':
      return ending === 'csv' || ending === 'tsv' ? 'csv' : undefined;
    default:
      return undefined;
  }
}

/**
 * Exploder (Harvest: one file, many objects): the records of a document, one at a time. An unreadable part ends them
 * with a refusal under the document's own name; the records before it are valid.
 * @param decode decodes the document's bytes, if the caller knows its charset
 */
export async function* explode(
  format: ExplodableFormat,
  bytes: Uint8Array,
  name: string,
  budget: UnnestBudget,
  decode: (bytes: Uint8Array) => string = decodeText,
): AsyncGenerator<ExplodedRecord | Refused> {
  const label = shownName(name) || 'document';
  let count = 0;
  let skipped = 0;
  try {
    for await (const record of await recordsOf(format, bytes, decode, () => skipped++)) {
      budget.countMember(label);
      budget.charge(record.bytes.length, label);
      yield record;
      // Readers never wait: yield to the event loop at intervals.
      if (++count % 256 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    if (skipped > 0) throw new SyntaxError(`lines that are not JSON: ${skipped}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'its bytes make no sense';
    yield {
      path: label,
      error: isGarnerError(error)
        ? error
        : failure(unnestErrors.UNNEST_BROKEN, { path: label, reason }, error),
    };
  }
}

async function recordsOf(
  format: ExplodableFormat,
  bytes: Uint8Array,
  decode: (bytes: Uint8Array) => string,
  skipped: () => void,
): Promise<Iterable<ExplodedRecord> | AsyncIterable<ExplodedRecord>> {
  const records = await import('../../readers/records/index.ts');
  switch (format) {
    case 'mbox':
      return records.mboxRecords(bytes);
    case 'bibtex':
      return records.bibtexRecords(decode(bytes));
    case 'ris':
      return records.risRecords(decode(bytes));
    case 'jsonl':
      return records.jsonLineRecords(isUtf8(bytes) ? bytes : Buffer.from(decode(bytes)), skipped);
    case 'csv':
      return records.csvRecords(decode(bytes));
  }
}
