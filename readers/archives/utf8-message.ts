import { isAscii } from 'node:buffer';
import { declaredCharset, decodeLabelled, decodeMail } from '../charsets/index.ts';
import { boundaryIn, maxNesting, parts, typeWithin } from './mime.ts';
import { headerValue, partHeader, utf8Words } from './mime-header.ts';
import { decodedBody, headerEnd, maxHeaderBytes } from './mime-part.ts';
import { withoutSignature } from './signed-message.ts';

const maxLabelled = 64 * 1024;
const lineBreaks = /(.{76})/g;

/**
 * A message (RFC 5322, MIME) whose texts are all in UTF-8: header fields, encoded words (RFC 2047), parameters
 * (RFC 2231) and the text parts, each decoded by its label as far as its bytes are true to it. Other parts stay. So
 * a reader of mail need not know charsets.
 */
export function utf8Message(message: Uint8Array): Uint8Array {
  const buffer = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const out: Buffer[] = [];
  // Raw bytes in a header are most likely in the charset of the text.
  const label = /charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(buffer.toString('latin1', 0, maxLabelled))?.[1];
  addPart(buffer, 0, label, out, 'text/plain');
  return Buffer.concat(out);
}

/** `usual`: the type of a part that names none. */
function addPart(
  whole: Buffer,
  depth: number,
  likely: string | undefined,
  out: Buffer[],
  usual: string,
): void {
  const part = withoutSignature(whole);
  const start = headerEnd(part);
  const header = part.subarray(0, start);
  const body = part.subarray(start);
  const fields = partHeader(header.toString('latin1', 0, Math.min(start, maxHeaderBytes)));
  const { value: type, parameters } = headerValue(fields.get('content-type') ?? usual);
  const encoding = (fields.get('content-transfer-encoding') ?? '').trim().toLowerCase();
  const boundary = parameters.get('boundary') ?? '';
  const isMultipart = depth < maxNesting && type.startsWith('multipart/');
  const found = isMultipart && boundary !== '' ? boundaryIn(body, boundary) : undefined;
  // A multipart without parts is a text.
  const isText = type.startsWith('text/') || !type.includes('/') || (isMultipart && found === undefined);
  if (found !== undefined) {
    out.push(utf8Header(header, likely));
    for (const inner of parts(body, found)) {
      out.push(Buffer.from(`--${boundary}\r\n`));
      addPart(inner, depth + 1, likely, out, typeWithin(type));
      out.push(Buffer.from('\r\n'));
    }
    out.push(Buffer.from(`--${boundary}--\r\n`));
  } else if (depth < maxNesting && type === 'message/rfc822' && /^(?:|7bit|8bit|binary)$/.test(encoding)) {
    if (!fields.has('content-type')) out.push(Buffer.from('Content-Type: message/rfc822\r\n'));
    out.push(utf8Header(header, likely));
    addPart(body, depth + 1, likely, out, 'text/plain');
  } else if (isText && readable.test(encoding)) {
    const bytes = decodedBody(body, encoding);
    const label = parameters.get('charset');
    const own = type === 'text/html' ? declaredCharset(bytes) : undefined;
    const text = Buffer.from(decodeMail(bytes, label, own));
    // What the body is in tells of bare bytes in the header above it.
    const shown =
      depth > 0 || isAscii(bytes) ? likely : decodeLabelled(bytes, { header: label, declared: own }).charset;
    out.push(
      utf8Header(header, shown, encoding),
      Buffer.from(text.toString('base64').replace(lineBreaks, '$1\r\n')),
    );
  } else out.push(utf8Header(header, likely), body);
}

const readable = /^(?:|7bit|8bit|binary|quoted-printable|base64)$/;
const described = /^content-(?:type|disposition)$/i;

/** The header in UTF-8; `encoding`: that of a text that is written as base64 in UTF-8 behind it. */
function utf8Header(header: Buffer, charset: string | undefined, encoding?: string): Buffer {
  const text = decodeMail(header, undefined, charset);
  const words = text.trimEnd().split(/\r?\n(?![ \t])/);
  const lines = words.flatMap((field) => {
    const name = field.slice(0, Math.max(0, field.indexOf(':')));
    if (described.test(name)) return [`${name}: ${describing(field, name, encoding !== undefined)}`];
    if (encoding !== undefined && /^content-transfer-encoding$/i.test(name)) return [];
    return field === '' ? [] : [utf8Words(field)];
  });
  if (encoding !== undefined) {
    if (!lines.some((line) => /^content-type:/i.test(line)))
      lines.push('Content-Type: text/plain; charset=utf-8');
    lines.push('Content-Transfer-Encoding: base64');
  }
  return Buffer.from([...lines, '', ''].join('\r\n'));
}

/** `Content-Type` and `Content-Disposition` with their parameters as plain UTF-8. */
function describing(field: string, name: string, isText: boolean): string {
  // The field's reader takes bytes as Latin-1.
  const { value, parameters } = headerValue(
    Buffer.from(field.slice(name.length + 1).replace(/\r?\n[ \t]+/g, ' ')).toString('latin1'),
  );
  // Of a multipart without parts all is text.
  if (isText && value.startsWith('multipart/')) return 'text/plain; charset=utf-8';
  const kept = new Map(parameters);
  const isType = isText && /type$/i.test(name);
  if (isType) kept.set('charset', 'utf-8');
  // A type that says something else is not valid there (RFC 2045 section 5.2).
  const written = isType && !value.startsWith('text/') ? 'text/plain' : value;
  return [written, ...[...kept].map(([name, text]) => `${name}="${text.replace(/["\\]/g, '\\$&')}"`)].join(
    '; ',
  );
}
