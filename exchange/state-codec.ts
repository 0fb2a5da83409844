import type { Epoch, SourceState } from '../awareness/index.ts';
import { ByteWriter } from '../kernel/index.ts';
import { fieldReader } from './fields.ts';

const epochLength = 12;
/** A client sends only enough of an epoch to distinguish it: the rest is verified by fingerprints anyway. */
export const epochTagBytes = 4;

export const epochBytes = (epoch: Epoch): Uint8Array => Buffer.from(epoch, 'base64url');
export const epochTag = (epoch: Epoch): Uint8Array => epochBytes(epoch).subarray(0, epochTagBytes);

/** A state without the store's horizon, which is internal; the epoch only when the client has another. */
export function encodeSourceState(state: SourceState, withEpoch: boolean): Uint8Array {
  const writer = new ByteWriter().varint(state.lsn).varint(state.count).bytes(state.fingerprint);
  return (withEpoch ? writer.bytes(epochBytes(state.epoch)) : writer).take();
}

/** Whether an encoded state names the epoch. */
export function saysEpoch(bytes: Uint8Array): boolean {
  const reader = fieldReader(bytes, 'tell');
  reader.varint();
  reader.varint();
  reader.copy(16);
  return !reader.done;
}

export function decodeSourceState(bytes: Uint8Array, type: string, known: Epoch | undefined): SourceState {
  const reader = fieldReader(bytes, type);
  const [lsn, count, fingerprint] = [reader.varint(), reader.varint(), reader.copy(16)];
  if (reader.done && known === undefined) reader.fail('does not name the life of its store');
  const epoch = reader.done
    ? (known as Epoch)
    : (Buffer.from(reader.copy(epochLength)).toString('base64url') as Epoch);
  reader.expectEnd();
  return { epoch, lsn, horizon: 0, count, fingerprint };
}
