import type { ByteView } from '../bytes/index.ts';
import { decodeText } from '../text/index.ts';
import type { ImageFacts } from './image-facts.ts';

const maxBlocks = 200_000;
const maxComment = 64 * 1024;

/** Read a GIF (GIF89a): size, number of pictures, comment extensions. */
export function readGif(file: ByteView): ImageFacts {
  const flags = file.u8(10);
  const comments: string[] = [];
  let frames = 0;
  let at = 13 + ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));
  for (let block = 0; block < maxBlocks && at < file.length; block++) {
    const mark = file.u8(at);
    if (mark === 0x2c) {
      if (at + 10 > file.length) break;
      frames++;
      const local = file.u8(at + 9);
      at = dataEnd(file, at + 11 + ((local & 0x80) === 0 ? 0 : 3 << ((local & 7) + 1))).end;
    } else if (mark === 0x21) {
      const data = dataEnd(file, at + 2, file.bytes[at + 1] === 0xfe ? comments : undefined);
      at = data.end;
    } else break;
  }
  return {
    format: `GIF ${file.latin1(3, 6)}`,
    width: file.u16(6, true),
    height: file.u16(8, true),
    depth: ((flags >> 4) & 7) + 1,
    colour: 'palette',
    frames,
    comments,
  };
}

/** The end of a run of sub-blocks; their text is added to `comments` when given. */
function dataEnd(file: ByteView, start: number, comments?: string[]): { readonly end: number } {
  let at = start;
  let text = '';
  while (at < file.length) {
    const size = file.u8(at);
    if (comments !== undefined && text.length < maxComment) text += file.latin1(at + 1, at + 1 + size);
    at += 1 + size;
    if (size === 0) break;
  }
  if (text !== '') comments?.push(decoded(text));
  return { end: at };
}

/** The GIF standard requires ASCII; tools write UTF-8 and others. */
function decoded(latin1: string): string {
  return decodeText(Buffer.from(latin1, 'latin1'));
}
