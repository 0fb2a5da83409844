import { isSearchedByBareWords, scanWords } from '../../query/index.ts';
import { baseName, decodeObject, type ServerId, type SummaryObject } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { sortedPages } from './sorted-pages.ts';

export interface CentroidOptions {
  readonly store: Pick<ObjectStore, 'snapshot'>;
  /** Identifies the responding server. */
  readonly server: ServerId;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Max UTF-16 units in memory at once; for tests. */
  readonly units?: number;
}

const chunkLength = 64 * 1024;
const embedPrefix = /^(?:embed<\d{1,9}>-)+/;
/** Letters and digits of ISO-8859-1, which the protocol demands, and the signs that a word may keep. */
const latin1 = /^[0-9A-Za-z+#ªµºÀ-ÖØ-öø-ÿ]{1,64}$/;
const decoder = new TextDecoder();

/** `YYYYMMDDHHMM` in GMT. */
const timeOf = (ms: number) => new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 12);

/**
 * A word as it is written, in lower case; without accents where it has letters that ISO-8859-1 lacks. Undefined for
 * one that the protocol cannot carry.
 */
function listedWord(written: string, plain: string): string | undefined {
  const lower = written.normalize('NFC').toLowerCase();
  if (latin1.test(lower)) return lower;
  return latin1.test(plain) ? plain : undefined;
}

/** An entry for each word of an object: template type, attribute and word, so that order groups them. */
function takeWords({ templateType, attributes }: SummaryObject, take: (entry: string) => void): void {
  for (const { name, value } of attributes) {
    if (!isSearchedByBareWords(name)) continue;
    const field = baseName(name).replace(embedPrefix, '');
    const text = decoder.decode(value);
    scanWords(text, (plain, _, start, end) => {
      const word = listedWord(text.slice(start, end), plain);
      if (word !== undefined) take(`${templateType}\0${field}\0${word}`);
      return false;
    });
  }
}

/**
 * The full centroid of a store at one moment, in the form of RFC 1913 section 6.3. Its lines are made as they are
 * read. Memory stays bounded: a large store is read several times.
 */
export async function* centroidText(options: CentroidOptions): AsyncGenerator<string, void, undefined> {
  const { store, server, now, signal, units } = options;
  await using snapshot = await store.snapshot();
  let text = [
    '# CENTROID-CHANGES',
    ' Version-number: 1.0',
    ' Start-time: 197001010000',
    ` End-time: ${timeOf(now)}`,
    ` Server-handle: ${server}`,
    ' Case-sensitive: FALSE',
    ' Authentication-type: NONE',
    ' Authentication-data: ',
    ' Compression-type: NONE',
    ' Operation: FULL',
    '',
  ].join('\r\n');
  let [type, field]: (string | undefined)[] = [];
  const pages = sortedPages(async (take) => {
    for await (const change of snapshot.changesSince(0)) {
      signal.throwIfAborted();
      if (change.kind === 'put') takeWords(decodeObject(change.object.body), take);
    }
  }, units);
  for await (const page of pages)
    for (const entry of page) {
      const [ownType, ownField, word] = entry.split('\0');
      const isSame = ownType === type && ownField === field;
      if (!isSame && field !== undefined) text += '# END FIELD\r\n';
      if (ownType !== type) {
        if (type !== undefined) text += '# END TEMPLATE\r\n';
        // Times, sizes and the like are not listed: a query for such an attribute must still be referred here.
        text += `# BEGIN TEMPLATE\r\n Template: ${ownType}\r\n Any-field: TRUE\r\n`;
      }
      text += isSame ? `-${word}\r\n` : `# BEGIN FIELD\r\n Field: ${ownField}\r\n Data: ${word}\r\n`;
      [type, field] = [ownType, ownField];
      if (text.length < chunkLength) continue;
      yield text;
      text = '';
    }
  if (type !== undefined) text += '# END FIELD\r\n# END TEMPLATE\r\n';
  yield `${text}# END CENTROID-CHANGES\r\n`;
}
