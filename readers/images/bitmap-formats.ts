import { ByteView } from '../bytes/index.ts';
import type { ImageFacts } from './image-facts.ts';

/** Read a Windows bitmap. */
export function readBmp(bytes: Uint8Array): ImageFacts {
  const file = new ByteView(bytes, true);
  const old = file.u32(14) === 12;
  const bits = file.u16(old ? 24 : 28);
  return {
    format: 'BMP',
    width: old ? file.u16(18) : Math.abs(file.i32(18)),
    // A negative height means rows from the top.
    height: old ? file.u16(20) : Math.abs(file.i32(22)),
    depth: Math.min(bits, 8),
    colour: bits <= 8 ? 'palette' : bits === 32 ? 'RGB with alpha' : 'RGB',
  };
}

/** Read a Windows icon or cursor: the largest of its pictures. */
export function readIcon(bytes: Uint8Array): ImageFacts {
  const file = new ByteView(bytes, true);
  const count = Math.min(file.u16(4), 1000);
  let [width, height, depth] = [0, 0, 0];
  for (let index = 0; index < count && 22 + index * 16 <= file.length; index++) {
    const at = 6 + index * 16;
    const [wide, high] = [file.u8(at) || 256, file.u8(at + 1) || 256];
    if (wide * high >= width * height) [width, height, depth] = [wide, high, file.u16(at + 6)];
  }
  return {
    format: file.u16(2) === 2 ? 'cursor' : 'icon',
    width,
    height,
    depth: depth || undefined,
    frames: count,
  };
}

/** Read a WebP picture: lossy, lossless or extended. */
export function readWebp(bytes: Uint8Array): { readonly facts: ImageFacts; readonly xmp?: string } {
  const file = new ByteView(bytes, true);
  let facts: ImageFacts = { format: 'WebP' };
  let xmp: string | undefined;
  let frames = 0;
  let at = 12;
  for (let chunk = 0; chunk < 100_000 && at + 8 <= file.length; chunk++) {
    const type = file.latin1(at, at + 4);
    const length = file.u32(at + 4);
    const body = at + 8;
    if (type === 'VP8X' && body + 10 <= file.length)
      facts = {
        ...facts,
        width: file.u24(body + 4) + 1,
        height: file.u24(body + 7) + 1,
        colour: (file.u8(body) & 16) === 0 ? 'RGB' : 'RGB with alpha',
      };
    else if (type === 'VP8 ' && facts.width === undefined && body + 10 <= file.length)
      facts = {
        ...facts,
        width: file.u16(body + 6) & 0x3fff,
        height: file.u16(body + 8) & 0x3fff,
        colour: 'YCbCr',
        compression: 'lossy',
      };
    else if (type === 'VP8L' && body + 5 <= file.length) {
      const bits = file.u32(body + 1);
      if (facts.width === undefined)
        facts = { ...facts, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
      facts = {
        ...facts,
        compression: 'lossless',
        colour: (bits & 0x10000000) === 0 ? 'RGB' : 'RGB with alpha',
      };
    } else if (type === 'ANMF') frames++;
    else if (type === 'XMP ') xmp = file.utf8(body, body + length);
    at = body + length + (length % 2);
  }
  return { facts: { ...facts, depth: 8, frames }, ...(xmp === undefined ? {} : { xmp }) };
}

/** Read the header of a Photoshop document. */
export function readPsd(bytes: Uint8Array): ImageFacts {
  const file = new ByteView(bytes);
  const modes = [
    'bitmap',
    'greyscale',
    'palette',
    'RGB',
    'CMYK',
    '',
    '',
    'multichannel',
    'duotone',
    'CIELab',
  ];
  return {
    format: 'Photoshop',
    height: file.u32(14),
    width: file.u32(18),
    depth: file.u16(22),
    colour: modes[file.u16(24)],
  };
}

const maxLayers = 2000;

/** Read a picture of GIMP (XCF): size, mode and the names of its layers. */
export function readXcf(bytes: Uint8Array): ImageFacts {
  const file = new ByteView(bytes);
  const version = /^gimp xcf (?:file|v(\d{3}))/.exec(file.latin1(0, 13))?.[1];
  // From version 11 offsets take eight bytes, from version 4 the precision follows the mode.
  const wide = Number(version ?? 0) >= 11;
  const layers: string[] = [];
  let at = 26 + (Number(version ?? 0) >= 4 ? 4 : 0);
  for (let property = 0; property < 10_000 && at + 8 <= file.length; property++) {
    const [type, length] = [file.u32(at), file.u32(at + 4)];
    at += 8 + length;
    if (type === 0) break;
  }
  for (let layer = 0; layer < maxLayers && at + (wide ? 8 : 4) <= file.length; layer++) {
    const place = wide ? file.u64(at) : file.u32(at);
    at += wide ? 8 : 4;
    if (place === 0 || place + 16 > file.length) break;
    const length = file.u32(place + 12);
    layers.push(file.utf8(place + 16, place + 16 + Math.min(Math.max(length - 1, 0), 200)));
  }
  return {
    format: 'XCF',
    width: file.u32(14),
    height: file.u32(18),
    colour: ['RGB', 'greyscale', 'palette'][file.u32(22)],
    layers,
  };
}

/** Read the size of a JPEG XL picture from its codestream (ISO/IEC 18181-1, size header). */
export function readJpegXl(bytes: Uint8Array): ImageFacts {
  const file = new ByteView(bytes, true);
  const boxed = bytes[0] === 0;
  const box = boxed
    ? Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).indexOf('jxl')
    : 0;
  const codestream = boxed
    ? Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 65536)).indexOf(
        '\xff\x0a',
        32,
        'latin1',
      )
    : 0;
  if (box < 0 || codestream < 0 || codestream + 12 > file.length) return { format: 'JPEG XL' };
  let bit = (codestream + 2) * 8;
  const bits = (count: number) => {
    let value = 0;
    for (let index = 0; index < count; index++, bit++)
      value += ((file.u8(bit >> 3) >> (bit & 7)) & 1) * 2 ** index;
    return value;
  };
  const small = bits(1) === 1;
  const size = () => (small ? (bits(5) + 1) * 8 : bits([9, 13, 18, 30][bits(2)] ?? 9) + 1);
  const height = size();
  const ratio = bits(3);
  const ratios = [1, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2];
  const width = ratio === 0 ? size() : Math.floor(height * (ratios[ratio] ?? 1));
  return { format: 'JPEG XL', width, height };
}
