import { ByteView } from '../../bytes/index.ts';
import { latin1 } from '../file/lexer.ts';
import { type Encoding, encodingNamed } from './encodings.ts';
import { textOfGlyph } from './glyph-names.ts';

const searched = 64 * 1024;

/** The encoding written in the open part of a Type 1 font program, or undefined. */
export function typeOneEncoding(program: Uint8Array): Encoding | undefined {
  const text = latin1(program, 0, Math.min(program.length, searched));
  if (/\/Encoding\s+StandardEncoding/.test(text)) return encodingNamed('StandardEncoding');
  const start = text.indexOf('/Encoding');
  if (start < 0) return undefined;
  const names: (string | undefined)[] = new Array<string | undefined>(256).fill(undefined);
  for (const [, code, name] of text.slice(start).matchAll(/\bdup\s+(\d{1,3})\s*\/([^\s/]{1,64})\s+put\b/g))
    if (Number(code) < 256) names[Number(code)] = name;
  return names.map(textOfName);
}

// The glyphs every compact font may name by number (Adobe technical note 5176, appendix A), 1 to 228.
const numbered: readonly string[] = [
  ...ascii(),
  ...words(
    `exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft
guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright
guillemotright ellipsis perthousand questiondown grave acute circumflex tilde macron breve dotaccent dieresis ring
cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash oe
germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide brokenbar degree thorn
threequarters twosuperior registered minus eth multiply threesuperior copyright Aacute Acircumflex Adieresis Agrave
Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex
Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex adieresis
agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde oacute
ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron`,
  ),
];
const ownStrings = 391;
const maxGlyphs = 65_536;

function* ascii(): Generator<string> {
  for (let code = 32; code < 127; code++)
    yield code === 39 ? 'quoteright' : code === 96 ? 'quoteleft' : `uni00${code.toString(16).toUpperCase()}`;
}

function words(text: string): string[] {
  return text.split(/\s+/);
}

/** The encoding of a compact font program (CFF), or undefined when it is damaged or keyed by character identifiers. */
export function compactEncoding(program: Uint8Array): Encoding | undefined {
  try {
    return readCompact(new ByteView(program));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readCompact(view: ByteView): Encoding | undefined {
  const names = readIndex(view, view.u8(2));
  const tops = readIndex(view, names.end);
  const strings = readIndex(view, tops.end);
  const top = readTop(view, tops.parts[0] ?? [0, 0]);
  if (top.has(1230)) return undefined;
  const glyphs = readIndex(view, top.get(17) ?? 0).parts.length;
  const nameOf = (id: number): string | undefined => {
    const own = strings.parts[id - ownStrings];
    return id < ownStrings ? numbered[id - 1] : own && view.latin1(own[0], own[1]);
  };
  const charset = readCharset(view, top.get(15) ?? 0, glyphs);
  const encoding = top.get(16) ?? 0;
  if (encoding === 0) return encodingNamed('StandardEncoding');
  if (encoding === 1) return undefined;
  const result: (string | undefined)[] = new Array<string | undefined>(256).fill(undefined);
  const format = view.u8(encoding);
  const count = view.u8(encoding + 1);
  let at = encoding + 2;
  let glyph = 1;
  for (let entry = 0; entry < count; entry++) {
    let code = view.u8(at++);
    const more = (format & 0x7f) === 1 ? view.u8(at++) : 0;
    for (let left = more; left >= 0; left--) result[code++ & 0xff] = nameOf(charset[glyph++] ?? 0);
  }
  if ((format & 0x80) !== 0)
    for (let left = view.u8(at++); left > 0; left--, at += 3) result[view.u8(at)] = nameOf(view.u16(at + 1));
  return result.map(textOfName);
}

function readIndex(view: ByteView, at: number): { readonly parts: [number, number][]; readonly end: number } {
  const count = view.u16(at);
  if (count === 0) return { parts: [], end: at + 2 };
  const size = view.u8(at + 2);
  if (size < 1 || size > 4) throw new RangeError('offset size');
  const offset = (index: number) => {
    let value = 0;
    for (let byte = 0; byte < size; byte++) value = value * 256 + view.u8(at + 3 + index * size + byte);
    return at + 2 + (count + 1) * size + value;
  };
  const parts: [number, number][] = [];
  for (let index = 0; index < count; index++) parts.push([offset(index), offset(index + 1)]);
  return { parts, end: offset(count) };
}

/** The last operand of each operator; two-byte operators count from 1200. */
function readTop(view: ByteView, [start, end]: readonly [number, number]): Map<number, number> {
  const found = new Map<number, number>();
  let operand = 0;
  for (let at = start; at < Math.min(end, view.length); ) {
    const byte = view.u8(at++);
    if (byte <= 21) {
      found.set(byte === 12 ? 1200 + view.u8(at++) : byte, operand);
      operand = 0;
    } else if (byte === 28) {
      operand = view.i16(at);
      at += 2;
    } else if (byte === 29) {
      operand = view.i32(at);
      at += 4;
    } else if (byte === 30) while (at < end && (view.u8(at) & 0xf) !== 0xf && view.u8(at++) >> 4 !== 0xf);
    else if (byte >= 32 && byte <= 246) operand = byte - 139;
    else if (byte >= 247 && byte <= 250) operand = (byte - 247) * 256 + view.u8(at++) + 108;
    else if (byte >= 251 && byte <= 254) operand = -(byte - 251) * 256 - view.u8(at++) - 108;
  }
  return found;
}

/** Names' identifiers by glyph. */
function readCharset(view: ByteView, at: number, glyphs: number): number[] {
  const ids = [0];
  const limit = Math.min(glyphs, maxGlyphs);
  if (at <= 2) return Array.from({ length: limit }, (_, glyph) => glyph);
  const format = view.u8(at);
  let next = at + 1;
  while (ids.length < limit) {
    let id = view.u16(next);
    next += 2;
    let more = 0;
    if (format === 1) more = view.u8(next++);
    else if (format === 2) {
      more = view.u16(next);
      next += 2;
    }
    for (; more >= 0 && ids.length < limit; more--) ids.push(id++);
  }
  return ids;
}

function textOfName(name: string | undefined): string {
  return name === undefined ? '' : (textOfGlyph(name) ?? '\ufffd');
}
