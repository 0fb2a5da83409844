import { createHash } from 'node:crypto';

/** Object identifier: base64url of 32 bytes, 43 characters. */
export type Oid = string & { readonly brand: 'Oid' };

/** Random id of a server, made once; keys belong to it. base64url of 16 bytes, 22 characters. */
export type ServerId = string & { readonly brand: 'ServerId' };

/** OID = base64url(SHA-256(identity of the Gatherer, then the URL)). */
export function oidOf(gatherer: ServerId, url: string): Oid {
  return createHash('sha256')
    .update(Buffer.from(gatherer, 'base64url'))
    .update(url)
    .digest('base64url') as Oid;
}

/** The 32 bytes of an OID. */
export function oidBytes(oid: Oid): Uint8Array {
  return Buffer.from(oid, 'base64url');
}

/** The OID of 32 bytes. */
export function oidFromBytes(bytes: Uint8Array): Oid {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url') as Oid;
}

/** Whether a text has the form of an OID. */
export function isOid(text: string): text is Oid {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
