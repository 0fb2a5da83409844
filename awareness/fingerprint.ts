import { hash } from 'node:crypto';
import type { Oid } from '../soif/index.ts';
import { type Epoch, type Handle, handleBytes, handleOf, signatureBytes, signatureOf } from './handle.ts';
import { type ShortId, shortIdOfText } from './short-id.ts';

/** The bytes to hash, one part after the other: epoch, handle, signature. */
let hashed = Buffer.alloc(64);
let hashedEpoch: Epoch | undefined;
let epochBytes = 0;

/**
 * The element of an object in a set's summaries: SHA-256(epoch, handle, signature), 32 bytes. The epoch keys it, so
 * that collisions found for one life of a store are useless in the next.
 */
export function elementOf(epoch: Epoch, handle: Handle, signature: Uint8Array): Uint8Array {
  return hash('sha256', toHash(epoch, handle, signature), 'buffer');
}

/** The short id of that element alone, computed through text: millions of small buffers would cost memory. */
export function shortIdFor(epoch: Epoch, handle: Handle, signature: Uint8Array): ShortId {
  return shortIdOfText(handle, hash('sha256', toHash(epoch, handle, signature), 'binary'));
}

function toHash(epoch: Epoch, handle: Handle, signature: Uint8Array): Uint8Array {
  if (handle.length !== handleBytes || signature.length !== signatureBytes)
    throw new TypeError(`an element has ${handleBytes} and ${signatureBytes} bytes`);
  if (epoch !== hashedEpoch) {
    const bytes = Buffer.from(epoch, 'base64url');
    hashed = Buffer.alloc(bytes.length + handleBytes + signatureBytes);
    hashed.set(bytes);
    [hashedEpoch, epochBytes] = [epoch, bytes.length];
  }
  hashed.write(handle, epochBytes, 'latin1');
  hashed.set(signature, epochBytes + handleBytes);
  return hashed;
}

/** The same for an object known by its OID and digest. */
export function elementId(epoch: Epoch, oid: Oid, digest: Uint8Array): Uint8Array {
  return elementOf(epoch, handleOf(oid), signatureOf(digest));
}

const encodedLength = 40;

/**
 * A set of elements as their sum modulo 2^256 and their number. Adding and removing cost the same for any size of
 * the set, order does not matter, and equal sets have equal fingerprints.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { createHash } from 'node:crypto';
 * import { SetFingerprint } from 'garner/awareness';
 *
 * const element = (name) => createHash('sha256').update(name).digest();
 * const [ours, theirs] = [new SetFingerprint(), new SetFingerprint()];
 * for (const name of ['a', 'b', 'c']) ours.add(element(name));
 * ours.remove(element('b'));
 * for (const name of ['c', 'a']) theirs.add(element(name));
 * assert.deepEqual(ours.digest(), theirs.digest());
 */
export class SetFingerprint {
  readonly #sum = new Uint32Array(8);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Add an element: 32 bytes, not in the set. */
  add(element: Uint8Array): void {
    const view = new DataView(element.buffer, element.byteOffset, 32);
    let carry = 0;
    for (let i = 0; i < 8; i++) {
      const total = (this.#sum[i] as number) + view.getUint32(i * 4, true) + carry;
      this.#sum[i] = total;
      carry = total > 0xffffffff ? 1 : 0;
    }
    this.#count++;
  }

  /** Remove an element of the set. */
  remove(element: Uint8Array): void {
    const view = new DataView(element.buffer, element.byteOffset, 32);
    let borrow = 0;
    for (let i = 0; i < 8; i++) {
      const total = (this.#sum[i] as number) - view.getUint32(i * 4, true) - borrow;
      this.#sum[i] = total;
      borrow = total < 0 ? 1 : 0;
    }
    this.#count--;
  }

  /** Remove the elements of a part of the set. */
  subtract(part: SetFingerprint): void {
    let borrow = 0;
    for (let i = 0; i < 8; i++) {
      const total = (this.#sum[i] as number) - (part.#sum[i] as number) - borrow;
      this.#sum[i] = total;
      borrow = total < 0 ? 1 : 0;
    }
    this.#count -= part.#count;
  }

  copy(): SetFingerprint {
    const copy = new SetFingerprint();
    copy.#sum.set(this.#sum);
    copy.#count = this.#count;
    return copy;
  }

  /** The 16 bytes that two sides compare: the start of SHA-256 over sum and count. */
  digest(): Uint8Array {
    return new Uint8Array(hash('sha256', this.encode(), 'buffer').subarray(0, 16));
  }

  /** 40 bytes from which `decode` makes the same fingerprint. */
  encode(): Uint8Array {
    const bytes = Buffer.alloc(encodedLength);
    this.#sum.forEach((word, i) => {
      bytes.writeUInt32LE(word, i * 4);
    });
    bytes.writeDoubleLE(this.#count, 32);
    return bytes;
  }

  static decode(bytes: Uint8Array): SetFingerprint {
    if (bytes.length !== encodedLength)
      throw new TypeError(`a fingerprint is ${encodedLength} bytes, not ${bytes.length}`);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const fingerprint = new SetFingerprint();
    for (let i = 0; i < 8; i++) fingerprint.#sum[i] = buffer.readUInt32LE(i * 4);
    fingerprint.#count = buffer.readDoubleLE(32);
    return fingerprint;
  }
}
