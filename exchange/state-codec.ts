import type { Epoch, SourceState } from '../awareness/index.ts';
import { ByteReader, ByteWriter } from './byte-reader.ts';

const epochLength = 12;
/** A client sends only enough of an epoch to distinguish it: the rest is verified by fingerprints anyway. */
export const epochTagBytes = 4;

export const epochBytes = (epoch: Epoch): Uint8Array => Buffer.from(epoch, 'base64url');
export const epochTag = (epoch: Epoch): Uint8Array => epochBytes(epoch).subarray(0, epochTagBytes);

/** A state without the store's horizon, which is internal; the epoch only when the client has another. */
export function encodeSourceState(state: SourceState, withEpoch: boolean): Uint8Array {
  const writer = new ByteWriter().number(state.lsn).number(state.count).bytes(state.fingerprint);
  return (withEpoch ? writer.bytes(epochBytes(state.epoch)) : writer).finish();
}

/** Whether an encoded state names the epoch. */
export function saysEpoch(bytes: Uint8Array): boolean {
  const reader = new ByteReader(bytes, 'tell');
  reader.number();
  reader.number();
  reader.bytes(16);
  return !reader.done;
}

export function decodeSourceState(bytes: Uint8Array, type: string, known: Epoch | undefined): SourceState {
  const reader = new ByteReader(bytes, type);
  const [lsn, count, fingerprint] = [reader.number(), reader.number(), reader.bytes(16)];
  if (reader.done && known === undefined) reader.fail('does not name the life of its store');
  const epoch = reader.done
    ? (known as Epoch)
    : (Buffer.from(reader.bytes(epochLength)).toString('base64url') as Epoch);
  reader.end();
  return { epoch, lsn, horizon: 0, count, fingerprint };
}
