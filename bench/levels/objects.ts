import { createHash } from 'node:crypto';
import { levelFields, type ReadDocument } from '../../gatherer/index.ts';
import { type SummaryObject, summaryObject } from '../../soif/index.ts';
import type { Collection, Document } from './collections.ts';

type Pair = readonly [name: string, value: string | number];

/** One point of the curve: a way to make attributes from a document's text. */
export interface Variant {
  readonly name: string;
  readonly texts: (document: Document, read: ReadDocument) => readonly Pair[];
}

const scaled = (level: 'terse' | 'selected', size: number): Variant => ({
  name: size === 1 ? level : `${level} \u00d7${size}`,
  texts: (_, read) => levelFields(read, level, Number.MAX_SAFE_INTEGER, size).fields,
});

const beginning = (length: number): Variant => ({
  name: `first ${length} characters`,
  texts: (_, { blocks }) => [
    [
      'Partial-Text',
      blocks
        .map(({ text }) => text)
        .join('\n')
        .slice(0, length),
    ],
  ],
});

/** The baseline: all of the main text. */
export const fullText: Variant = {
  name: 'full',
  texts: (_, read) => levelFields(read, 'full', Number.MAX_SAFE_INTEGER).fields,
};

/** The levels, and other variants for comparison. */
export const variants: readonly Variant[] = [
  { name: 'full, navigation too', texts: ({ text }) => [['Full-Text', text]] },
  ...[0.25, 0.5, 1, 2, 4].map((size) => scaled('selected', size)),
  ...[0.5, 1, 2, 4].map((size) => scaled('terse', size)),
  ...[500, 2000].map(beginning),
  { name: 'fields alone', texts: () => [] },
];

/** The attributes that a document has at every level. */
function fieldsOf({ url, bytes }: Document): Pair[] {
  return [
    ['Type', 'HTML'],
    ['File-Size', bytes],
    ['Last-Modification-Time', 1_696_678_500],
    ['MD5', createHash('md5').update(url).digest('hex')],
    ['Update-Time', 1_795_258_717],
    ['Time-to-Live', 2_592_000],
    ['Refresh-Rate', 604_800],
    ['Gatherer-Name', 'docs'],
    ['Gatherer-Host', 'docs.example.org'],
    ['Gatherer-Version', '0.1.0'],
  ];
}

/** The objects of a collection's documents, without `URL-References`. */
export function objectsOf({ documents, titles }: Collection, { texts }: Variant): SummaryObject[] {
  return documents.map((document) => {
    const { url, title, blocks } = document;
    const read: ReadDocument = { ...(titles ? { title } : {}), fields: [], blocks };
    const pairs: Pair[] = titles ? [['Title', title]] : [];
    pairs.push(...fieldsOf(document), ...texts(document, read));
    return summaryObject(
      url,
      pairs.filter(([, value]) => value !== ''),
    );
  });
}
