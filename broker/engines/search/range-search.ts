import { type RangeNode, readRange } from '../../../query/index.ts';
import { baseName } from '../../../soif/index.ts';
import { valuesField } from '../index-database/index-fields.ts';
import { DocBits } from '../model/doc-bits.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import { isFiled, kindsOf, rangesOver, valueTerm } from '../vocabulary/value-terms.ts';
import type { Told } from './word-search.ts';

/**
 * What the index says of a range over an attribute (lower-case): all of it for numbers and times; undefined for text, and
 * for names that are not filed. Costs a look at the values near its ends, and at buckets of those between.
 */
export async function toldOfRange(
  leaf: RangeNode,
  attribute: string,
  reader: PostingReader,
  signal: AbortSignal | undefined,
): Promise<Told | undefined> {
  const { reading, span } = readRange(leaf, attribute);
  const base = baseName(attribute);
  if (reading === 'text' || span === undefined || !isFiled(base)) return undefined;
  const { low, high, lowOpen, highOpen } = span;
  const bits = new DocBits(reader.lastDocno + 1);
  for (const kind of low <= high ? kindsOf[reading] : []) {
    const [first, last] = [valueTerm(base, kind, low), valueTerm(base, kind, high)];
    for (const range of rangesOver(base, kind, span))
      await reader.sweepRange(
        valuesField,
        range,
        (term, { docnos }) => {
          if ((lowOpen && term === first) || (highOpen && term === last)) return;
          for (const docno of docnos) bits.add(docno);
        },
        signal,
      );
  }
  const possible = bits.docnos();
  // Numbered attributes (`Author-2`) are filed with the others of their name.
  return { sure: base === attribute ? possible : new Uint32Array(), possible };
}
