import { Packr } from 'msgpackr';
import { failure, GarnerError } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import { checkPackable, checkPacked } from './message-bounds.ts';

/** A typed record of null, booleans, numbers, 64-bit bigints, texts, bytes, arrays and plain objects. */
export interface Message {
  /** 1 to 64 characters. */
  readonly type: string;
  /** Opaque to the wire, at most 1,024 bytes: its maker's token to continue after a cut. */
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
  // A field that the application stores must not hold the whole message in memory.
  copyBuffers: true,
  // Known to the library, absent from its declarations.
  skipValues: [undefined],
};

const packr = new Packr(options);

/** Bytes of a checked record, also of the layer's own. Throws TypeError for a value that cannot be packed. */
export function packRecord(record: Readonly<Record<string, unknown>>): Uint8Array {
  checkPackable(record);
  return packr.pack(record);
}

/** The record in a peer's bytes. Throws WIRE_MESSAGE. */
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

/** A message's bytes. Throws TypeError for a value that cannot be packed, and WIRE_TOO_LARGE above `maxBytes`. */
export function encodeMessage(message: Message, maxBytes: number): Uint8Array {
  const reason = fault(message);
  if (reason) throw new TypeError(`a message cannot be sent: ${reason}`);
  const bytes = packRecord(message);
  if (bytes.length > maxBytes)
    throw failure(wireErrors.WIRE_TOO_LARGE, { what: `A ${message.type} message`, limit: maxBytes });
  return bytes;
}

/** The message in a peer's bytes. Throws WIRE_MESSAGE. */
export function decodeMessage(bytes: Uint8Array): Message {
  const record = unpackRecord(bytes);
  const reason = fault(record);
  if (reason) throw failure(wireErrors.WIRE_MESSAGE, { reason });
  return record as unknown as Message;
}

const maxMessageLength = 500;

/** The report of a failure to a peer: code and message of our own errors, nothing of any other. */
export function reportBytes(reason: unknown): { bytes: Uint8Array; error: GarnerError } {
  const error = reason instanceof GarnerError ? reason : failure(wireErrors.WIRE_CANCELLED, {}, reason);
  const [code, message] =
    reason instanceof GarnerError ? [reason.code, reason.message] : ['INTERNAL', 'an internal error'];
  return { bytes: packRecord({ code, message: message.slice(0, maxMessageLength) }), error };
}

/** The failure that a peer reports, its text cut to size. Throws WIRE_MESSAGE when it is not a report. */
export function remoteFault(payload: Uint8Array): GarnerError {
  const record = unpackRecord(payload);
  const code =
    typeof record.code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(record.code) ? record.code : 'UNKNOWN';
  const message = typeof record.message === 'string' ? record.message.slice(0, maxMessageLength) : '';
  return failure(wireErrors.WIRE_REMOTE, { code, message });
}
