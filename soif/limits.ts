/** How much of anything one summary object may have. What exceeds a limit is refused before it is buffered. */
export interface SoifLimits {
  /** Characters of a template type. */
  readonly maxTypeLength: number;
  /** Bytes of a URL in UTF-8. */
  readonly maxUrlLength: number;
  /** Characters of an attribute name, `Embed<n>-` prefixes included. */
  readonly maxNameLength: number;
  /** Bytes of one value. */
  readonly maxValueBytes: number;
  /** Attributes of one object. */
  readonly maxAttributes: number;
  /** Bytes of an object's names and values together. */
  readonly maxObjectBytes: number;
  /** How many `Embed<n>-` prefixes a name may carry. */
  readonly maxDepth: number;
}

/** The limits that printer and binary form keep to, and the parser unless told otherwise. */
export const defaultLimits: SoifLimits = {
  maxTypeLength: 256,
  maxUrlLength: 8192,
  maxNameLength: 256,
  maxValueBytes: 64 * 1024 * 1024,
  maxAttributes: 10_000,
  maxObjectBytes: 128 * 1024 * 1024,
  maxDepth: 16,
};
