import { CorruptData } from '../compression/index.ts';
import { type ArchiveEntry, DistinctNames, heldBytes } from './archive-entry.ts';
import { headerValue, partHeader } from './mime-header.ts';
import { latin1, uuencodedParts } from './uuencode.ts';

/** Max depth of parts in parts. */
export const maxNesting = 16;
const maxParts = 100_000;
/** Max bytes of a header that are read. */
export const maxHeaderBytes = 256 * 1024;
const lineFeed = 0x0a;

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

function* leaves(part: Buffer, depth: number): Generator<MimeLeaf> {
  if (depth > maxNesting) throw new CorruptData('its parts nest too deeply');
  const bodyStart = headerEnd(part);
  const header = partHeader(part.toString('latin1', 0, Math.min(bodyStart, maxHeaderBytes)));
  const contentType = headerValue(header.get('content-type') ?? 'text/plain');
  const disposition = headerValue(header.get('content-disposition') ?? '');
  const type = contentType.value;
  const body = part.subarray(bodyStart);
  const boundary = boundaryIn(body, contentType.parameters.get('boundary'));
  if (type.startsWith('multipart/') && boundary !== undefined) {
    for (const inner of parts(body, boundary)) yield* leaves(inner, depth + 1);
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

/** Behind the empty line that ends the header; a part may begin with that line. */
export function headerEnd(part: Buffer): number {
  if (part[0] === lineFeed) return 1;
  if (part[0] === 0x0d && part[1] === lineFeed) return 2;
  for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, at + 1)) {
    if (part[at + 1] === lineFeed) return textStart(part, at + 2);
    if (part[at + 1] === 0x0d && part[at + 2] === lineFeed) return textStart(part, at + 3);
  }
  return textStart(part, part.length);
}

const fieldLines = /^(?:>?From |[!-9;-~]{1,80}[ \t]*:|[ \t]).*(?:\n|$)/gm;
const minFields = 2;

/** The end of a header; its last lines are text when they are no fields, as where the empty line was forgotten. */
function textStart(part: Buffer, end: number): number {
  const header = part.toString('latin1', 0, Math.min(end, maxHeaderBytes));
  const fields = [...header.matchAll(fieldLines)];
  const last = fields.at(-1);
  const start = last === undefined ? 0 : last.index + last[0].length;
  return fields.length >= minFields && header.slice(start).trim() !== '' ? start : end;
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

/** The bytes of a part's body by its transfer encoding. Text that a list server put behind base64 is left out. */
export function decodedBody(body: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(onlyBase64(body.toString('latin1')), 'base64');
  if (encoding !== 'quoted-printable') return body;
  const text = body
    .toString('latin1')
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(text, 'latin1');
}

// Up to padding, or to a line that is no base64 (RFC 2045 section 6.8). All lines but the last have the same length, so
// words after a shorter line are not base64 either, such as a footer's heading.
function onlyBase64(text: string): string {
  const end = text.search(/[^A-Za-z0-9+/=\s]|=\s*[^=\s]|\S[ \t]+\S/);
  if (end < 0) return text;
  if (text[end] === '=') return text.slice(0, end + 1);
  const lines = text
    .slice(0, text.lastIndexOf('\n', end) + 1)
    .trimStart()
    .split('\n');
  const width = lines[0]?.trimEnd().length ?? 0;
  const last = lines.findIndex((line) => line.trimEnd().length < width);
  return lines.slice(0, last < 0 ? lines.length : last + 1).join('\n');
}

function endingOf(type: string): string {
  if (type === 'message/rfc822') return '.eml';
  if (type === 'text/plain') return '.txt';
  const kind = /^(?:text|image|audio|video|application)\/(?:x-)?([a-z0-9]{1,8})$/.exec(type)?.[1];
  return kind === undefined || kind === 'octet' ? '' : `.${kind}`;
}
