import {
  cellBytes,
  decodeShortIds,
  encodeShortIds,
  SetSummary,
  type ShortId,
  SignSums,
  Sketch,
} from '../../awareness/index.ts';
import { failure } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';

export interface SetChange {
  readonly added: readonly ShortId[];
  readonly removed: readonly ShortId[];
}

/** A journal row: the changes of a set in one batch. */
export function encodeSetChange({ added, removed }: SetChange): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(added.length);
  return Buffer.concat([head, encodeShortIds(added), encodeShortIds(removed)]);
}

export function decodeSetChange(value: Uint8Array): SetChange {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const added = bytes.length < 4 ? 0 : bytes.readUInt32BE();
  if (bytes.length < 4 + added * 6 || (bytes.length - 4) % 6 !== 0)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'a journal row' });
  return {
    added: decodeShortIds(bytes.subarray(4, 4 + added * 6)),
    removed: decodeShortIds(bytes.subarray(4 + added * 6)),
  };
}

const sumBytes = 256;

/** A set's sketch as of a batch. */
export function encodeSummary(summary: SetSummary, batch: number): Uint8Array {
  const head = Buffer.alloc(9);
  head[0] = 1;
  head.writeDoubleBE(batch, 1);
  return Buffer.concat([head, summary.sums.dump(), summary.sketch.encode()]);
}

/** The batch as of which a sketch was written, without decoding the sketch. */
export function batchOfSummary(value: Uint8Array): number {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length < 9) throw failure(storeErrors.STORE_CORRUPT, { what: 'the sketch of a set' });
  return bytes.readDoubleBE(1);
}

export function decodeSummary(value: Uint8Array): { readonly summary: SetSummary; readonly batch: number } {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const cells = bytes.length - 9 - sumBytes;
  if (bytes[0] !== 1 || cells <= 0 || cells % cellBytes !== 0)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'the sketch of a set' });
  const sums = SignSums.load(bytes.subarray(9, 9 + sumBytes));
  return {
    summary: new SetSummary(Sketch.decode(bytes.subarray(9 + sumBytes)), sums),
    batch: batchOfSummary(value),
  };
}
