import type { CacheDigest } from '../peers/digest.ts';

/** A digest as it goes over the wire. */
export const wholeOf = (digest: CacheDigest): Uint8Array => Buffer.concat([digest.header(), digest.mask]);
