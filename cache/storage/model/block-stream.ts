import { pieceBytes } from './content-blocks.ts';

/** Bytes in memory, in pieces as the contract of a store requires. */
export async function* bytePieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** An iteration that fails at once. */
// biome-ignore lint/correctness/useYield: it yields nothing.
export async function* failing(error: unknown): AsyncGenerator<Uint8Array> {
  throw error;
}
