import { type Epoch, type Lsn, SetFingerprint } from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import { storeErrors } from './errors.ts';

/** A set of objects that a filter holds for, with a log of its own. */
export interface FilteredState {
  /** The set's own: the store's, with the filter. */
  readonly epoch: Epoch;
  readonly lsn: Lsn;
  /** Up to which change of the store the set is made. */
  readonly storeLsn: Lsn;
  /** Up to which moment, in seconds since 1970, the filter was asked. */
  readonly time: number;
  /** Own LSN up to which it has forgotten what left it. */
  readonly horizon: Lsn;
  /** Objects that left it and are remembered. */
  readonly gone: number;
  readonly fingerprint: SetFingerprint;
}

export function encodeFiltered(state: FilteredState): Uint8Array {
  const head = Buffer.alloc(1 + 12 + 5 * 8);
  head[0] = 1;
  head.set(Buffer.from(state.epoch, 'base64url'), 1);
  for (const [i, value] of [state.lsn, state.storeLsn, state.time, state.horizon, state.gone].entries())
    head.writeDoubleBE(value, 13 + i * 8);
  return Buffer.concat([head, state.fingerprint.encode()]);
}

export function decodeFiltered(value: Uint8Array): FilteredState {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes[0] !== 1 || bytes.length < 53)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a filtered set' });
  const at = (i: number) => bytes.readDoubleBE(13 + i * 8);
  return {
    epoch: bytes.subarray(1, 13).toString('base64url') as Epoch,
    lsn: at(0),
    storeLsn: at(1),
    time: at(2),
    horizon: at(3),
    gone: at(4),
    fingerprint: SetFingerprint.decode(bytes.subarray(53)),
  };
}

/** A member of a filtered set: its digest as the set knows it, its own LSN, and when it is due to be judged again. */
export interface FilteredMember {
  readonly digest: Uint8Array;
  readonly lsn: Lsn;
  /** Own LSN at which it entered with this content. */
  readonly contentLsn: Lsn;
  /** Seconds since 1970; 0 where time plays no part. */
  readonly due: number;
}

export function encodeFilteredMember({ digest, lsn, contentLsn, due }: FilteredMember): Uint8Array {
  const bytes = Buffer.alloc(32 + 3 * 6);
  bytes.set(digest);
  bytes.writeUIntBE(lsn, 32, 6);
  bytes.writeUIntBE(contentLsn, 38, 6);
  bytes.writeUIntBE(due, 44, 6);
  return bytes;
}

export function decodeFilteredMember(value: Uint8Array): FilteredMember {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length !== 50) throw failure(storeErrors.STORE_CORRUPT, { what: 'a member of a filtered set' });
  const [lsn, contentLsn, due] = [bytes.readUIntBE(32, 6), bytes.readUIntBE(38, 6), bytes.readUIntBE(44, 6)];
  return { digest: bytes.subarray(0, 32), lsn, contentLsn, due };
}

const kinds = ['put', 'refresh', 'delete'] as const;
export type FilteredKind = (typeof kinds)[number];

/** A row of the set's log: an OID and what happened to it. */
export function encodeFilteredLog(oid: Uint8Array, kind: FilteredKind): Uint8Array {
  return Buffer.concat([Uint8Array.of(kinds.indexOf(kind)), oid]);
}

export function decodeFilteredLog(value: Uint8Array): {
  readonly kind: FilteredKind;
  readonly oid: Uint8Array;
} {
  const kind = kinds[value[0] ?? 9];
  if (kind === undefined || value.length !== 33)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a log row of a filtered set' });
  return { kind, oid: value.subarray(1) };
}
