const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const lineFrom = Buffer.from('\nFrom ');
const envelope = /^From .{0,250}\d\d:\d\d/;
// With a date as mailers write it, before a header. It is much shorter than the longest separator.
const beforeHeader =
  /^From \S{1,120} +(?:[A-Z][a-z]{2} +){2}\d{1,2} +\d\d:\d\d(?::\d\d)?(?: +[A-Z]{1,5})? +\d{4}(?: [+-]\d{4})?\r?\n[\w-]{1,60}:/;
const contentLength = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/im;
const maxHeaderBytes = 256 * 1024;

/** Longest line that separates messages, in bytes with its end. */
export const maxSeparator = 300;

/** A line that separates messages. */
export interface Separator {
  /** The line without its end. */
  readonly text: string;
  /** The offset behind its end. */
  readonly end: number;
}

/** One message of a mailbox as it is stored. */
export interface StoredMessage {
  /** With the empty line behind it. */
  readonly header: Buffer;
  /** Without the empty line that belongs to the next separator. */
  readonly body: Buffer;
  /** Whether the mailbox put a `>` before lines that begin with `From `. */
  readonly quoted: boolean;
}

/**
 * The messages of a mailbox in any of the four mbox forms: mboxo (a body's `From ` lines are quoted by `>`), mboxrd
 * (one `>` more than there were), mboxcl (a Content-Length, quoted) and mboxcl2 (a Content-Length, not quoted). A
 * Content-Length counts only when a separator or the end is where it leads. Text before the first message is skipped.
 */
export function* mboxMessages(bytes: Uint8Array): Generator<StoredMessage> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = firstSeparator(buffer);
  for (let line = separatorAt(buffer, at); line !== undefined; line = separatorAt(buffer, at)) {
    const bodyStart = headerEnd(buffer, line.end);
    const declared = declaredEnd(buffer, line.end, bodyStart);
    at = declared ?? nextSeparator(buffer, bodyStart);
    const body = buffer.subarray(bodyStart, withoutBlankLine(buffer, bodyStart, at));
    // With a length that holds, a line that looks like a separator shows that nothing was quoted.
    const quoted = declared === undefined || firstSeparator(body) === body.length;
    yield { header: buffer.subarray(line.end, bodyStart), body, quoted };
  }
}

/** Whether bytes begin as a mailbox does. */
export function isMbox(bytes: Uint8Array): boolean {
  return isSeparator(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
}

/** The separator at `at`, the beginning of a line: `From ` and a time of day (RFC 4155); undefined for text. */
export function separatorAt(data: Buffer, at: number): Separator | undefined {
  if (data.compare(lineFrom, 1, lineFrom.length, at, Math.min(at + 5, data.length)) !== 0) return undefined;
  const found = data.subarray(at, at + maxSeparator).indexOf(lineFeed);
  if (found < 0 && data.length - at > maxSeparator) return undefined;
  const end = found < 0 ? data.length : at + found + 1;
  const text = data.toString('latin1', at, end).trimEnd();
  return envelope.test(text) ? { text, end } : undefined;
}

/**
 * The end of the line before the next `From ` line that may separate messages, or -1: behind an empty line, or before a
 * header, since a line that was added to the mailbox may have taken the empty one's place. `fresh`: the data begin with a
 * line.
 */
export function endBeforeFrom(data: Buffer, at: number, fresh: boolean): number {
  for (let feed = data.indexOf(lineFrom, at); feed >= 0; feed = data.indexOf(lineFrom, feed + 1)) {
    const before = data[feed - 1] === carriageReturn ? feed - 1 : feed;
    if (before === 0 ? fresh : data[before - 1] === lineFeed) return feed;
    if (beforeHeader.test(data.toString('latin1', feed + 1, feed + 1 + maxSeparator))) return feed;
  }
  return -1;
}

/** One `>` less before each quoted `From `. */
export function unquoted(body: Buffer): Buffer {
  if (body.indexOf('>From ') < 0) return body;
  return Buffer.from(body.toString('latin1').replace(/(^|\n)>(>*From )/g, '$1$2'), 'latin1');
}

function isSeparator(buffer: Buffer, at: number): boolean {
  return separatorAt(buffer, at) !== undefined;
}

// Text before the first message need not end with an empty line.
function firstSeparator(buffer: Buffer): number {
  let at = 0;
  while (!isSeparator(buffer, at)) {
    const feed = buffer.indexOf(lineFrom, at);
    if (feed < 0) return buffer.length;
    at = feed + 1;
  }
  return at;
}

// The next separator, or the end.
function nextSeparator(buffer: Buffer, from: number): number {
  // The empty line may be the one that ends the header.
  for (let feed = from - 2; ; ) {
    feed = endBeforeFrom(buffer, feed + 1, false);
    if (feed < 0) return buffer.length;
    if (isSeparator(buffer, feed + 1)) return feed + 1;
  }
}

function lineEnd(buffer: Buffer, from: number): number {
  const found = buffer.indexOf(lineFeed, from);
  return found < 0 ? buffer.length : found + 1;
}

// Behind the empty line that ends the header.
function headerEnd(buffer: Buffer, from: number): number {
  for (let at = from; at < buffer.length; ) {
    const end = lineEnd(buffer, at);
    if (end - at <= 2 && (buffer[at] === lineFeed || buffer[at] === carriageReturn)) return end;
    at = end;
  }
  return buffer.length;
}

// Where the message's Content-Length leads, when a separator or the end is there.
function declaredEnd(buffer: Buffer, headerStart: number, bodyStart: number): number | undefined {
  const header = buffer.toString('latin1', headerStart, Math.min(bodyStart, headerStart + maxHeaderBytes));
  const length = contentLength.exec(header)?.[1];
  if (length === undefined) return undefined;
  let end = bodyStart + Number(length);
  if (end > buffer.length) return undefined;
  // Mailers disagree whether the empty line before the separator counts.
  for (let blank = 0; blank < 2 && (buffer[end] === lineFeed || buffer[end] === carriageReturn); blank++)
    end = lineEnd(buffer, end);
  if (end >= buffer.length) return buffer.length;
  return isSeparator(buffer, end) ? end : undefined;
}

function withoutBlankLine(buffer: Buffer, start: number, end: number): number {
  if (end - 1 <= start || buffer[end - 1] !== lineFeed) return end;
  const before = buffer[end - 2] === carriageReturn ? end - 2 : end - 1;
  return before > start && buffer[before - 1] === lineFeed ? before : end;
}
