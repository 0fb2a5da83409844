import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { UdpPlace } from './udp-socket.ts';

/** A secret that two caches share, and its shared name. */
export interface HtcpKey {
  readonly name: string;
  readonly secret: string;
}

/** Sender and receiver of a datagram: a signature is valid only for these. */
export interface HtcpWay {
  readonly from: UdpPlace;
  readonly to: UdpPlace;
}

/** How long our signatures are valid, and the max difference between two clocks, in seconds. */
const goodSeconds = 60;
const maxBytes = 16_384;
const headerBytes = 4;
const digestBytes = 16;
/** Length, times, and the lengths of name and signature. */
const fixedBytes = 2 + 8 + 2 + 2;

/**
 * A message with its AUTH (RFC 2756 2) filled in: HMAC-MD5, over all the bytes of IPv6 addresses. Undefined
 * when it would be too long, or an address is invalid.
 */
export function signHtcp(
  message: Uint8Array,
  key: HtcpKey,
  way: HtcpWay,
  nowSeconds: number,
): Uint8Array | undefined {
  const name = Buffer.from(key.name, 'latin1');
  const authAt = message.length - 2;
  const authBytes = fixedBytes + name.length + digestBytes;
  const bytes = Buffer.alloc(authAt + authBytes);
  if (bytes.length > maxBytes || isIP(way.from.address) === 0 || isIP(way.to.address) === 0) return undefined;
  bytes.set(message.subarray(0, authAt));
  bytes.writeUInt16BE(bytes.length, 0);
  bytes.writeUInt16BE(authBytes, authAt);
  bytes.writeUInt32BE(Math.floor(nowSeconds) >>> 0, authAt + 2);
  bytes.writeUInt32BE((Math.floor(nowSeconds) + goodSeconds) >>> 0, authAt + 6);
  bytes.writeUInt16BE(name.length, authAt + 10);
  name.copy(bytes, authAt + 12);
  const signatureAt = authAt + 12 + name.length;
  bytes.writeUInt16BE(digestBytes, signatureAt);
  digestOf(bytes, authAt, key, way).copy(bytes, signatureAt + 2);
  return bytes;
}

/** Whether a readable datagram is signed with this key for this way and time. Lengths must be exact. */
export function htcpSignature(
  datagram: Uint8Array,
  key: HtcpKey,
  way: HtcpWay,
  nowSeconds: number,
): 'good' | 'bad' | 'absent' {
  const bytes = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.length);
  if (bytes.length < headerBytes + 2) return 'bad';
  const authAt = headerBytes + bytes.readUInt16BE(4);
  if (authAt + 2 === bytes.length) return 'absent';
  const name = Buffer.from(key.name, 'latin1');
  const signatureAt = authAt + 12 + name.length;
  if (bytes.length !== authAt + fixedBytes + name.length + digestBytes) return 'bad';
  if (isIP(way.from.address) === 0 || isIP(way.to.address) === 0) return 'bad';
  const lengths = [
    bytes.readUInt16BE(authAt),
    bytes.readUInt16BE(authAt + 10),
    bytes.readUInt16BE(signatureAt),
  ];
  if (lengths[0] !== bytes.length - authAt || lengths[1] !== name.length || lengths[2] !== digestBytes)
    return 'bad';
  const [fromSeconds, untilSeconds] = [bytes.readUInt32BE(authAt + 2), bytes.readUInt32BE(authAt + 6)];
  if (nowSeconds < fromSeconds - goodSeconds || nowSeconds > untilSeconds + goodSeconds) return 'bad';
  const signature = bytes.subarray(signatureAt + 2);
  const isGood =
    bytes.subarray(authAt + 12, signatureAt).equals(name) &&
    timingSafeEqual(signature, digestOf(bytes, authAt, key, way));
  return isGood ? 'good' : 'bad';
}

function digestOf(bytes: Buffer, authAt: number, key: HtcpKey, { from, to }: HtcpWay): Buffer {
  const nameBytes = 2 + bytes.readUInt16BE(authAt + 10);
  const hmac = createHmac('md5', Buffer.from(key.secret, 'utf8'));
  for (const { address, port } of [from, to])
    hmac.update(addressBytes(address)).update(Buffer.of(port >> 8, port & 255));
  hmac.update(bytes.subarray(2, 4)).update(bytes.subarray(authAt + 2, authAt + 10));
  hmac
    .update(bytes.subarray(headerBytes, authAt))
    .update(bytes.subarray(authAt + 10, authAt + 10 + nameBytes));
  return hmac.digest();
}

/** The wire form of an address: four bytes, or sixteen. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // An address has many spellings; a URL's host has one.
  const plain = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : new Array<string>(8 - left.length - right.length).fill('0');
  return Buffer.from([...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
