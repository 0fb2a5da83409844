import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { type Random, seededRandom } from '../../kernel/index.ts';
import { encodeObject, printObject, type SummaryObject } from '../../soif/index.ts';
import type { Collection } from './collections.ts';
import { withIndex } from './engine.ts';
import { fullText, objectsOf, type Variant, variants } from './objects.ts';
import { type Quality, qualityOf } from './quality.ts';

/** Bytes of one level's objects. */
interface LevelBytes {
  /** As SOIF text. */
  readonly soif: number;
  /** On the wire: binary objects with their signatures, deflated in one context as in `wire`. */
  readonly wire: number;
}

const signatureBytes = 64;
const wireLevel = 4;
/** MessagePack around an object: lengths of body, time and signature. */
const framing = 12;

const hashOf = (object: SummaryObject) => createHash('sha256').update(object.url).digest();
const byHash = (a: SummaryObject, b: SummaryObject) => Buffer.compare(hashOf(a), hashOf(b));

/**
 * Count the bytes. A full collection sends the objects of a store in the order of their identifiers, which are
 * hashes.
 */
function bytesOf(objects: readonly SummaryObject[]): LevelBytes {
  const random: Random = seededRandom(1995);
  let soif = 0;
  const parts: Uint8Array[] = [];
  for (const object of [...objects].sort(byHash)) {
    soif += printObject(object).length;
    parts.push(new Uint8Array(framing), encodeObject(object), random.bytes(signatureBytes));
  }
  const wire = deflateRawSync(Buffer.concat(parts), { level: wireLevel }).length;
  return { soif, wire };
}

/** The cost and the retrieval quality of one variant. */
export interface CurvePoint extends LevelBytes {
  readonly name: string;
  /** CPU seconds of making the objects from the read documents. */
  readonly makeSeconds: number;
  /** CPU seconds of indexing until no merge is left. */
  readonly indexSeconds: number;
  readonly indexBytes: number;
  /** By the name of the set of queries. */
  readonly quality: Readonly<Record<string, Quality>>;
}

/** A collection with its curve; the first point is the full text. */
export interface Curve {
  readonly collection: string;
  readonly documents: number;
  /** Bytes of the documents at the provider, and of each compressed by gzip. */
  readonly raw: number;
  readonly gzipped: number;
  /** Bytes on the wire of the documents' `URL-References`, the same at every level. */
  readonly references: number;
  readonly points: readonly CurvePoint[];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const rankedOf = { known: 100, judged: 1000 };

async function pointOf(collection: Collection, variant: Variant): Promise<CurvePoint> {
  const before = process.cpuUsage();
  const objects = objectsOf(collection, variant);
  const { user, system } = process.cpuUsage(before);
  const bytes = bytesOf(objects);
  return await withIndex(objects, async ({ ask, cpuSeconds, indexBytes }) => {
    const quality: Record<string, Quality> = {};
    for (const [set, queries] of Object.entries(collection.queries)) {
      const rankings: (readonly number[])[] = [];
      for (const { text } of queries)
        rankings.push(await ask(text, collection.any, collection.any ? rankedOf.judged : rankedOf.known));
      quality[set] = qualityOf(rankings, queries);
    }
    const makeSeconds = (user + system) / 1e6;
    return { name: variant.name, makeSeconds, indexSeconds: cpuSeconds, indexBytes, ...bytes, quality };
  });
}

/** Measure every variant on a collection, with the same queries and the same setting of the engine. */
export async function curveOf(collection: Collection, onStep: (step: string) => void): Promise<Curve> {
  const { name, documents } = collection;
  const points: CurvePoint[] = [];
  const chosen = documents.some(
    ({ text, blocks }) => text.length > sum(blocks.map((block) => block.text.length + 1)),
  )
    ? variants
    : variants.slice(1);
  for (const variant of [fullText, ...chosen]) {
    onStep(`${name}: ${variant.name}`);
    points.push(await pointOf(collection, variant));
  }
  const alone = bytesOf(objectsOf(collection, { name: '', texts: () => [] })).wire;
  const referring = bytesOf(
    objectsOf(collection, {
      name: '',
      texts: ({ references }) => [['URL-References', references.join('\n')]],
    }),
  ).wire;
  return {
    collection: name,
    documents: documents.length,
    raw: sum(documents.map(({ bytes }) => bytes)),
    gzipped: sum(documents.map(({ gzipped }) => gzipped)),
    references: referring - alone,
    points,
  };
}
