import { crc32 } from 'node:zlib';
import { failure } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';

/** The purpose of a frame; the number is its high half-byte on the wire. */
export const frameKinds = { data: 0, credit: 1, abort: 2, bye: 3 } as const;
export type FrameKind = keyof typeof frameKinds;
const kindNames: readonly FrameKind[] = ['data', 'credit', 'abort', 'bye'];

const bits = { deflated: 1, more: 2, end: 4, open: 8 } as const;

/** One frame with its payload decoded. */
export interface Frame {
  readonly kind: FrameKind;
  /** 0 for frames about the whole session. */
  readonly channel: number;
  readonly open?: boolean;
  /** The message goes on in the channel's next frame. */
  readonly more?: boolean;
  /** The sender sends nothing more on this channel. */
  readonly end?: boolean;
  readonly payload: Uint8Array;
}

/** A frame as received, its payload perhaps still deflated. */
export interface EncodedFrame extends Frame {
  readonly deflated: boolean;
  /** Declared length of the decoded payload. */
  readonly length: number;
  readonly checksum: number;
  /** Header bytes that the checksum covers. */
  readonly header: Uint8Array;
}

/** Max channel number and length that a header can carry. */
export const maxHeaderNumber = 2 ** 31 - 1;

/** Max bytes of a header: flags, two varints of five, checksum. */
export const maxHeaderBytes = 15;

function writeVarint(target: Uint8Array, at: number, value: number): number {
  let rest = value;
  let position = at;
  while (rest >= 0x80) {
    target[position++] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 128);
  }
  target[position++] = rest;
  return position;
}

/** Read an unsigned LEB128 number below 2^31 as [value, next position]. Throws WIRE_FRAME. */
export function readVarint(bytes: Uint8Array, at: number): [number, number] {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) throw failure(wireErrors.WIRE_FRAME, { reason: 'its header is cut short' });
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) {
      if (value > maxHeaderNumber) break;
      return [value, at + index + 1];
    }
  }
  throw failure(wireErrors.WIRE_FRAME, { reason: 'a number in its header is too large' });
}

export function varintBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(5);
  return bytes.subarray(0, writeVarint(bytes, 0, value));
}

/** CRC-32 over the header and the decoded payload: damage to either shows. */
export function frameChecksum(header: Uint8Array, payload: Uint8Array): number {
  return crc32(payload, crc32(header));
}

/** A frame's bytes: flags, channel and decoded length, CRC-32, the payload, or `deflated` in its place. */
export function frameBytes(frame: Frame, deflated?: Uint8Array): Uint8Array {
  const body = deflated ?? frame.payload;
  const bytes = Buffer.allocUnsafe(maxHeaderBytes + body.length);
  bytes[0] =
    (frameKinds[frame.kind] << 4) |
    (deflated ? bits.deflated : 0) |
    (frame.more ? bits.more : 0) |
    (frame.end ? bits.end : 0) |
    (frame.open ? bits.open : 0);
  const at = writeVarint(bytes, writeVarint(bytes, 1, frame.channel), frame.payload.length);
  bytes.writeUInt32LE(frameChecksum(bytes.subarray(0, at), frame.payload), at);
  bytes.set(body, at + 4);
  return bytes.subarray(0, at + 4 + body.length);
}

/** Parse a frame's header; the payload stays as received. Throws WIRE_FRAME. */
export function parseFrame(bytes: Uint8Array): EncodedFrame {
  const flags = bytes[0];
  const kind = flags === undefined ? undefined : kindNames[flags >> 4];
  if (flags === undefined || kind === undefined)
    throw failure(wireErrors.WIRE_FRAME, { reason: 'its kind is unknown' });
  const [channel, afterChannel] = readVarint(bytes, 1);
  const [length, at] = readVarint(bytes, afterChannel);
  if (bytes.length < at + 4) throw failure(wireErrors.WIRE_FRAME, { reason: 'its header is cut short' });
  const frame = {
    kind,
    channel,
    open: (flags & bits.open) !== 0,
    more: (flags & bits.more) !== 0,
    end: (flags & bits.end) !== 0,
    deflated: (flags & bits.deflated) !== 0,
    length,
    header: bytes.subarray(0, at),
    checksum: new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true),
    payload: bytes.subarray(at + 4),
  };
  const fault = shapeFault(frame);
  if (fault) throw failure(wireErrors.WIRE_FRAME, { reason: fault });
  return frame;
}

function shapeFault(frame: EncodedFrame): string | undefined {
  if (!frame.deflated && frame.payload.length !== frame.length) return 'its length is not the declared one';
  if (frame.deflated && frame.length === 0) return 'it deflates nothing';
  if ((frame.kind === 'bye') !== (frame.channel === 0)) return `${frame.kind} on channel ${frame.channel}`;
  if (frame.kind !== 'data' && (frame.open || frame.more || frame.end || frame.deflated))
    return `${frame.kind} with flags that only data may have`;
  if (frame.more && frame.end) return 'it ends its channel within a message';
  if (frame.length === 0 && frame.kind === 'data' && (frame.open || !frame.end)) return 'it holds no data';
  return undefined;
}

/** Credit for a frame beside its bytes: bounds the memory of many tiny messages. A bare end costs none. */
export const frameCostBytes = 64;

/** Credit that a data frame of `length` decoded bytes costs. */
export function frameCost(length: number): number {
  return length === 0 ? 0 : length + frameCostBytes;
}
