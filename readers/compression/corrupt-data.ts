/** The input of a decoder is malformed, ends early or contradicts itself; `message` completes a sentence. */
export class CorruptData extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'CorruptData';
  }
}

/** The input is complete but of a variant that the decoder does not read. */
export class UnreadVariant extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadVariant';
  }
}

/** The words for an input that ends early. */
export const cutShort = 'it ends early';
