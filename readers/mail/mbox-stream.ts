import { createHash } from 'node:crypto';
import { endBeforeFrom, maxSeparator, separatorAt, unquoted } from '../bytes/index.ts';

/** One message of an mbox file. */
export interface MboxMessage {
  /** Its bytes without the From_ line, `>From` undone; undefined for a message larger than the bound. */
  readonly bytes: Uint8Array | undefined;
  /** Of all its bytes, hex, also where `bytes` is undefined. */
  readonly md5: string;
  /** Bytes in the mailbox. */
  readonly size: number;
  /** The line that separates messages, without its end. */
  readonly separator: string;
}

/** The messages of an mbox stream (RFC 4155), one at a time; none unless it begins with a separator. */
export async function* mboxStream(
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
    for (let at = -1; ; ) {
      at = endBeforeFrom(data, at + 1, open.isEmpty);
      if (at < 0) break;
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
    // These bytes may belong to a separator that is not complete yet.
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

  /** Whether no byte was taken yet. */
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
