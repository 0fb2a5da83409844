/** What all the wrappers inside one document may come to. Sizes are in bytes. */
export interface UnnestLimits {
  /** Wrappers around a member; the document itself is the first. */
  readonly maxDepth: number;
  /** Members of all wrappers together, refused ones included. */
  readonly maxMembers: number;
  readonly maxMemberBytes: number;
  /** Everything that is unpacked, at every depth, whether or not it is handed out. */
  readonly maxTotalBytes: number;
  /** Unpacked bytes to the bytes of the document, beyond `freeBytes`. */
  readonly maxRatio: number;
  /** What every document may unpack to, however small it is. */
  readonly freeBytes: number;
  /** Members that are held while what they wrap is being read. */
  readonly maxHeldBytes: number;
  /** Window of a decoder (xz, lzip, zstd). */
  readonly maxWindowBytes: number;
  /** Seconds of a helping program such as bsdtar. */
  readonly toolSeconds: number;
}

const mebibyte = 1024 * 1024;

export const defaultUnnestLimits: UnnestLimits = {
  maxDepth: 16,
  maxMembers: 100_000,
  maxMemberBytes: 64 * mebibyte,
  maxTotalBytes: 1024 * mebibyte,
  maxRatio: 200,
  freeBytes: 16 * mebibyte,
  maxHeldBytes: 256 * mebibyte,
  maxWindowBytes: 128 * mebibyte,
  toolSeconds: 60,
};
