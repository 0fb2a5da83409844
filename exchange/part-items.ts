import type { PublishedObject } from '../awareness/index.ts';
import {
  decodeObject,
  encodeObject,
  type Oid,
  oidBytes,
  oidFromBytes,
  type ServerId,
} from '../soif/index.ts';
import { bad, bytesField, serverIdBytes, serverIdField, timeField } from './fields.ts';

/** Some attributes of an object, with the OID and digest of the whole, which no longer follow from the body. */
export interface PartItem extends Omit<PublishedObject, 'oid'> {
  readonly oid: Oid;
}

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
  return publisher === speaker ? item : [...item, serverIdBytes(publisher)];
}

export function readPartItem(item: unknown, type: string, speaker: ServerId): PartItem {
  if (!Array.isArray(item) || item.length < 5 || item.length > 6) bad(type, 'has a malformed object');
  const [body, updatedAt, signature, oid, digest, publisher] = item as unknown[];
  return {
    body: bytesField(body, type, 'body'),
    updatedAt: timeField(updatedAt, type),
    signature: bytesField(signature, type, 'signature', 64),
    oid: oidFromBytes(bytesField(oid, type, 'oid', 32)),
    digest: bytesField(digest, type, 'digest', 32),
    publisher: publisher === undefined ? speaker : serverIdField(publisher, type),
  };
}
