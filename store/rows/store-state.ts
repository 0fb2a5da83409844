import { type Epoch, type Lsn, type Marker, SetFingerprint } from '../../awareness/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Write } from '../database/index.ts';
import { storeErrors } from '../errors.ts';
import { keys } from './object-keys.ts';

/** In format 1 an element was named by the whole OID and digest. */
const format = 2;
const epochBytes = 12;

/** The store's own row: written in every batch, so that it always matches the rows beside it. */
export interface StoreState {
  readonly epoch: Epoch;
  readonly lsn: Lsn;
  /** Tombstones at or before this LSN were forgotten. */
  readonly horizon: Lsn;
  readonly bodyBytes: number;
  readonly fingerprint: SetFingerprint;
  /** Number of tombstones that publishers have signed; it has a row of its own. */
  readonly withdrawals: number;
}

export function withdrawalsRow({ withdrawals }: Pick<StoreState, 'withdrawals'>): Write {
  const value = Buffer.alloc(8);
  value.writeDoubleBE(withdrawals);
  return { type: 'put', key: keys.withdrawals(), value };
}

/** The number in that row; none before the first withdrawal. */
export const decodeWithdrawals = (value: Uint8Array | undefined): number =>
  value === undefined ? 0 : Buffer.from(value).readDoubleBE();

export function encodeState(state: StoreState): Uint8Array {
  const bytes = Buffer.alloc(1 + epochBytes + 8 * 3);
  bytes[0] = format;
  bytes.set(Buffer.from(state.epoch, 'base64url'), 1);
  bytes.writeDoubleBE(state.lsn, 13);
  bytes.writeDoubleBE(state.horizon, 21);
  bytes.writeDoubleBE(state.bodyBytes, 29);
  return Buffer.concat([bytes, state.fingerprint.encode()]);
}

/** The state, and whether it has an earlier format, whose fingerprints must be computed again. */
export function decodeState(
  value: Uint8Array,
  path: string,
): { readonly state: StoreState; readonly outdated: boolean } {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes[0] !== format && bytes[0] !== 1)
    throw failure(storeErrors.STORE_FORMAT, { path, found: String(bytes[0]), wanted: String(format) });
  const state: StoreState = {
    epoch: bytes.subarray(1, 13).toString('base64url') as Epoch,
    lsn: bytes.readDoubleBE(13),
    horizon: bytes.readDoubleBE(21),
    bodyBytes: bytes.readDoubleBE(29),
    fingerprint: SetFingerprint.decode(bytes.subarray(37)),
    withdrawals: 0,
  };
  return { state, outdated: bytes[0] !== format };
}

/** The state of one partition: the copy of one source. */
export interface PartitionState {
  readonly marker: Marker | undefined;
  readonly fingerprint: SetFingerprint;
}

export function encodePartition({ marker, fingerprint }: PartitionState): Uint8Array {
  const bytes = Buffer.alloc(1 + epochBytes + 8);
  if (marker !== undefined) {
    bytes[0] = 1;
    bytes.set(Buffer.from(marker.epoch, 'base64url'), 1);
    bytes.writeDoubleBE(marker.lsn, 13);
  }
  return Buffer.concat([bytes, fingerprint.encode()]);
}

export function decodePartition(value: Uint8Array): PartitionState {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const marker =
    bytes[0] === 1
      ? { epoch: bytes.subarray(1, 13).toString('base64url') as Epoch, lsn: bytes.readDoubleBE(13) }
      : undefined;
  return { marker, fingerprint: SetFingerprint.decode(bytes.subarray(21)) };
}

export function newEpoch(bytes: Uint8Array): Epoch {
  return Buffer.from(bytes).toString('base64url') as Epoch;
}
