import { Packr } from 'msgpackr';
import { failure } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import { checkPackable, checkPacked } from './message-bounds.ts';

/**
 * What travels on a channel: a record with a type. Values are null, booleans, numbers, bigints of 64 bits, strings,
 * Uint8Array, arrays and plain objects; undefined fields are left out.
 */
export interface Message {
  /** 1 to 64 characters. */
  readonly type: string;
  /** Opaque to the wire, at most 1,024 bytes: what its maker needs to go on after a cut. */
  readonly resume?: Uint8Array;
  readonly [field: string]: unknown;
}

const maxTypeLength = 64;
const maxResumeBytes = 1024;

const options = {
  // Records (shared structures) are a decoder state that a peer could grow and confuse.
  useRecords: false,
  mapsAsObjects: true,
  variableMapSize: true,
  encodeUndefinedAsNil: true,
  // A field kept by the application must not hold the whole message in memory.
  copyBuffers: true,
  // Known to the library, absent from its declarations.
  skipValues: [undefined],
};

const packr = new Packr(options);

/** Bytes of any checked record, for the layer's own records too. Throws TypeError for what cannot travel. */
export function packRecord(record: Readonly<Record<string, unknown>>): Uint8Array {
  checkPackable(record);
  return packr.pack(record);
}

/** The record that a peer's bytes hold. Throws WIRE_MESSAGE. */
export function unpackRecord(bytes: Uint8Array): Record<string, unknown> {
  checkPacked(bytes);
  try {
    // A plain view, so that binary fields come out as Uint8Array and not as Buffer.
    return packr.unpack(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (cause) {
    throw failure(wireErrors.WIRE_MESSAGE, { reason: 'its packing is broken' }, cause);
  }
}

function fault(message: Readonly<Record<string, unknown>>): string | undefined {
  const { type, resume } = message;
  if (typeof type !== 'string' || type.length === 0 || type.length > maxTypeLength) return 'it has no type';
  if (resume === undefined) return undefined;
  if (!(resume instanceof Uint8Array)) return 'its resume token is not bytes';
  if (resume.length > maxResumeBytes) return `its resume token is over ${maxResumeBytes} bytes`;
  return undefined;
}

/** A message's bytes. Throws TypeError for what cannot travel and WIRE_TOO_LARGE above `maxBytes`. */
export function encodeMessage(message: Message, maxBytes: number): Uint8Array {
  const reason = fault(message);
  if (reason) throw new TypeError(`a message cannot be sent: ${reason}`);
  const bytes = packRecord(message);
  if (bytes.length > maxBytes)
    throw failure(wireErrors.WIRE_TOO_LARGE, { what: `A ${message.type} message`, limit: maxBytes });
  return bytes;
}

/** The message that a peer's bytes hold. Throws WIRE_MESSAGE. */
export function decodeMessage(bytes: Uint8Array): Message {
  const record = unpackRecord(bytes);
  const reason = fault(record);
  if (reason) throw failure(wireErrors.WIRE_MESSAGE, { reason });
  return record as unknown as Message;
}
