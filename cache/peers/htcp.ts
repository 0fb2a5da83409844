/** The object of a message, as an HTTP request (RFC 2756 section 3.1, SPECIFIER). */
export interface HtcpSpecifier {
  readonly method: string;
  readonly url: string;
  /** As in `1.1` or `HTTP/1.1`: both are in use. */
  readonly version: string;
  /** Fields of the request as lines with CRLF; may be empty. */
  readonly fields: string;
}

interface HtcpBase {
  /** 0 is the byte order of old squids, 1 that of RFC 2756; an answer uses that of its query. */
  readonly minor: 0 | 1;
  readonly id: number;
}

/** A query for an object (TST), a request to remove it (CLR), or a test of the connection (NOP). */
export type HtcpRequest = HtcpBase & { readonly kind: 'request'; readonly wantsAnswer: boolean } & (
    | { readonly op: 'nop' }
    | { readonly op: 'test'; readonly specifier: HtcpSpecifier }
    | { readonly op: 'clear'; readonly reason: number; readonly specifier: HtcpSpecifier }
  );

export interface HtcpResponse extends HtcpBase {
  readonly kind: 'response';
  readonly op: HtcpOp;
  /** RFC 2756 section 3: test 0 stored, 1 not; clear 0 removed, 1 stays, 2 was not stored; with `overall` a refusal. */
  readonly code: number;
  /** The message as a whole was refused: 2 unknown operation, 5 not allowed. */
  readonly overall: boolean;
  /** For a hit: fields of the response, of the entity, and of the cache. */
  readonly blocks: readonly string[];
}

export type HtcpMessage = HtcpRequest | HtcpResponse;
export type HtcpOp = 'nop' | 'test' | 'clear';

const opNumbers = { nop: 0, test: 1, clear: 4 } as const;
const opNames = new Map<number, HtcpOp>([
  [0, 'nop'],
  [1, 'test'],
  [4, 'clear'],
]);

/** Header, data header, and the two bytes of no authentication. */
const minBytes = 4 + 8 + 2;
const maxBytes = 16_384;
const urlBytes = 8_192;

/** A message of HTCP (RFC 2756 2), unauthenticated. Undefined when a text is too long or not latin1. */
export function encodeHtcp(message: HtcpMessage): Uint8Array | undefined {
  const texts =
    message.kind === 'response' ? message.blocks : message.op === 'nop' ? [] : specified(message.specifier);
  const parts: Buffer[] = [];
  if (message.kind === 'request' && message.op === 'clear') parts.push(Buffer.of(0, message.reason & 15));
  for (const text of texts) {
    if (text.length > urlBytes || !isLatin1(text)) return undefined;
    parts.push(Buffer.of(text.length >> 8, text.length & 255), Buffer.from(text, 'latin1'));
  }
  const data = Buffer.concat(parts);
  const bytes = Buffer.alloc(minBytes + data.length);
  if (bytes.length > maxBytes) return undefined;
  bytes.writeUInt16BE(bytes.length, 0);
  bytes[3] = message.minor;
  bytes.writeUInt16BE(8 + data.length, 4);
  const op = opNumbers[message.op];
  const code = message.kind === 'response' ? message.code & 15 : 0;
  const first = message.kind === 'response' ? message.overall : message.wantsAnswer;
  const answer = message.kind === 'response';
  bytes[6] = message.minor === 0 ? (code << 4) | op : (op << 4) | code;
  bytes[7] =
    message.minor === 0 ? (first ? 0x40 : 0) | (answer ? 0x80 : 0) : (first ? 2 : 0) | (answer ? 1 : 0);
  bytes.writeUInt32BE(message.id >>> 0, 8);
  data.copy(bytes, 12);
  bytes.writeUInt16BE(2, 12 + data.length);
  return bytes;
}

/**
 * Decode a datagram (RFC 2756 section 2). Strict: undefined unless every length is exact, and for operations
 * other than TST, CLR and NOP. A signature is skipped: `htcpSignature` verifies it.
 */
export function decodeHtcp(datagram: Uint8Array): HtcpMessage | undefined {
  if (datagram.length < minBytes || datagram.length > maxBytes) return undefined;
  const bytes = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.length);
  const minor = bytes[3];
  if (bytes.readUInt16BE(0) !== bytes.length || bytes[2] !== 0 || (minor !== 0 && minor !== 1))
    return undefined;
  const dataBytes = bytes.readUInt16BE(4);
  const authAt = 4 + dataBytes;
  if (dataBytes < 8 || authAt + 2 > bytes.length || authAt + bytes.readUInt16BE(authAt) !== bytes.length)
    return undefined;
  const [kinds, flags] = [bytes.readUInt8(6), bytes.readUInt8(7)];
  const op = opNames.get(minor === 0 ? kinds & 15 : kinds >> 4);
  if (op === undefined) return undefined;
  const code = minor === 0 ? kinds >> 4 : kinds & 15;
  const first = (flags & (minor === 0 ? 0x40 : 2)) !== 0;
  const answer = (flags & (minor === 0 ? 0x80 : 1)) !== 0;
  const id = bytes.readUInt32BE(8);
  const data = bytes.subarray(12, authAt);
  if (answer) {
    const blocks = countedTexts(data);
    if (blocks === undefined || blocks.length > 3) return undefined;
    return { kind: 'response', minor, id, op, code, overall: first, blocks };
  }
  const base = { kind: 'request', minor, id, wantsAnswer: first } as const;
  if (op === 'nop') return data.length === 0 ? { ...base, op } : undefined;
  if (op === 'test') {
    const specifier = specifierOf(data);
    return specifier && { ...base, op, specifier };
  }
  if (data.length < 2) return undefined;
  const specifier = specifierOf(data.subarray(2));
  return specifier && { ...base, op, reason: data.readUInt16BE(0) & 15, specifier };
}

/** The refusal of an unknown operation (RFC 2756 2: overall response 2); undefined for other messages. */
export function unknownHtcpOperation(datagram: Uint8Array): HtcpResponse | undefined {
  if (datagram.length < minBytes || datagram[2] !== 0 || datagram[3] !== 1) return undefined;
  const bytes = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.length);
  const op = bytes.readUInt8(6) >> 4;
  const wantsAnswer = (bytes.readUInt8(7) & 3) === 2;
  if (bytes.readUInt16BE(0) !== bytes.length || opNames.has(op) || !wantsAnswer) return undefined;
  return {
    kind: 'response',
    minor: 1,
    id: bytes.readUInt32BE(8),
    op: 'nop',
    code: 2,
    overall: true,
    blocks: [],
  };
}

function specified({ method, url, version, fields }: HtcpSpecifier): readonly string[] {
  return [method, url, version, fields];
}

function specifierOf(data: Buffer): HtcpSpecifier | undefined {
  const texts = countedTexts(data);
  if (texts?.length !== 4) return undefined;
  const [method = '', url = '', version = '', fields = ''] = texts;
  return { method, url, version, fields };
}

/** Texts, each after its length in 16 bits, that fill the bytes exactly; max four. */
function countedTexts(data: Buffer): readonly string[] | undefined {
  const texts: string[] = [];
  let at = 0;
  while (at < data.length) {
    if (texts.length === 4 || at + 2 > data.length) return undefined;
    const length = data.readUInt16BE(at);
    if (at + 2 + length > data.length) return undefined;
    texts.push(data.toString('latin1', at + 2, at + 2 + length));
    at += 2 + length;
  }
  return texts;
}

function isLatin1(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}
