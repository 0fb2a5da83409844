import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

const [plain, deflated] = [0, 1];
/** Shorter blocks, as those of one changed object, are not worth the time. */
const minBytes = 4096;
/** No block is near so long: more is damage. */
const maxBytes = 16 * 1024 * 1024;

/** A block of neighbours in some order, which begin alike: a byte that says how it is kept, then it, deflated (RFC 1951). */
export function packed(block: Uint8Array): Uint8Array {
  const isShort = block.length < minBytes;
  return Buffer.concat([Uint8Array.of(isShort ? plain : deflated), isShort ? block : deflateRawSync(block)]);
}

/** The block. Throws ENGINE_DAMAGED. */
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
  failure(engineErrors.ENGINE_DAMAGED, { what: 'a block of words is not whole' }, cause);
