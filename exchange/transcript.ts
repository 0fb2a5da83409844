import { createHash } from 'node:crypto';

/** A field of a message in the transcript. */
type Said = Uint8Array | number | boolean | undefined;

const domain = 'garner tell 1';

/** A running hash of a question and a store's statements: a signature over it holds for nothing else. */
export class Transcript {
  #hash: Uint8Array;

  constructor(question: Uint8Array) {
    this.#hash = createHash('sha256').update(domain).update(question).digest();
  }

  /** Add a message's fields, in an order both sides keep; returns the 32 bytes to sign. */
  say(fields: readonly Said[]): Uint8Array {
    const hash = createHash('sha256').update(this.#hash);
    for (const field of fields) {
      const bytes =
        field instanceof Uint8Array ? field : Buffer.from(field === undefined ? '' : String(field));
      const head = Buffer.alloc(5);
      head[0] = field === undefined ? 0 : field instanceof Uint8Array ? 1 : 2;
      head.writeUInt32BE(bytes.length, 1);
      hash.update(head).update(bytes);
    }
    this.#hash = hash.digest();
    return this.#hash;
  }
}
