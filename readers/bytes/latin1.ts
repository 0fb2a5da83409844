/** The first `max` bytes as Latin-1 text: one character each. */
export function latin1Start(bytes: Uint8Array, max = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, max)).toString('latin1');
}
