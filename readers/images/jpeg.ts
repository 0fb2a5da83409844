import type { ByteView } from '../bytes/index.ts';
import { decodeText } from '../text/index.ts';
import type { ImageFacts } from './image-facts.ts';

const components: Readonly<Record<number, string>> = { 1: 'greyscale', 3: 'YCbCr', 4: 'CMYK' };
const processes: Readonly<Record<number, string>> = {
  192: 'baseline',
  193: 'extended sequential',
  194: 'progressive',
  195: 'lossless',
  201: 'arithmetic',
  202: 'progressive arithmetic',
};
const maxSegments = 10_000;
const xmpMark = 'http://ns.adobe.com/xap/1.0/\0';

/** Read a JPEG (ITU T.81): frame header and comments up to the first scan, and the XMP packet. */
export function readJpeg(file: ByteView): { readonly facts: ImageFacts; readonly xmp?: string } {
  const comments: string[] = [];
  let xmp: string | undefined;
  let frame: Omit<ImageFacts, 'format'> = {};
  let at = 2;
  for (let segment = 0; segment < maxSegments && at + 4 <= file.length; segment++) {
    // Fill bytes may precede a marker.
    if (file.u8(at) !== 0xff) break;
    const marker = file.u8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda || marker === 0xd9) break;
    const length = file.u16(at + 2);
    const process = processes[marker];
    if (process !== undefined && at + 10 <= file.length)
      frame = {
        depth: file.u8(at + 4),
        height: file.u16(at + 5),
        width: file.u16(at + 7),
        colour: components[file.u8(at + 9)],
        compression: process,
      };
    else if (marker === 0xfe) comments.push(textOf(file, at + 4, at + 2 + length));
    else if (marker === 0xe1 && file.latin1(at + 4, at + 4 + xmpMark.length) === xmpMark)
      xmp ??= file.utf8(at + 4 + xmpMark.length, at + 2 + length);
    at += 2 + Math.max(length, 2);
  }
  return { facts: { format: 'JPEG', ...frame, comments }, ...(xmp === undefined ? {} : { xmp }) };
}

function textOf(file: ByteView, start: number, end: number): string {
  return decodeText(file.slice(start, end)).replaceAll('\0', ' ').trim();
}
