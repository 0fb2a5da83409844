const pieceBytes = 64 * 1024;
const smallBytes = 4096;

/**
 * The same bytes without runs of small pieces: a file made of blocks of one byte would otherwise take a hundred times
 * its size to keep. What came before an error comes before it here too.
 */
export async function* coalesced(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  let filled = 0;
  let fault: { readonly error: unknown } | undefined;
  try {
    for await (const piece of pieces) {
      const small = piece.length < smallBytes;
      if (filled > 0 && (!small || filled + piece.length > pieceBytes)) {
        yield held.subarray(0, filled);
        filled = 0;
      }
      if (!small) yield piece;
      else if (filled === 0) {
        // Most often it stays the only one.
        held = piece;
        filled = piece.length;
      } else {
        if (held.length < pieceBytes) held = grown(held.subarray(0, filled));
        held.set(piece, filled);
        filled += piece.length;
      }
    }
  } catch (error) {
    fault = { error };
  }
  if (filled > 0) yield held.subarray(0, filled);
  if (fault !== undefined) throw fault.error;
}

// Larger than any small piece, so it is never taken for one that belongs to somebody else.
function grown(start: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(pieceBytes);
  bytes.set(start);
  return bytes;
}
