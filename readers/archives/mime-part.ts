import { unescapedBytes } from '../bytes/index.ts';

/** Max bytes of a header that are read. */
export const maxHeaderBytes = 256 * 1024;
/** The sign that ends a line. */
export const lineFeed = 0x0a;

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

/** The bytes of a part's body by its transfer encoding. Text that a list server put behind base64 is left out. */
export function decodedBody(body: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(onlyBase64(body.toString('latin1')), 'base64');
  if (encoding !== 'quoted-printable') return body;
  const text = body.toString('latin1').replace(/=[ \t]*\r?\n/g, '');
  return Buffer.from(unescapedBytes(text, '='), 'latin1');
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
