import { type Language, languageOfObject } from '../../../query/index.ts';
import type { SummaryObject } from '../../../soif/index.ts';
import type { FieldLength } from '../index-database/index-state.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';

/** Makes one segment of a batch of objects, given in the order of their docnos. */
export interface SegmentBuilder {
  add(docno: number, object: SummaryObject, language: Language): Promise<void>;
  /** The writes that make it segment `id`. */
  take(id: number): MadeSegment | Promise<MadeSegment>;
}

export interface MadeSegment {
  readonly writes: readonly PostingWrite[];
  /** Bytes of the writes' values. */
  readonly bytes: number;
  /** The lengths of the moment's fields with this segment's objects counted; absent: unchanged. */
  readonly lengths?: readonly FieldLength[];
}

/** Objects of a batch, in the order of their docnos, that become one segment. */
export interface SegmentPart {
  readonly id: number;
  /** The docno of the first object. The others follow. */
  readonly from: number;
  readonly objects: readonly SummaryObject[];
  /** The lengths of fields before this batch. */
  readonly lengths: readonly FieldLength[];
  readonly fallback: Language;
}

export interface BuiltSegment extends MadeSegment {
  readonly id: number;
  readonly from: number;
  /** Of each object. */
  readonly languages: readonly Language[];
}

export async function buildSegment(builder: SegmentBuilder, part: SegmentPart): Promise<BuiltSegment> {
  const { id, from, objects, fallback } = part;
  const languages: Language[] = [];
  for (const [index, object] of objects.entries()) {
    const language = languageOfObject(object, fallback);
    await builder.add(from + index, object, language);
    languages.push(language);
  }
  return { ...(await builder.take(id)), id, from, languages };
}

/** Parts of about equal bytes; fewer where there are fewer objects. */
export function partsOf(part: SegmentPart, count: number): SegmentPart[] {
  const sizes = part.objects.map(bytesOf);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const parts: SegmentPart[] = [];
  let [first, bytes] = [0, 0];
  for (const [index, size] of sizes.entries()) {
    bytes += size;
    const isLast = index + 1 === sizes.length;
    if (!isLast && bytes * count < all * (parts.length + 1)) continue;
    const objects = part.objects.slice(first, index + 1);
    parts.push({ ...part, id: part.id + parts.length, from: part.from + first, objects });
    first = index + 1;
  }
  return parts;
}

const ownBytes = 64;

/** Bytes of an object: its values, and some for itself. */
export const bytesOf = ({ attributes }: SummaryObject): number =>
  attributes.reduce((sum, { value }) => sum + value.length, ownBytes);

/** Add up the lengths of fields that several segments each added to the same start. */
export function joinedLengths(
  known: readonly FieldLength[],
  built: readonly MadeSegment[],
): readonly FieldLength[] {
  let joined = known;
  for (const { lengths } of built)
    joined =
      lengths?.map(({ objects, tokens }, field) => ({
        objects: objects + (joined[field]?.objects ?? 0) - (known[field]?.objects ?? 0),
        tokens: tokens + (joined[field]?.tokens ?? 0) - (known[field]?.tokens ?? 0),
      })) ?? joined;
  return joined;
}
