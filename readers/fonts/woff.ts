import { brotliDecompressSync, constants, inflateSync } from 'node:zlib';
import { ByteView } from '../bytes/index.ts';
import type { FontTables } from './sfnt.ts';

const maxFont = 64 * 1024 * 1024;
const maxTables = 512;

/** The tables of a WOFF font (W3C WOFF 1.0): each is deflated on its own. */
export function woffTables(file: ByteView): FontTables {
  const places = new Map<string, number>();
  const count = Math.min(file.u16(12), maxTables);
  for (let index = 0; index < count; index++) {
    const at = 44 + index * 20;
    if (at + 20 <= file.length) places.set(file.latin1(at, at + 4), at);
  }
  return (tag) => {
    const at = places.get(tag);
    if (at === undefined) return undefined;
    const [offset, packed, length] = [file.u32(at + 4), file.u32(at + 8), file.u32(at + 12)];
    const bytes = file.slice(offset, offset + packed);
    if (packed === length) return new ByteView(bytes);
    return new ByteView(inflateSync(bytes, { maxOutputLength: Math.min(length, maxFont) || 1 }));
  };
}

// W3C WOFF 2.0, section 4.1: tables named by number.
const knownTags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
).match(/.{4}(?: |$)/g);

/**
 * The tables of a WOFF 2 font (W3C WOFF 2.0): one brotli stream holds all. Throws when it unpacks to more
 * than 64 MiB. Of a collection the tables of the first font are returned, since the first of a name is used.
 */
export function woff2Tables(file: ByteView): FontTables {
  const places = new Map<string, readonly [offset: number, length: number]>();
  const count = Math.min(file.u16(12), maxTables);
  let at = 48;
  let offset = 0;
  const number = () => {
    let value = 0;
    for (let byte = 0; byte < 5; byte++) {
      const next = file.u8(at++);
      value = value * 128 + (next & 127);
      if (next < 128) return value;
    }
    throw new RangeError('number too long');
  };
  for (let index = 0; index < count; index++) {
    const flags = file.u8(at++);
    let tag = knownTags?.[flags & 63]?.slice(0, 4) ?? '';
    if ((flags & 63) === 63) {
      tag = file.latin1(at, at + 4);
      at += 4;
    }
    const length = number();
    const version = flags >> 6;
    // Outlines and their index are transformed except in version 3; other tables are transformed except in
    // version 0.
    const transformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
    const stored = transformed ? number() : length;
    if (!places.has(tag)) places.set(tag, [offset, stored]);
    offset += stored;
  }
  // A collection's directory is in between; its stream begins at the end less its packed length.
  const packed = file.u32(20);
  const start = file.u32(4) === 0x74746366 ? collectionEnd(file, at) : at;
  const bytes = brotliDecompressSync(file.slice(start, start + packed), {
    maxOutputLength: Math.min(Math.max(offset, 1), maxFont),
    params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 0 },
  });
  const data = new ByteView(bytes);
  return (tag) => {
    const place = places.get(tag);
    return place === undefined ? undefined : data.part(place[0], place[0] + place[1]);
  };
}

/** Where a collection's directory of fonts ends. */
function collectionEnd(file: ByteView, start: number): number {
  let at = start + 4;
  // A number of one to three bytes whose first byte may give the number of further bytes (255UInt16).
  const short = () => {
    const first = file.u8(at++);
    if (first === 253) at += 2;
    else if (first >= 254) at += 1;
    return first === 253
      ? file.u16(at - 2)
      : first === 254
        ? file.u8(at - 1) + 506
        : first === 255
          ? file.u8(at - 1) + 253
          : first;
  };
  const fonts = short();
  for (let font = 0; font < fonts && font < maxTables; font++) {
    const tables = short();
    at += 4;
    for (let table = 0; table < tables && table < maxTables; table++) short();
  }
  return at;
}
