import { ByteView } from '../bytes/index.ts';
import type { MediaFacts } from './media-facts.ts';

const containers: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'udta']);
const texts: Readonly<
  Record<string, 'title' | 'album' | 'genre' | 'date' | 'comment' | 'copyright' | 'description' | 'software'>
> = {
  '©nam': 'title',
  '©alb': 'album',
  '©gen': 'genre',
  '©day': 'date',
  '©cmt': 'comment',
  '©cpy': 'copyright',
  '©des': 'description',
  '©swr': 'software',
};
const maxBoxes = 20_000;

/** Whether a file begins as MP4 or QuickTime. */
export function isMp4(bytes: Uint8Array): boolean {
  const type = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8))
    .toString('latin1')
    .slice(4);
  return type === 'ftyp' || type === 'moov' || type === 'wide';
}

/**
 * A film of which only the ends are there, as a shorter film: the boxes before the pictures, and those behind them where
 * they are in the end. `head`: bytes of the beginning; `size`: bytes of the whole.
 */
export function mp4OfEnds(bytes: Uint8Array, head: number, size: number): Uint8Array {
  const file = new ByteView(bytes);
  const gap = size - bytes.length;
  const kept: Uint8Array[] = [];
  // Offsets are those of the whole film.
  for (let at = 0, boxes = 0; at + 16 <= size && boxes < maxBoxes; boxes++) {
    const place = at + 16 <= head ? at : at - gap;
    if (place > at || (place < head && at >= head) || place + 16 > bytes.length) break;
    const written = file.u32(place);
    const length = written === 0 ? size - at : written === 1 ? file.u64(place + 8) : written;
    if (length < 8) break;
    const whole = at + length <= head || at >= head + gap;
    if (whole && file.latin1(place + 4, place + 8) !== 'mdat')
      kept.push(bytes.subarray(place, place + length));
    at += length;
  }
  return Buffer.concat(kept);
}

/** Facts in a film's boxes (ISO/IEC 14496-12), where its tags give none. Unreadable parts are left out. */
export function mp4Facts(bytes: Uint8Array): Partial<MediaFacts> {
  const file = new ByteView(bytes);
  const facts: { -readonly [Key in keyof MediaFacts]?: MediaFacts[Key] } = {};
  const languages: string[] = [];
  const artists: string[] = [];
  let boxes = 0;
  const read = (start: number, end: number, level: number): void => {
    let at = start;
    while (at + 8 <= end && boxes++ < maxBoxes) {
      const size = file.u32(at);
      const type = file.latin1(at + 4, at + 8);
      const stop = size === 0 ? end : size === 1 && at + 16 <= end ? at + file.u64(at + 8) : at + size;
      if (stop < at + 8 || stop > end) return;
      const body = at + (size === 1 ? 16 : 8);
      if (containers.has(type) && level < 6) read(body, stop, level + 1);
      else if (type === 'mvhd') facts.duration = timeOf(file, body).seconds;
      else if (type === 'tkhd') {
        const sizes = stop - 8;
        const [width, height] = [file.u32(sizes) >>> 16, file.u32(sizes + 4) >>> 16];
        if (width * height > (facts.width ?? 0) * (facts.height ?? 0))
          [facts.width, facts.height] = [width, height];
      } else if (type === 'mdhd') languages.push(languageCode(file.u16(timeOf(file, body).end)));
      else if (type.startsWith('©') && stop - body > 4) {
        const text = file.utf8(body + 4, Math.min(stop, body + 4 + file.u16(body)));
        const name = texts[type];
        if (name !== undefined) facts[name] ??= text;
        else if (type === '©ART' || type === '©aut') artists.push(text);
      }
      at = stop;
    }
  };
  try {
    read(0, file.length, 0);
  } catch {
    // The facts read before the fault are kept.
  }
  return { ...facts, languages: languages.filter((code) => code !== '' && code !== 'und'), artists };
}

/** The duration in a header box (version 0 or 1), and the offset after its times. */
function timeOf(file: ByteView, body: number): { readonly seconds: number; readonly end: number } {
  const long = file.u8(body) === 1;
  const scale = file.u32(body + (long ? 20 : 12));
  const duration = long ? file.u64(body + 24) : file.u32(body + 16);
  return { seconds: scale === 0 ? 0 : duration / scale, end: body + (long ? 32 : 20) };
}

/** The code in three letters of five bits each. Numbers below 0x400 are from QuickTime's own table: ''. */
function languageCode(packed: number): string {
  if (packed < 0x400 || packed >= 0x7fff) return '';
  const code = [10, 5, 0].map((shift) => String.fromCharCode(((packed >> shift) & 31) + 0x60)).join('');
  return /^[a-z]{3}$/.test(code) ? code : '';
}
