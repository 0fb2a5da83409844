/** Describes an attribute of a summary, for docs/summarisers.md. */
export interface AttributeNote {
  readonly name: string;
  /** One sentence, without a full stop. */
  readonly what: string;
}
