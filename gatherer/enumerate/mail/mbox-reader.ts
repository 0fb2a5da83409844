import { createHash } from 'node:crypto';

/** One message of an mbox file. */
export interface MboxMessage {
  /** Its bytes without the From_ line, with `>From` unquoted; undefined beyond the max size. */
  readonly bytes: Uint8Array | undefined;
  /** MD5 of the bytes, hex; of all of them even when `bytes` is undefined. */
  readonly md5: string;
  readonly size: number;
  /** The line that separates messages, without its end. */
  readonly separator: string;
}

const maxSeparator = 300;
/** A separator: `From `, an address and a date with a time. */
const separatorLine = /^From .{0,250}\d\d:\d\d/;
const from = Buffer.from('From ');
const nextFrom = Buffer.from('\nFrom ');

/**
 * The messages of an mbox (mboxo and mboxrd, RFC 4155), streamed, one in memory at a time. A separator is a line `From
 * ` with a date after an empty line or at the start. A file with another beginning has no messages.
 */
export async function* readMbox(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<MboxMessage> {
  let open: OpenMessage | undefined;
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    let data = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    if (open === undefined) {
      // Some files begin with empty lines.
      while (data[0] === 0x0a || data[0] === 0x0d) data = data.subarray(1);
      if (data.length < maxSeparator && data.indexOf(0x0a) < 0) {
        rest = data;
        continue;
      }
      const line = separatorAt(data, 0);
      if (line === undefined) return;
      open = new OpenMessage(line.text, maxBytes);
      data = data.subarray(line.end);
    }
    let done = 0;
    for (let at = data.indexOf(nextFrom); at >= 0; at = data.indexOf(nextFrom, at + 1)) {
      if (!isBlankBefore(data, at, open.isEmpty)) continue;
      // The rest of the separator's line may be in the next chunk.
      if (data.length - at < maxSeparator && data.indexOf(0x0a, at + 1) < 0) break;
      const line = separatorAt(data, at + 1);
      if (line === undefined) continue;
      open.take(data.subarray(done, at));
      yield open.finish();
      open = new OpenMessage(line.text, maxBytes);
      done = line.end;
      at = line.end - 1;
    }
    // The last bytes may belong to an incomplete separator.
    const keep = Math.max(done, data.length - maxSeparator - 4);
    open.take(data.subarray(done, keep));
    rest = Buffer.from(data.subarray(keep));
  }
  if (open === undefined) {
    const line = separatorAt(rest, 0);
    if (line === undefined) return;
    open = new OpenMessage(line.text, maxBytes);
    rest = rest.subarray(line.end);
  }
  open.take(rest);
  yield open.finish();
}

/** The separator that begins here, or undefined when the line is text. */
function separatorAt(data: Buffer, at: number): { readonly text: string; readonly end: number } | undefined {
  if (data.length - at < from.length) return undefined;
  if (data.compare(from, 0, from.length, at, at + from.length) !== 0) return undefined;
  const found = data.indexOf(0x0a, at);
  const end = found < 0 ? data.length : found + 1;
  if (end - at > maxSeparator) return undefined;
  const text = data.toString('latin1', at, end).trimEnd();
  return separatorLine.test(text) ? { text, end } : undefined;
}

/** Whether the line that the line feed at `at` ends is empty; `fresh`: the data begin with a line. */
function isBlankBefore(data: Buffer, at: number, fresh: boolean): boolean {
  if (at === 0) return fresh;
  if (data[at - 1] === 0x0a) return true;
  return data[at - 1] === 0x0d && (at === 1 ? fresh : data[at - 2] === 0x0a);
}

class OpenMessage {
  readonly #separator: string;
  readonly #maxBytes: number;
  readonly #hash = createHash('md5');
  #parts: Buffer[] = [];
  #size = 0;

  constructor(separator: string, maxBytes: number) {
    this.#separator = separator;
    this.#maxBytes = maxBytes;
  }

  /** Whether it has no bytes yet. */
  get isEmpty(): boolean {
    return this.#size === 0;
  }

  take(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) {
      this.#parts.push(part);
      return;
    }
    for (const held of this.#parts) this.#hash.update(held);
    this.#parts = [];
    this.#hash.update(part);
  }

  finish(): MboxMessage {
    const kept = this.#size <= this.#maxBytes;
    const bytes = kept ? unquoted(trimmed(Buffer.concat(this.#parts))) : undefined;
    if (bytes) this.#hash.update(bytes);
    return { bytes, md5: this.#hash.digest('hex'), size: this.#size, separator: this.#separator };
  }
}

/** Without the empty line that belongs to the next separator. */
function trimmed(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 1 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end -= 1;
  const found = bytes.indexOf(0x0a, end);
  return found < 0 ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes.subarray(0, found + 1);
}

/** One `>` less before each quoted `From `. */
function unquoted(bytes: Buffer): Buffer {
  if (bytes.indexOf('>From ') < 0) return bytes;
  return Buffer.from(bytes.toString('latin1').replace(/(^|\n)>(>{0,100}From )/g, '$1$2'), 'latin1');
}
