import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { type Random, seededRandom } from '../../kernel/index.ts';
import { encodeObject, printObject, type SummaryObject } from '../../soif/index.ts';

/** Bytes of one level's objects. */
export interface LevelBytes {
  /** As SOIF text. */
  readonly soif: number;
  /** On the wire: binary objects with their signatures, deflated in one context as `wire` does. */
  readonly wire: number;
}

const signatureBytes = 64;
const wireLevel = 4;
/** MessagePack around an object: lengths of body, time and signature. */
const framing = 12;

const hashOf = (object: SummaryObject) => createHash('sha256').update(object.url).digest();
const byHash = (a: SummaryObject, b: SummaryObject) => Buffer.compare(hashOf(a), hashOf(b));

/** Count them. A store that is collected whole sends its objects in the order of their identifiers: that of a hash. */
export function bytesOf(objects: readonly SummaryObject[]): LevelBytes {
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
