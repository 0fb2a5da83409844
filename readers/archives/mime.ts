import { CorruptData } from '../compression/index.ts';
import { type ArchiveEntry, DistinctNames, heldBytes } from './archive-entry.ts';
import { headerValue, partHeader } from './mime-header.ts';
import { decodedBody, headerEnd, lineFeed, maxHeaderBytes } from './mime-part.ts';
import { withoutSignature } from './signed-message.ts';
import { latin1, uuencodedParts } from './uuencode.ts';

/** Max depth of parts in parts. */
export const maxNesting = 16;
const maxParts = 100_000;

/**
 * The attachments of a message (RFC 2045): parts other than its text, complete messages in it, and uuencoded
 * parts in its text, as in old mail and news. A part without a file name is named by its place and kind:
 * `part-2.png`; parts with the same name are separate documents. The structure is found by searching for
 * boundaries, so a large message costs no more than a search.
 * @throws CorruptData when multiparts nest too deeply
 */
export function* mimeEntries(bytes: Uint8Array): Generator<ArchiveEntry> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = new DistinctNames();
  let number = 0;
  for (const part of mimeLeaves(buffer)) {
    if (++number > maxParts) throw new CorruptData('it has too many parts');
    const name = part.name ?? `part-${number}${endingOf(part.type)}`;
    if (!part.isText) {
      const content = decodedBody(part.body, part.encoding);
      yield { name: names.of(name), size: content.length, read: heldBytes(content) };
    } else if (part.body.includes('begin '))
      for (const { name: inside, bytes: content, whole } of uuencodedParts(
        latin1(decodedBody(part.body, part.encoding)),
      ))
        if (whole) yield { name: names.of(inside), size: content.length, read: heldBytes(content) };
  }
}

/** A part of a message, still encoded. */
export interface MimeLeaf {
  readonly type: string;
  readonly name: string | undefined;
  readonly encoding: string;
  readonly charset: string | undefined;
  /** Content-Location and Content-ID, as written. */
  readonly location: string | undefined;
  readonly id: string | undefined;
  readonly body: Buffer;
  /** Whether it is the text of the message rather than an attachment. */
  readonly isText: boolean;
}

/** The parts of a message without parts of their own. @throws CorruptData when multiparts nest too deeply */
export function mimeLeaves(message: Uint8Array): Generator<MimeLeaf> {
  return leaves(Buffer.from(message.buffer, message.byteOffset, message.byteLength), 0);
}

/** The type of a part that names none: parts of a digest are messages (RFC 2046 section 5.1.5). */
export function typeWithin(type: string): string {
  return type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
}

function* leaves(whole: Buffer, depth: number, usual = 'text/plain'): Generator<MimeLeaf> {
  const part = withoutSignature(whole);
  if (depth > maxNesting) throw new CorruptData('its parts nest too deeply');
  const bodyStart = headerEnd(part);
  const header = partHeader(part.toString('latin1', 0, Math.min(bodyStart, maxHeaderBytes)));
  const contentType = headerValue(header.get('content-type') ?? usual);
  const disposition = headerValue(header.get('content-disposition') ?? '');
  const type = contentType.value;
  const body = part.subarray(bodyStart);
  const boundary = boundaryIn(body, contentType.parameters.get('boundary'));
  if (type.startsWith('multipart/') && boundary !== undefined) {
    for (const inner of parts(body, boundary)) yield* leaves(inner, depth + 1, typeWithin(type));
    return;
  }
  const declared = disposition.parameters.get('filename') ?? contentType.parameters.get('name');
  const name = declared?.split(/[/\\]/).at(-1)?.trim() || undefined;
  const attached = disposition.value === 'attachment' || name !== undefined;
  yield {
    type,
    name,
    encoding: (header.get('content-transfer-encoding') ?? '').trim().toLowerCase(),
    charset: contentType.parameters.get('charset'),
    location: header.get('content-location')?.trim(),
    id: header.get('content-id')?.trim(),
    body,
    // A multipart without a boundary is read as text.
    isText: !attached && (/^(?:text\/(?:plain|html)|multipart\/.*)$/.test(type) || !type.includes('/')),
  };
}

const searchedForBoundary = 64 * 1024;

/** The boundary of a multipart: the declared one, else that of the first line that looks like one; undefined: none. */
export function boundaryIn(body: Buffer, declared: string | undefined): string | undefined {
  if (declared !== undefined && declared !== '' && body.includes(`--${declared}`, 0, 'latin1'))
    return declared;
  const start = body.toString('latin1', 0, searchedForBoundary);
  return /^--([^\r\n]{1,70}?)[ \t]*\r?\n(?=content-)/im.exec(start)?.[1];
}

/** The parts between boundary lines; the line end before a boundary belongs to it (RFC 2046 section 5.1.1). */
export function* parts(body: Buffer, boundary: string): Generator<Buffer> {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  let start = -1;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== lineFeed) continue;
    const end = at + mark.length;
    const next = body[end];
    const closes = next === 0x2d && body[end + 1] === 0x2d;
    if (!closes && next !== undefined && next !== 0x0d && next !== lineFeed && next !== 0x20 && next !== 0x09)
      continue;
    if (start >= 0) yield body.subarray(start, Math.max(start, lineEndBefore(body, at)));
    if (closes) return;
    const lineEnd = body.indexOf(lineFeed, end);
    if (lineEnd < 0) return;
    start = lineEnd + 1;
  }
  // A message cut short has a last part without a boundary behind it.
  if (start >= 0 && start < body.length) yield body.subarray(start);
}

function lineEndBefore(body: Buffer, at: number): number {
  if (at === 0) return 0;
  return body[at - 2] === 0x0d ? at - 2 : at - 1;
}

function endingOf(type: string): string {
  if (type === 'message/rfc822') return '.eml';
  if (type === 'text/plain') return '.txt';
  const kind = /^(?:text|image|audio|video|application)\/(?:x-)?([a-z0-9]{1,8})$/.exec(type)?.[1];
  return kind === undefined || kind === 'octet' ? '' : `.${kind}`;
}
