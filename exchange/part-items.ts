import type { PublishedObject } from '../awareness/index.ts';
import { decodeObject, encodeObject, oidBytes, oidFromBytes, type ServerId } from '../soif/index.ts';
import { bytesField } from './fields.ts';
import { itemBy, signedValues, valuesOf } from './object-items.ts';

// Some attributes of an object, with the OID and digest of the whole, which no longer follow from the body.

/** A function that reduces an object to these attributes (names without regard to case). */
export function projection(names: readonly string[]): (object: PublishedObject) => PublishedObject {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return (object) => {
    const summary = decodeObject(object.body);
    const attributes = summary.attributes.filter(({ name }) => wanted.has(name.toLowerCase()));
    return { ...object, body: encodeObject({ ...summary, attributes }) };
  };
}

export function partItem(object: PublishedObject, speaker: ServerId): readonly unknown[] {
  const { body, updatedAt, signature, oid, digest, publisher } = object;
  const item = [body, updatedAt, signature, oidBytes(oid), digest];
  return itemBy(publisher, item, speaker);
}

export function readPartItem(item: unknown, type: string, speaker: ServerId): PublishedObject {
  const [body, updatedAt, signature, oid, digest, publisher] = valuesOf(item, 5, type, 'object');
  return {
    body: bytesField(body, type, 'body'),
    oid: oidFromBytes(bytesField(oid, type, 'oid', 32)),
    digest: bytesField(digest, type, 'digest', 32),
    ...signedValues(updatedAt, signature, publisher, type, speaker),
  };
}
