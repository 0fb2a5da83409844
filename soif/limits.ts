/** Limits of one summary object. Input over a limit is rejected before it is buffered. */
export interface SoifLimits {
  /** Characters of a template type. */
  readonly maxTypeLength: number;
  /** Bytes of a URL in UTF-8. */
  readonly maxUrlLength: number;
  /** Characters of an attribute name, `Embed<n>-` prefixes included. */
  readonly maxNameLength: number;
  /** Max bytes of one value. */
  readonly maxValueBytes: number;
  /** Max attributes of one object. */
  readonly maxAttributes: number;
  /** Bytes of an object's names and values together. */
  readonly maxObjectBytes: number;
  /** Max `Embed<n>-` prefixes of a name. */
  readonly maxDepth: number;
}

/** The limits of the printer and the binary form, and the default limits of the parser. */
export const defaultLimits: SoifLimits = {
  maxTypeLength: 256,
  maxUrlLength: 8192,
  maxNameLength: 256,
  maxValueBytes: 64 * 1024 * 1024,
  maxAttributes: 10_000,
  maxObjectBytes: 128 * 1024 * 1024,
  maxDepth: 16,
};
