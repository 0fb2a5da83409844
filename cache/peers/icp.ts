/** Replies by their number in RFC 2186; `source-echo` is our own datagram, echoed by an origin. */
const replyNames = {
  2: 'hit',
  3: 'miss',
  4: 'error',
  10: 'source-echo',
  11: 'cache-echo',
  21: 'miss-no-fetch',
  22: 'denied',
  23: 'hit-object',
} as const;

export type IcpReplyName = (typeof replyNames)[keyof typeof replyNames];

const replyNumbers = new Map<IcpReplyName, number>(
  Object.entries(replyNames).map(([number, name]) => [name, Number(number)]),
);

export interface IcpQuery {
  readonly kind: 'query';
  /** Chosen by the querying cache, repeated in the answer; 32 bits. */
  readonly requestNumber: number;
  readonly url: string;
  /** The querying cache accepts the object within the answer; we never do. */
  readonly takesObject: boolean;
  /** The querying cache requests the round-trip time between the answering one and the origin. */
  readonly wantsRtt: boolean;
}

export interface IcpReply {
  readonly kind: IcpReplyName;
  readonly requestNumber: number;
  readonly url: string;
  /** Milliseconds between the answering cache and the origin, max 65535. */
  readonly rttMs?: number;
}

export type IcpMessage = IcpQuery | IcpReply;

const version = 2;
const headerBytes = 20;
/** RFC 2186: the max length of a message. */
const maxBytes = 16_384;
const takesObjectFlag = 0x8000_0000;
const rttFlag = 0x4000_0000;

/** Bytes that no URL contains: controls, space, DEL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose.
const notInUrls = /[\x00-\x20\x7f]/;

/**
 * A message of the Internet Cache Protocol, version 2 (RFC 2186 section 2), as one datagram. Undefined when
 * the URL is empty, does not fit in 16384 bytes, or has characters that no URL has.
 */
export function encodeIcp(message: IcpMessage): Uint8Array | undefined {
  const { url } = message;
  const query = message.kind === 'query';
  const urlAt = query ? headerBytes + 4 : headerBytes;
  const object = message.kind === 'hit-object' ? 2 : 0;
  const length = urlAt + url.length + 1 + object;
  if (length > maxBytes || !isUrlText(url)) return undefined;
  const bytes = Buffer.alloc(length);
  bytes[0] = query ? 1 : (replyNumbers.get(message.kind) ?? 0);
  bytes[1] = version;
  bytes.writeUInt16BE(length, 2);
  bytes.writeUInt32BE(message.requestNumber >>> 0, 4);
  if (query) {
    const flags = (message.takesObject ? takesObjectFlag : 0) + (message.wantsRtt ? rttFlag : 0);
    bytes.writeUInt32BE(flags, 8);
  } else if (message.rttMs !== undefined) {
    bytes.writeUInt32BE(rttFlag, 8);
    bytes.writeUInt32BE(Math.min(0xffff, Math.max(0, Math.round(message.rttMs))), 12);
  }
  bytes.write(url, urlAt, 'latin1');
  return bytes;
}

/**
 * Decode a datagram (RFC 2186 section 2). Strict, since anybody may send one: undefined unless version and
 * length are right, the URL is ended by the only NUL, and no unexpected bytes follow.
 */
export function decodeIcp(datagram: Uint8Array): IcpMessage | undefined {
  if (datagram.length < headerBytes + 2 || datagram.length > maxBytes) return undefined;
  const bytes = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.length);
  if (bytes[1] !== version || bytes.readUInt16BE(2) !== bytes.length) return undefined;
  const opcode = bytes.readUInt8(0);
  const requestNumber = bytes.readUInt32BE(4);
  const flags = bytes.readUInt32BE(8);
  if (opcode === 1) {
    const url = lastText(bytes, headerBytes + 4);
    if (url === undefined) return undefined;
    const takesObject = flags >= takesObjectFlag;
    return { kind: 'query', requestNumber, url, takesObject, wantsRtt: (flags & rttFlag) !== 0 };
  }
  const kind = opcode in replyNames ? replyNames[opcode as keyof typeof replyNames] : undefined;
  if (kind === undefined) return undefined;
  const url = kind === 'hit-object' ? urlBeforeObject(bytes) : lastText(bytes, headerBytes);
  if (url === undefined) return undefined;
  const rtt = (flags & rttFlag) === 0 ? {} : { rttMs: bytes.readUInt32BE(12) & 0xffff };
  return { kind, requestNumber, url, ...rtt };
}

/** The NUL-terminated URL that is the rest of a message. */
function lastText(bytes: Buffer, from: number): string | undefined {
  const end = bytes.indexOf(0, from);
  return end === bytes.length - 1 ? urlOf(bytes, from, end) : undefined;
}

/** The URL of a message that continues with 16 bits of length and as many bytes of an object. */
function urlBeforeObject(bytes: Buffer): string | undefined {
  const end = bytes.indexOf(0, headerBytes);
  if (end < 0 || end + 3 > bytes.length || end + 3 + bytes.readUInt16BE(end + 1) !== bytes.length)
    return undefined;
  return urlOf(bytes, headerBytes, end);
}

function urlOf(bytes: Buffer, from: number, end: number): string | undefined {
  if (end <= from) return undefined;
  const url = bytes.toString('latin1', from, end);
  return isUrlText(url) ? url : undefined;
}

/** Whether a text could be a URL on the wire: latin1, not empty, without white space and controls. */
function isUrlText(text: string): boolean {
  if (text === '' || notInUrls.test(text)) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}
