import { ByteView } from '../bytes/index.ts';
import type { ImageFacts } from './image-facts.ts';

const compressions: Readonly<Record<number, string>> = {
  1: 'none',
  2: 'CCITT run length',
  3: 'CCITT group 3',
  4: 'CCITT group 4',
  5: 'LZW',
  6: 'JPEG',
  7: 'JPEG',
  8: 'Deflate',
  32773: 'PackBits',
  32946: 'Deflate',
  34712: 'JPEG 2000',
  50000: 'Zstandard',
  50001: 'WebP',
};
const colours: Readonly<Record<number, string>> = {
  0: 'greyscale',
  1: 'greyscale',
  2: 'RGB',
  3: 'palette',
  4: 'mask',
  5: 'CMYK',
  6: 'YCbCr',
  8: 'CIELab',
  32803: 'colour filter array',
  34892: 'linear raw',
};
const texts: Readonly<Record<number, string>> = {
  269: 'Source',
  270: 'Description',
  285: 'Page-Name',
  305: 'Software',
  306: 'Date',
  315: 'Author',
  33432: 'Copyright',
};
const maxPages = 10_000;
const maxEntries = 4096;

/** Whether a file begins as TIFF or BigTIFF. */
export function tiffOrder(bytes: Uint8Array): 'little' | 'big' | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x49 && b === 0x49 && (c === 42 || c === 43) && d === 0) return 'little';
  return a === 0x4d && b === 0x4d && c === 0 && (d === 42 || d === 43) ? 'big' : undefined;
}

/** Read a TIFF (revision 6.0) or BigTIFF: the first directory, the number of pages, and the XMP packet. */
export function readTiff(bytes: Uint8Array): { readonly facts: ImageFacts; readonly xmp?: string } {
  const file = new ByteView(bytes, tiffOrder(bytes) === 'little');
  const big = file.u16(2) === 43;
  let at = big ? file.u64(8) : file.u32(4);
  const numbers = new Map<number, number>();
  const fields: [string, string][] = [];
  let xmp: string | undefined;
  let pages = 0;
  const seen = new Set<number>();
  while (at !== 0 && at + 2 <= file.length && pages < maxPages && !seen.has(at)) {
    seen.add(at);
    const count = Math.min(big ? file.u64(at) : file.u16(at), maxEntries);
    const size = big ? 20 : 12;
    const first = at + (big ? 8 : 2);
    if (pages === 0)
      for (let index = 0; index < count; index++) {
        const entry = first + index * size;
        if (entry + size > file.length) break;
        const [tag, type] = [file.u16(entry), file.u16(entry + 2)];
        const values = big ? file.u64(entry + 4) : file.u32(entry + 4);
        const inline = entry + (big ? 12 : 8);
        if (texts[tag] !== undefined && type === 2) {
          const start = values <= (big ? 8 : 4) ? inline : big ? file.u64(inline) : file.u32(inline);
          if (start < file.length) fields.push([texts[tag], file.zeroEnded(start, Math.min(values, 8192))]);
        } else if (tag === 700) {
          const start = big ? file.u64(inline) : file.u32(inline);
          xmp = file.utf8(start, start + values);
        } else if (type === 3 || type === 4) numbers.set(tag, entryNumber(file, type, values, inline, big));
      }
    pages++;
    const next = first + count * size;
    if (next + (big ? 8 : 4) > file.length) break;
    at = big ? file.u64(next) : file.u32(next);
  }
  const facts = {
    format: big ? 'BigTIFF' : 'TIFF',
    width: numbers.get(256),
    height: numbers.get(257),
    depth: numbers.get(258),
    colour: colours[numbers.get(262) ?? -1],
    compression: compressions[numbers.get(259) ?? -1],
    frames: pages,
    fields,
  };
  return { facts, ...(xmp === undefined ? {} : { xmp }) };
}

/** A number of an entry, of several the first. */
function entryNumber(file: ByteView, type: number, count: number, inline: number, big: boolean): number {
  const fits = count * (type === 3 ? 2 : 4) <= (big ? 8 : 4);
  const at = fits ? inline : big ? file.u64(inline) : file.u32(inline);
  if (at + 4 > file.length) return 0;
  return type === 3 ? file.u16(at) : file.u32(at);
}
