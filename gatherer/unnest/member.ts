import type { GarnerError } from '../../kernel/index.ts';

/** One document taken out of another. */
export interface Member {
  /** Relative, with forward slashes, without `.` and `..` steps; text as the archive spells it. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Seconds since 1970, when the wrapper knows. */
  readonly modified?: number;
  /** `content`: the wrapper held just this (gzip, compress, one uuencoded file); `member`: one of many. */
  readonly kind: 'member' | 'content';
  /** Why `bytes` ends before the real end. Only a `content` is handed out so; a cut member is refused. */
  readonly cut?: GarnerError;
}

/** What stays packed, and why. */
export interface Refused {
  readonly path: string;
  readonly error: GarnerError;
}

/** Whether something was handed out rather than refused. */
export function isMember(unnested: Member | Refused): unnested is Member {
  return 'bytes' in unnested;
}
