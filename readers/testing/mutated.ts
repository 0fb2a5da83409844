import fc from 'fast-check';

/** Bytes of real files with bytes changed, cut out, doubled or swapped in. */
export function mutated(
  files: readonly Uint8Array[],
  splices: readonly string[] = [],
): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    kind: fc.nat(4),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(200),
    byte: fc.nat(255),
    splice: fc.constantFrom('\0', '999999999', ...splices),
  });
  return fc
    .tuple(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 12 }))
    .map(([file, changes]) => {
      let bytes = Buffer.from(file);
      for (const { kind, at, length, byte, splice } of changes) {
        const place = Math.floor(at * bytes.length);
        if (kind === 0) bytes[place] = byte;
        else if (kind === 1)
          bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + length)]);
        else if (kind === 2)
          bytes = Buffer.concat([bytes.subarray(0, place + length), bytes.subarray(place)]);
        else if (kind === 3) bytes = bytes.subarray(0, place);
        else
          bytes = Buffer.concat([
            bytes.subarray(0, place),
            Buffer.from(splice, 'latin1'),
            bytes.subarray(place),
          ]);
      }
      return bytes;
    });
}
