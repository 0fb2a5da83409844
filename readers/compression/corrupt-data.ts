/** What a decoder throws when its input is none, ends early or contradicts itself; `message` completes a sentence. */
export class CorruptData extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'CorruptData';
  }
}

/** What a decoder throws when the input is whole but of a variant that is not read here. */
export class UnreadVariant extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadVariant';
  }
}

/** The words for an input that ends early. */
export const cutShort = 'it ends early';
