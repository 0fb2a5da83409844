import { headerValue, partHeader } from './mime-header.ts';
import { decodedBody, headerEnd, maxHeaderBytes } from './mime-part.ts';

// Object identifiers of CMS (RFC 5652 sections 4 and 5).
const signedData = Buffer.from('06092a864886f70d010702', 'hex');
const data = Buffer.from('06092a864886f70d010701', 'hex');
const maxAlgorithms = 4096;
const octets = 0x04;
const octetsInPieces = 0x24;

/** A part whose content is wrapped in its signature (S/MIME, RFC 8551 section 3.5.2) as the part within; others stay. */
export function withoutSignature(part: Buffer): Buffer {
  const start = headerEnd(part);
  const header = part.toString('latin1', 0, Math.min(start, maxHeaderBytes));
  if (!/pkcs7-mime/i.test(header)) return part;
  const fields = partHeader(header);
  if (!/pkcs7-mime$/.test(headerValue(fields.get('content-type') ?? '').value)) return part;
  const encoding = (fields.get('content-transfer-encoding') ?? '').trim().toLowerCase();
  const content = signedContent(decodedBody(part.subarray(start), encoding));
  if (content === undefined) return part;
  const others = header.trimEnd().replace(/^content-[^\n]*\n?(?:[ \t][^\n]*\n?)*/gim, '');
  return Buffer.concat([Buffer.from(others === '' ? '' : `${others.trimEnd()}\r\n`, 'latin1'), content]);
}

/** The content of signed data in BER; undefined for encrypted or other data. */
function signedContent(bytes: Buffer): Buffer | undefined {
  if (bytes.subarray(0, 64).indexOf(signedData) < 0) return undefined;
  const found = bytes.subarray(0, maxAlgorithms).indexOf(data);
  if (found < 0) return undefined;
  const outer = elementAt(bytes, found + data.length);
  const inner = elementAt(bytes, outer.start);
  if (inner.tag === octets) return bytes.subarray(inner.start, inner.end);
  if (inner.tag !== octetsInPieces) return undefined;
  const pieces: Buffer[] = [];
  for (let at = inner.start; at < inner.end; ) {
    const piece = elementAt(bytes, at);
    if (piece.tag !== octets) break;
    pieces.push(bytes.subarray(piece.start, piece.end));
    at = piece.end;
  }
  return Buffer.concat(pieces);
}

/** The tag of an element and where its content is; one without a length reaches to the end (X.690 section 8.1.3). */
function elementAt(bytes: Buffer, at: number): { tag: number; start: number; end: number } {
  const tag = bytes[at] ?? 0;
  const first = bytes[at + 1] ?? 0;
  if (first === 0x80) return { tag, start: at + 2, end: bytes.length };
  const size = first < 0x80 ? 0 : Math.min(first & 0x7f, 6);
  const start = at + 2 + size;
  if (start > bytes.length) return { tag, start: bytes.length, end: bytes.length };
  const length = size === 0 ? first : bytes.readUIntBE(at + 2, size);
  return { tag, start, end: Math.min(start + length, bytes.length) };
}
