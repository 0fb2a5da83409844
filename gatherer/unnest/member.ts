import type { GarnerError } from '../../kernel/index.ts';

/** One document taken out of another. */
export interface Member {
  /** Relative, with forward slashes, without `.` and `..` steps; otherwise as in the archive. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Seconds since 1970, if the wrapper has it. */
  readonly modified?: number;
  /** `content`: the only document of a wrapper (gzip, compress, one uuencoded file); `member`: one of many. */
  readonly kind: 'member' | 'content';
  /** Why `bytes` ends early. Only for a `content`; a cut member is refused. */
  readonly cut?: GarnerError;
}

/** A document that stays packed, and the reason. */
export interface Refused {
  readonly path: string;
  readonly error: GarnerError;
}

/** Whether a document was taken out, not refused. */
export function isMember(unnested: Member | Refused): unnested is Member {
  return 'bytes' in unnested;
}
