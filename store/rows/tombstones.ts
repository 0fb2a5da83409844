import type { Lsn, Withdrawal } from '../../awareness/index.ts';
import { failure } from '../../kernel/index.ts';
import type { ServerId } from '../../soif/index.ts';
import type { DatabaseReader, Write } from '../database/index.ts';
import { storeErrors } from '../errors.ts';
import { keys, numberOfKey } from './object-keys.ts';
import { decodeLogRow } from './object-meta.ts';

/** A deleted object: its place in the log, and what its publisher has withdrawn. */
export interface Tombstone {
  readonly lsn: Lsn;
  /** Versions with this Update-Time or an earlier one were withdrawn; 0 for none. */
  readonly withdrawnAt: number;
  /** The publisher's own deletion of the last version. */
  readonly withdrawal?: Withdrawal | undefined;
}

const [lsnBytes, timeBytes, serverBytes, signatureBytes] = [8, 6, 16, 64];
const signedBytes = lsnBytes + timeBytes + serverBytes + signatureBytes;

/** The LSN alone; with a time where versions were withdrawn; with publisher and signature where the last one was. */
export function encodeTombstone({ lsn, withdrawnAt, withdrawal }: Tombstone): Uint8Array {
  const bytes = Buffer.alloc(lsnBytes + timeBytes);
  bytes.writeBigUInt64BE(BigInt(lsn));
  bytes.writeUIntBE(withdrawnAt, lsnBytes, timeBytes);
  if (withdrawal === undefined) return withdrawnAt === 0 ? bytes.subarray(0, lsnBytes) : bytes;
  return Buffer.concat([bytes, Buffer.from(withdrawal.publisher, 'base64url'), withdrawal.signature]);
}

export function decodeTombstone(value: Uint8Array): Tombstone {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (![lsnBytes, lsnBytes + timeBytes, signedBytes].includes(bytes.length))
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a tombstone' });
  const lsn = Number(bytes.readBigUInt64BE());
  if (bytes.length === lsnBytes) return { lsn, withdrawnAt: 0 };
  const updatedAt = bytes.readUIntBE(lsnBytes, timeBytes);
  if (bytes.length < signedBytes) return { lsn, withdrawnAt: updatedAt };
  const publisherAt = lsnBytes + timeBytes;
  const publisher = bytes.subarray(publisherAt, publisherAt + serverBytes).toString('base64url') as ServerId;
  const signature = bytes.subarray(publisherAt + serverBytes);
  return { lsn, withdrawnAt: updatedAt, withdrawal: { publisher, updatedAt, signature } };
}

/** Whether the row of a tombstone holds the publisher's signature. */
export const isSigned = (value: Uint8Array): boolean => value.length === signedBytes;

/** Tombstones forgotten in one step. */
const forgetStep = 512;

/**
 * The writes that remove the tombstones of objects deleted before a time, the oldest first and not all when there
 * are many, and the resulting horizon; undefined when no tombstone is old enough.
 */
export async function oldTombstones(
  reader: DatabaseReader,
  untilMs: number,
): Promise<{
  readonly writes: readonly Write[];
  readonly horizon: Lsn | undefined;
  readonly more: boolean;
  /** Number of withdrawals among them. */
  readonly withdrawals: number;
}> {
  const writes: Write[] = [];
  let horizon: Lsn | undefined;
  let count = 0;
  let withdrawals = 0;
  for await (const key of reader.keys(keys.tombstones())) {
    const lsn = numberOfKey(key);
    const value = await reader.get(keys.log(lsn));
    const row = value === undefined ? undefined : decodeLogRow(value);
    if (row?.kind === 'delete') {
      if (row.atMs > untilMs) break;
      const grave = await reader.get(keys.tombstoneOf(row.oid));
      if (grave !== undefined && isSigned(grave)) withdrawals++;
      writes.push({ type: 'del', key: keys.log(lsn) }, { type: 'del', key: keys.tombstoneOf(row.oid) });
    }
    writes.push({ type: 'del', key });
    horizon = lsn;
    if (++count >= forgetStep) break;
  }
  return { writes, horizon, more: count >= forgetStep, withdrawals };
}
