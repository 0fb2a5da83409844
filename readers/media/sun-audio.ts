import { ByteView } from '../bytes/index.ts';
import type { MediaFacts } from './media-facts.ts';

const encodings: Readonly<Record<number, readonly [codec: string, bytes: number]>> = {
  1: ['u-law', 1],
  2: ['PCM 8-bit', 1],
  3: ['PCM 16-bit', 2],
  4: ['PCM 24-bit', 3],
  5: ['PCM 32-bit', 4],
  6: ['float 32-bit', 4],
  7: ['float 64-bit', 8],
  27: ['A-law', 1],
};

/** Whether a file begins as Sun and NeXT audio. */
export function isSunAudio(bytes: Uint8Array): boolean {
  return bytes[0] === 0x2e && bytes[1] === 0x73 && bytes[2] === 0x6e && bytes[3] === 0x64;
}

/** Read Sun audio (.au, .snd): a header of numbers and an annotation. */
export function readSunAudio(bytes: Uint8Array): MediaFacts {
  const file = new ByteView(bytes);
  const start = file.u32(4);
  const size = Math.min(file.u32(8), file.length - start);
  const [codec, width] = encodings[file.u32(12)] ?? [`encoding ${file.u32(12)}`, 0];
  const [sampleRate, channels] = [file.u32(16), file.u32(20)];
  return {
    format: 'Sun audio',
    codecs: [codec],
    sampleRate,
    channels,
    duration: width === 0 ? undefined : size / (width * sampleRate * channels),
    comment: file.utf8(24, Math.min(start, 4096)).replaceAll('\0', ' ').trim(),
  };
}
