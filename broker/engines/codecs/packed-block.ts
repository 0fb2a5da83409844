import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

const [plain, deflated] = [0, 1];
/** Shorter blocks, for example of one changed object, are not worth the time. */
const minBytes = 4096;
/** Every real block is far shorter. A longer one is damage. */
const maxBytes = 16 * 1024 * 1024;

/** Pack a block of similar neighbours: a byte for its encoding, then the block, deflated when long. */
export function packed(block: Uint8Array): Uint8Array {
  const isShort = block.length < minBytes;
  return Buffer.concat([Uint8Array.of(isShort ? plain : deflated), isShort ? block : deflateRawSync(block)]);
}

/** The unpacked block. Throws ENGINE_DAMAGED. */
export function unpacked(value: Uint8Array): Uint8Array {
  const rest = value.subarray(1);
  if (value[0] === plain) return rest;
  if (value[0] !== deflated) throw damaged();
  try {
    return inflateRawSync(rest, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw damaged(cause);
  }
}

const damaged = (cause?: unknown) =>
  failure(engineErrors.ENGINE_DAMAGED, { what: 'a block of words is incomplete' }, cause);
