import { inflateSync } from 'node:zlib';
import type { ByteView } from '../bytes/index.ts';
import type { Field } from '../document/index.ts';
import { fact, rescuer } from '../text/index.ts';
import type { ImageFacts } from './image-facts.ts';

const colours: Readonly<Record<number, string>> = {
  0: 'greyscale',
  2: 'RGB',
  3: 'palette',
  4: 'greyscale with alpha',
  6: 'RGB with alpha',
};

// Keywords of the PNG specification and their attributes.
const attributes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    title: 'Title',
    author: 'Author',
    description: 'Description',
    copyright: 'Copyright',
    'creation time': 'Date',
    software: 'Software',
    source: 'Source',
  }),
);

const maxChunks = 100_000;
const maxTexts = 200;
const maxText = 256 * 1024;

/** Read a PNG (W3C PNG, third edition): header, text chunks, animation, and the XMP packet. */
export function readPng(file: ByteView): { readonly facts: ImageFacts; readonly xmp?: string } {
  const fields: Field[] = [];
  const comments: string[] = [];
  let xmp: string | undefined;
  let frames: number | undefined;
  let title: string | undefined;
  let texts = 0;
  let at = 8;
  for (let chunk = 0; chunk < maxChunks && at + 12 <= file.length; chunk++) {
    const length = file.u32(at);
    const type = file.latin1(at + 4, at + 8);
    const body = file.part(at + 8, at + 8 + length);
    if (type === 'IEND') break;
    if (type === 'acTL' && length >= 4) frames = body.u32(0);
    const text = texts < maxTexts ? textOf(type, body) : undefined;
    if (text !== undefined) texts++;
    if (text?.keyword === 'XML:com.adobe.xmp') xmp ??= text.value;
    else if (text?.keyword === 'Raw profile type xmp') xmp ??= profileText(text.value);
    else if (text !== undefined) {
      const name = attributes.get(text.keyword.toLowerCase());
      if (name === 'Title') title ??= text.value;
      else if (name !== undefined) fields.push(fact(name, text.value));
      // Other profiles that tools hide in text are no words, and `exif:` repeats the EXIF record.
      else if (!/^(?:raw profile|date:|thumb::|png:|exif:)/i.test(text.keyword))
        comments.push(`${text.keyword}: ${text.value}`);
    }
    at += 12 + length;
  }
  const facts = {
    format: 'PNG',
    width: file.u32(16),
    height: file.u32(20),
    depth: file.u8(24),
    colour: colours[file.u8(25)],
    frames,
    title,
    fields,
    comments,
  };
  return { facts, ...(xmp === undefined ? {} : { xmp }) };
}

function textOf(
  type: string,
  body: ByteView,
): { readonly keyword: string; readonly value: string } | undefined {
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') return undefined;
  const zero = body.bytes.indexOf(0);
  if (zero < 1 || zero > 79) return undefined;
  const keyword = body.latin1(0, zero);
  if (type === 'tEXt') return { keyword, value: rescued(body.latin1(zero + 1, zero + 1 + maxText)) };
  if (type === 'zTXt') {
    const packed = Buffer.from(inflated(body.slice(zero + 2, body.length)));
    return { keyword, value: rescued(packed.toString('latin1')) };
  }
  const packed = body.bytes[zero + 1] === 1;
  const language = body.bytes.indexOf(0, zero + 3);
  const translated = language < 0 ? -1 : body.bytes.indexOf(0, language + 1);
  if (translated < 0) return undefined;
  const text = body.slice(translated + 1, body.length);
  return {
    keyword,
    value: Buffer.from(packed ? inflated(text) : text.subarray(0, maxText)).toString('utf8'),
  };
}

/** A profile as ImageMagick hides it in text: its name, its length, and its bytes in hexadecimal. */
function profileText(value: string): string | undefined {
  const [, digits] = /^\s*\w+\s+\d+\s([\da-f\s]+)$/i.exec(value) ?? [];
  return digits === undefined ? undefined : Buffer.from(digits.replace(/\s/g, ''), 'hex').toString('utf8');
}

// The standard requires Latin-1.
function rescued(text: string): string {
  return rescuer([text])(text);
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: maxText });
  } catch {
    return new Uint8Array();
  }
}
