import { type Oid, oidBytes } from './identifiers.ts';

const label = new TextEncoder().encode('garner object 1\n');

/**
 * The bytes that a Gatherer signs for an object: a label, the OID, the digest and the Update-Time in seconds.
 * The signature stays valid wherever the object is forwarded, so anybody can check which Gatherer made it.
 */
export function provenanceBytes(oid: Oid, digest: Uint8Array, updatedAt: number): Uint8Array {
  const bytes = Buffer.alloc(label.length + 32 + 32 + 8);
  bytes.set(label, 0);
  bytes.set(oidBytes(oid), label.length);
  bytes.set(digest, label.length + 32);
  bytes.writeBigUInt64BE(BigInt(updatedAt), label.length + 64);
  return bytes;
}
