import type { ExplodedRecord } from './record.ts';

const lineFeed = 0x0a;
const separator = Buffer.from('From ');
// `From ` of an envelope is followed by an address and a date with a time; text that begins so hardly ever is.
const envelope = /^From \S+ .{0,60}\d\d:\d\d/;
const contentLength = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/im;
const maxHeaderBytes = 256 * 1024;

/**
 * The messages of a mailbox in any of the four mbox forms: mboxo (a body's `From ` lines are quoted by `>`), mboxrd
 * (one `>` more than there were), mboxcl (a Content-Length, quoted) and mboxcl2 (a Content-Length, not quoted). A
 * Content-Length is believed only when a separator or the end stands where it leads. One `>` is taken off quoted
 * lines but in mboxcl2, where none was put on.
 */
export function* mboxRecords(bytes: Uint8Array): Generator<ExplodedRecord> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let number = 0;
  for (let start = nextSeparator(buffer, 0); start >= 0; ) {
    const headerStart = lineEnd(buffer, start);
    const bodyStart = headerEnd(buffer, headerStart);
    const told = knownEnd(buffer, headerStart, bodyStart);
    const next = told ?? nextSeparator(buffer, bodyStart);
    const end = next < 0 ? buffer.length : next;
    number++;
    const body = buffer.subarray(bodyStart, withoutBlankLine(buffer, bodyStart, end));
    // With a length that holds, a line that looks like a separator shows that nothing was quoted.
    const quoted = told === undefined || nextSeparator(body, 0) < 0;
    yield {
      path: String(number),
      type: 'Mail',
      bytes: Buffer.concat([buffer.subarray(headerStart, bodyStart), quoted ? unquoted(body) : body]),
      fields: [],
    };
    start = next < 0 || next >= buffer.length ? -1 : next;
  }
}

/** Whether bytes begin as a mailbox does. */
export function isMbox(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024));
  return envelope.test(buffer.toString('latin1'));
}

// Where the next line that separates messages begins, from `from` (the beginning of a line) on; -1 for none.
function nextSeparator(buffer: Buffer, from: number): number {
  for (let at = from; at >= 0 && at < buffer.length; ) {
    const found = buffer.indexOf(separator, at);
    if (found < 0) return -1;
    if (isSeparator(buffer, found)) return found;
    at = found + separator.length;
  }
  return -1;
}

// Whether a message begins at `at`; looks no further than that line.
function isSeparator(buffer: Buffer, at: number): boolean {
  return (
    buffer[at] === 0x46 &&
    (at === 0 || buffer[at - 1] === lineFeed) &&
    envelope.test(buffer.toString('latin1', at, Math.min(at + 400, buffer.length)))
  );
}

function lineEnd(buffer: Buffer, from: number): number {
  const found = buffer.indexOf(lineFeed, from);
  return found < 0 ? buffer.length : found + 1;
}

// Behind the empty line that ends the header.
function headerEnd(buffer: Buffer, from: number): number {
  for (let at = from; at < buffer.length; ) {
    const end = lineEnd(buffer, at);
    if (end - at <= 2 && (buffer[at] === lineFeed || buffer[at] === 0x0d)) return end;
    if (isSeparator(buffer, at)) return at;
    at = end;
  }
  return buffer.length;
}

// Where the message's Content-Length leads, when a separator or the end is there.
function knownEnd(buffer: Buffer, headerStart: number, bodyStart: number): number | undefined {
  const header = buffer.toString('latin1', headerStart, Math.min(bodyStart, headerStart + maxHeaderBytes));
  const length = contentLength.exec(header)?.[1];
  if (length === undefined) return undefined;
  let end = bodyStart + Number(length);
  if (end > buffer.length) return undefined;
  // Mailers disagree whether the empty line before the separator counts.
  for (let blank = 0; blank < 2 && (buffer[end] === lineFeed || buffer[end] === 0x0d); blank++)
    end = lineEnd(buffer, end);
  if (end >= buffer.length) return buffer.length;
  return isSeparator(buffer, end) ? end : undefined;
}

function withoutBlankLine(buffer: Buffer, start: number, end: number): number {
  let at = end;
  if (at - 1 > start && buffer[at - 1] === lineFeed) {
    const before = buffer[at - 2] === 0x0d ? at - 2 : at - 1;
    if (before > start && buffer[before - 1] === lineFeed) at = before;
  }
  return at;
}

// Takes one `>` off each line of `>`s and `From `.
function unquoted(body: Buffer): Buffer {
  if (body.indexOf('>From ') < 0) return body;
  return Buffer.from(body.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1');
}
