import { type Oid, oidFromBytes } from '../soif/index.ts';

/** Log sequence number of a store's change: 1, 2, 3, ... within an epoch; 0 is before the first. */
export type Lsn = number;

/** Random id of a store's life, renewed when it is rebuilt. base64url of 12 bytes. */
export type Epoch = string & { readonly brand: 'Epoch' };

/** An object's name between a store and a client: the first 16 bytes of its OID, one character a byte. */
export type Handle = string & { readonly brand: 'Handle' };

/** Bytes of a handle, and of a signature, on the wire. */
export const handleBytes = 16;
export const signatureBytes = 16;

const decoded = Buffer.alloc(32);

/** The handle of an object: the first 16 bytes of its OID, a character a byte. Throws TypeError when it is no OID. */
export function handleOf(oid: Oid): Handle {
  if (decoded.write(oid, 'base64url') < handleBytes) throw new TypeError(`${oid} is no OID`);
  return decoded.toString('latin1', 0, handleBytes) as Handle;
}

export function handleFrom(bytes: Uint8Array): Handle {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') as Handle;
}

export function bytesOfHandle(handle: Handle): Uint8Array {
  return Buffer.from(handle, 'latin1');
}

/** The OID used where only the handle is known: the handle and zeros. */
export function oidOfBareHandle(handle: Handle): Oid {
  return oidFromBytes(Buffer.concat([bytesOfHandle(handle), new Uint8Array(32 - handleBytes)]));
}

/** The last OID that could have a handle: any OID after it has a later handle. */
export function lastOidOf(handle: Handle): Oid {
  return oidFromBytes(Buffer.concat([bytesOfHandle(handle), new Uint8Array(32 - handleBytes).fill(0xff)]));
}

/** The signature of a content in comparisons: the first 128 bits of its digest (paper, section 5.4). */
export function signatureOf(digest: Uint8Array): Uint8Array {
  return digest.subarray(0, signatureBytes);
}

/** Whether two signatures, digests or other bytes are equal. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
