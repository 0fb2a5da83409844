import { ByteView } from '../bytes/index.ts';
import type { MediaFacts } from './media-facts.ts';

const frameRates = [undefined, 24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60];
const searched = 4 * 1024 * 1024;

/** Whether a file begins as an MPEG program stream or video stream. */
export function isMpegVideo(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && (bytes[3] === 0xba || bytes[3] === 0xb3);
}

/** Read the first sequence header of an MPEG-1 or MPEG-2 film (ISO/IEC 11172-2, 13818-2): size and frame rate. */
export function readMpegVideo(bytes: Uint8Array): MediaFacts {
  const file = new ByteView(bytes);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, searched));
  const packs = bytes[3] === 0xba;
  const at = start.indexOf('\0\0\x01\xb3', 0, 'latin1');
  const extended = start.indexOf('\0\0\x01\xb5', Math.max(at, 0), 'latin1');
  const version = extended >= 0 && extended - at < 256 ? 2 : 1;
  const format = packs ? `MPEG-${version} program stream` : `MPEG-${version} video`;
  if (at < 0 || at + 8 > file.length) return { format, notes: ['No picture was found.'] };
  const sizes = file.u24(at + 4);
  return {
    format,
    width: sizes >> 12,
    height: sizes & 0xfff,
    frameRate: frameRates[file.u8(at + 7) & 15],
    codecs: [`MPEG-${version} video`],
  };
}
