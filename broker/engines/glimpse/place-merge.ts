import { Pacing } from '../../../kernel/index.ts';
import type { DocColumns } from '../documents/doc-columns.ts';
import { keyNumber } from '../index-database/index-keys.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { WriteBatches } from '../index-database/write-batches.ts';
import type { SegmentMerge } from '../segments/segment-content.ts';
import {
  chunkOf,
  chunkStart,
  placeKey,
  placeRange,
  placeTermAt,
  valuesKey,
  valuesRange,
} from './glimpse-keys.ts';
import {
  decodePlaced,
  decodePlaces,
  encodePlaces,
  type ObjectPlaces,
  type PlacedTerm,
} from './place-block.ts';
import { PlacedValues } from './place-writer.ts';
import { sameTerms } from './vocabulary-merge.ts';
import { VocabularyKind } from './vocabulary-writer.ts';

/** Offset of an object's docno in the key of its values. */
const docnoAt = 6;

async function* termsOf(
  database: PostingDatabase,
  { id }: Segment,
  chunk: number,
  kind: VocabularyKind,
): AsyncGenerator<PlacedTerm> {
  for await (const [, value] of database.entries(placeRange(id, chunk, kind))) yield* decodePlaced(value);
}

/** One term with its places in living objects; undefined when there are none. */
function living(same: readonly PlacedTerm[], base: number, columns: DocColumns): PlacedTerm | undefined {
  const forms = new Map<string, { word: string; written: string | undefined; objects: ObjectPlaces[] }>();
  for (const { forms: own } of same)
    for (const { word, written, places } of own) {
      const objects = [...decodePlaces(places, base)].filter(({ docno }) => columns.isAlive(docno));
      if (objects.length === 0) continue;
      const key = `${word}\0${written ?? '\0'}`;
      const known = forms.get(key);
      if (known === undefined) forms.set(key, { word, written, objects });
      else for (const object of objects) known.objects.push(object);
    }
  if (forms.size === 0) return undefined;
  return {
    term: same[0]?.term ?? '',
    forms: Array.from(forms.values(), ({ word, written, objects }) => ({
      ...{ word, written, places: encodePlaces(objects, base) },
    })),
  };
}

/** Merge the places of neighbouring segments, without dead objects. See `SegmentContent.merge`. */
export async function mergePlaces(
  database: PostingDatabase,
  { segments, id, columns, signal }: SegmentMerge,
): Promise<number> {
  const batches = new WriteBatches(database);
  const pacing = new Pacing(64 * 1024);
  const [first, last] = [segments[0] as Segment, segments.at(-1) as Segment];
  for (let chunk = chunkOf(first.from); chunk <= chunkOf(last.to); chunk++) {
    const own = segments.filter(({ from, to }) => chunkOf(from) <= chunk && chunk <= chunkOf(to));
    for (const kind of Object.values(VocabularyKind)) {
      if (own.length === 1 && own[0]?.dead === 0) {
        for await (const [key, value] of database.entries(placeRange(own[0].id, chunk, kind))) {
          signal.throwIfAborted();
          const term = Buffer.from(key.subarray(placeTermAt)).toString();
          await batches.put(placeKey(id, chunk, kind, term), value);
        }
        continue;
      }
      const base = chunkStart(chunk);
      const values = new PlacedValues();
      const streams = own.map((segment) => termsOf(database, segment, chunk, kind));
      for await (const same of sameTerms(streams)) {
        signal.throwIfAborted();
        const term = living(same, base, columns);
        if (term === undefined) continue;
        await pacing.pause(term.forms.reduce((sum, { places }) => sum + places.length, 64));
        const full = values.add(term);
        if (full !== undefined) await batches.put(placeKey(id, chunk, kind, full[0]), full[1]);
      }
      const rest = values.take();
      if (rest !== undefined) await batches.put(placeKey(id, chunk, kind, rest[0]), rest[1]);
    }
  }
  for (const segment of segments)
    for await (const [key, value] of database.entries(valuesRange(segment.id, segment.from, segment.to))) {
      signal.throwIfAborted();
      const docno = keyNumber(key, docnoAt);
      if (columns.isAlive(docno)) await batches.put(valuesKey(id, docno), value);
    }
  await batches.flush();
  return batches.bytes;
}
