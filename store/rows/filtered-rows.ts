import { type Epoch, type Lsn, SetFingerprint } from '../../awareness/index.ts';
import { failure } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';

/** The set of objects that match a filter, with a log of its own. */
export interface FilteredState {
  /** The set's own: the store's, with the filter. */
  readonly epoch: Epoch;
  readonly lsn: Lsn;
  /** The change of the store up to which the set is complete. */
  readonly storeLsn: Lsn;
  /** The moment up to which the filter was applied, in seconds since 1970. */
  readonly time: number;
  /** Own LSN up to which the set has forgotten objects that left it. */
  readonly horizon: Lsn;
  /** Number of objects that left the set and are remembered. */
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

/** A member of a filtered set: its digest in the set, its own LSN, and when it must be judged again. */
export interface FilteredMember {
  readonly digest: Uint8Array;
  readonly lsn: Lsn;
  /** Own LSN at which it entered with this content. */
  readonly contentLsn: Lsn;
  /** Own LSN at which it entered. */
  readonly enteredLsn: Lsn;
  /** Seconds since 1970; 0 where time is not part of the filter. */
  readonly due: number;
}

export function encodeFilteredMember({
  digest,
  lsn,
  contentLsn,
  enteredLsn,
  due,
}: FilteredMember): Uint8Array {
  const bytes = Buffer.alloc(32 + 4 * 6);
  bytes.set(digest);
  for (const [i, value] of [lsn, contentLsn, due, enteredLsn].entries())
    bytes.writeUIntBE(value, 32 + i * 6, 6);
  return bytes;
}

/** Rows of earlier versions have no time of entry: then it is assumed to be that of the content. */
export function decodeFilteredMember(value: Uint8Array): FilteredMember {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length !== 50 && bytes.length !== 56)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a member of a filtered set' });
  const [lsn, contentLsn, due] = [bytes.readUIntBE(32, 6), bytes.readUIntBE(38, 6), bytes.readUIntBE(44, 6)];
  const enteredLsn = bytes.length === 50 ? contentLsn : bytes.readUIntBE(50, 6);
  return { digest: bytes.subarray(0, 32), lsn, contentLsn, enteredLsn, due };
}

const kinds = ['put', 'refresh', 'delete'] as const;
export type FilteredKind = (typeof kinds)[number];

/** A row of the set's log: an OID, its event and the time (seconds since 1970; 0 in rows of earlier versions). */
export interface FilteredLogRow {
  readonly kind: FilteredKind;
  readonly oid: Uint8Array;
  readonly time: number;
}

export function encodeFilteredLog(oid: Uint8Array, kind: FilteredKind, time: number): Uint8Array {
  const bytes = Buffer.alloc(39);
  bytes[0] = kinds.indexOf(kind);
  bytes.set(oid, 1);
  bytes.writeUIntBE(time, 33, 6);
  return bytes;
}

export function decodeFilteredLog(value: Uint8Array): FilteredLogRow {
  const kind = kinds[value[0] ?? 9];
  if (kind === undefined || (value.length !== 33 && value.length !== 39))
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a log row of a filtered set' });
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return { kind, oid: value.subarray(1, 33), time: value.length === 33 ? 0 : bytes.readUIntBE(33, 6) };
}

/** The numbers of the standing sets that an object is in, in ascending order. */
export function encodeSets(sets: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(sets.length * 4);
  for (const [i, set] of sets.entries()) bytes.writeUInt32BE(set, i * 4);
  return bytes;
}

export function decodeSets(value: Uint8Array | undefined): number[] {
  if (value === undefined) return [];
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(i * 4));
}

/** How far the standing sets have followed their store. */
export interface StandingProgress {
  readonly storeLsn: Lsn;
  /** The store's LSN when the sets had last followed all of it: objects with later content are not judged yet. */
  readonly judged: Lsn;
  /** Sets up to this number have been filled from the objects that were present when they were made. */
  readonly filled: number;
  /** Sets up to this number are being filled now. */
  readonly filling: number;
  /** The last object that was judged for these; absent at the beginning. */
  readonly after: Uint8Array | undefined;
}

export function encodeProgress({ storeLsn, judged, filled, filling, after }: StandingProgress): Uint8Array {
  const bytes = Buffer.alloc(33 + (after?.length ?? 0));
  bytes[0] = 1;
  for (const [i, value] of [storeLsn, judged, filled, filling].entries())
    bytes.writeDoubleBE(value, 1 + i * 8);
  if (after !== undefined) bytes.set(after, 33);
  return bytes;
}

export function decodeProgress(value: Uint8Array): StandingProgress {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes[0] !== 1 || (bytes.length !== 33 && bytes.length !== 65))
    throw failure(storeErrors.STORE_CORRUPT, { what: 'the progress of the standing sets' });
  const at = (i: number) => bytes.readDoubleBE(1 + i * 8);
  const after = bytes.length === 33 ? undefined : bytes.subarray(33);
  return { storeLsn: at(0), judged: at(1), filled: at(2), filling: at(3), after };
}
