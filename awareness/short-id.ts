import { type Oid, oidFromBytes } from '../soif/index.ts';

/**
 * 48 bits that name an element in one life of a store: 20 of its handle, so that a store ordered by handle
 * finds it without a second index, and 28 of the keyed element id.
 */
export type ShortId = number & { readonly brand: 'ShortId' };

/** Bytes of a short id on the wire. */
export const shortIdBytes = 6;

const half = 2 ** 24;

/** The short id of the element with this handle and element id (`elementId`). */
export function shortIdOf(handle: Uint8Array, element: Uint8Array): ShortId {
  return packed(
    (at) => handle[at] ?? 0,
    (at) => element[at] ?? 0,
  );
}

/** The same of both as text, a character a byte. */
export function shortIdOfText(handle: string, element: string): ShortId {
  return packed(
    (at) => handle.charCodeAt(at),
    (at) => element.charCodeAt(at),
  );
}

function packed(handle: (at: number) => number, element: (at: number) => number): ShortId {
  const high = (handle(0) << 16) | (handle(1) << 8) | (handle(2) & 0xf0) | (element(0) & 0x0f);
  const low = (element(1) << 16) | (element(2) << 8) | element(3);
  return (high * half + low) as ShortId;
}

/** The upper and lower 24 bits. */
export const highHalf = (id: number): number => Math.floor(id / half);
export const lowHalf = (id: number): number => id % half;

/** The short id with these halves of 24 bits. */
export const fromHalves = (high: number, low: number): ShortId => (high * half + low) as ShortId;

/** The handles that may have this short id: from `first` (3 bytes, inclusive) to `end` (exclusive; none at the top). */
export function handlesOf(id: ShortId): { readonly first: Uint8Array; readonly end: Uint8Array | undefined } {
  const start = highHalf(id) & 0xfffff0;
  const bytes = (value: number) => Uint8Array.of(value >>> 16, (value >>> 8) & 0xff, value & 0xff);
  return { first: bytes(start), end: start === 0xfffff0 ? undefined : bytes(start + 0x10) };
}

/** The last OID before all OIDs whose object may have this short id, or undefined when that may be the first. */
export function oidBefore(id: ShortId): Oid | undefined {
  const start = (highHalf(id) & 0xfffff0) - 1;
  if (start < 0) return undefined;
  const head = Uint8Array.of(start >>> 16, (start >>> 8) & 0xff, start & 0xff);
  return oidFromBytes(Buffer.concat([head, new Uint8Array(29).fill(0xff)]));
}

/** Short ids as bytes, six each. */
export function encodeShortIds(ids: readonly ShortId[]): Uint8Array {
  const bytes = Buffer.alloc(ids.length * shortIdBytes);
  ids.forEach((id, i) => {
    bytes.writeUIntBE(id, i * shortIdBytes, shortIdBytes);
  });
  return bytes;
}

/** The short ids in these bytes. Throws TypeError when the length is not a multiple of six. */
export function decodeShortIds(bytes: Uint8Array): ShortId[] {
  if (bytes.length % shortIdBytes !== 0)
    throw new TypeError(`${bytes.length} bytes are no list of short ids of ${shortIdBytes} bytes`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from(
    { length: bytes.length / shortIdBytes },
    (_, i) => buffer.readUIntBE(i * shortIdBytes, shortIdBytes) as ShortId,
  );
}
