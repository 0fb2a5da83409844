import { ByteView } from '../bytes/index.ts';
import { attempted } from '../text/index.ts';
import type { FontFacts } from './font-facts.ts';
import { bitmapFacts } from './font-text.ts';

const propertiesTable = 1;
const metricsTable = 4;
const maxProperties = 4096;

/** Whether a file begins as a compiled bitmap font of X. */
export function isPcf(bytes: Uint8Array): boolean {
  return bytes[0] === 1 && bytes[1] === 0x66 && bytes[2] === 0x63 && bytes[3] === 0x70;
}

/** Read a portable compiled font of X: its properties and the number of glyphs. */
export function readPcf(bytes: Uint8Array): FontFacts {
  const file = new ByteView(bytes, true);
  const notes: string[] = [];
  const tables = new Map<number, number>();
  const count = Math.min(file.u32(4), 64);
  for (let index = 0; index < count; index++) tables.set(file.u32(8 + index * 16), file.u32(20 + index * 16));
  const properties =
    attempted('The property table', notes, () => {
      const at = tables.get(propertiesTable);
      return at === undefined ? undefined : readProperties(file, at);
    }) ?? new Map<string, string>();
  const glyphs = attempted('The metrics table', notes, () => {
    const at = tables.get(metricsTable);
    if (at === undefined) return undefined;
    const format = file.u32(at);
    const little = (format & 4) === 0;
    // Compressed metrics count in 16 bits.
    return (format & 0x100) === 0 ? file.u32(at + 4, little) : file.u16(at + 4, little);
  });
  return { ...bitmapFacts('PCF', (name) => properties.get(name)), glyphs, notes };
}

function readProperties(file: ByteView, at: number): ReadonlyMap<string, string> {
  const little = (file.u32(at) & 4) === 0;
  const count = Math.min(file.u32(at + 4, little), maxProperties);
  const entries = at + 8;
  // Entries of nine bytes, padded to four.
  const sizeAt = entries + Math.ceil((count * 9) / 4) * 4;
  const strings = sizeAt + 4;
  const found = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const entry = entries + index * 9;
    const name = file.zeroEnded(strings + file.u32(entry, little), 200);
    const value = file.u32(entry + 5, little);
    found.set(name, file.u8(entry + 4) === 0 ? String(value) : file.zeroEnded(strings + value, 2000));
  }
  return found;
}
