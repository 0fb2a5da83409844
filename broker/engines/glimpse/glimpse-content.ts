import type { GlimpseSize } from '../../settings.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { SegmentContent } from '../segments/segment-content.ts';
import { blockBits, keepsPlaces } from '../settings.ts';
import { glimpseSegmentRange } from './glimpse-keys.ts';
import { mergePlaces } from './place-merge.ts';
import { PlaceWriter } from './place-writer.ts';
import { mergeVocabularies } from './vocabulary-merge.ts';
import { VocabularyWriter } from './vocabulary-writer.ts';

// Raised with every change of analysis or layout.
const version = 8;

/** Segments of vocabularies, with the blocks of each term, and its places there. */
export function glimpseContent(
  database: PostingDatabase,
  size: GlimpseSize,
  facetAttributes: readonly string[],
  forget: () => void,
): SegmentContent {
  const bits = blockBits[size];
  return {
    layout: ['glimpse', version, size, ...facetAttributes].join(' '),
    facetAttributes,
    isPacked: true,
    builder: ({ from }) => {
      const writer = new VocabularyWriter(from, bits, keepsPlaces(size) ? new PlaceWriter() : undefined);
      return {
        add: (docno, object, language) => writer.add(docno, object, language),
        take: (id) => writer.take(id),
      };
    },
    merge: async (merge) =>
      (await mergeVocabularies(database, merge, bits)) +
      (keepsPlaces(size) ? await mergePlaces(database, merge) : 0),
    range: glimpseSegmentRange,
    forget,
  };
}
