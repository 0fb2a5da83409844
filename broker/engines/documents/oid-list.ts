import { type Oid, oidFromBytes } from '../../../soif/index.ts';

/** Bytes of an OID. */
export const oidLength = 32;

/** OIDs whose bytes are concatenated. */
export function* oidsIn(joined: Uint8Array): Iterable<Oid> {
  for (let at = 0; at < joined.length; at += oidLength)
    yield oidFromBytes(joined.subarray(at, at + oidLength));
}
