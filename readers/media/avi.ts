import { ByteView, latin1Start } from '../bytes/index.ts';
import { attempted } from '../text/index.ts';
import type { MediaFacts } from './media-facts.ts';

const info: Readonly<
  Record<
    string,
    keyof MediaFacts & ('title' | 'album' | 'genre' | 'date' | 'comment' | 'copyright' | 'software')
  >
> = {
  INAM: 'title',
  IPRD: 'album',
  IGNR: 'genre',
  ICRD: 'date',
  ICMT: 'comment',
  ICOP: 'copyright',
  ISFT: 'software',
};
const audioCodecs: Readonly<Record<number, string>> = {
  1: 'PCM',
  2: 'ADPCM',
  80: 'MPEG layer 2',
  85: 'MP3',
  146: 'AC-3',
  255: 'AAC',
  353: 'WMA',
};
const lists: ReadonlySet<string> = new Set(['hdrl', 'strl', 'INFO']);
const maxChunks = 100_000;

/** Whether a file begins as AVI. */
export function isAvi(bytes: Uint8Array): boolean {
  const start = latin1Start(bytes, 12);
  return start.startsWith('RIFF') && start.startsWith('AVI ', 8);
}

/** Read an AVI film (RIFF): main header, streams, and its INFO list. */
export function readAvi(bytes: Uint8Array): MediaFacts {
  const file = new ByteView(bytes, true);
  const facts: { -readonly [Key in keyof MediaFacts]: MediaFacts[Key] } = { format: 'AVI' };
  const codecs: string[] = [];
  const artists: string[] = [];
  let kind = '';
  let chunks = 0;
  const read = (start: number, end: number, level: number): void => {
    let at = start;
    while (at + 8 <= end && chunks++ < maxChunks) {
      const type = file.latin1(at, at + 4);
      const length = file.u32(at + 4);
      const body = at + 8;
      const stop = Math.min(end, body + length);
      if (type === 'LIST') {
        // Pictures and sound are skipped.
        if (lists.has(file.latin1(body, body + 4)) && level < 4) read(body + 4, stop, level + 1);
      } else if (type === 'avih' && length >= 40 && body + 40 <= file.length) {
        const [each, frames] = [file.u32(body), file.u32(body + 16)];
        facts.frameRate = each > 0 ? 1e6 / each : undefined;
        facts.duration = (each * frames) / 1e6;
        facts.width = file.u32(body + 32);
        facts.height = file.u32(body + 36);
      } else if (type === 'strh' && body + 8 <= file.length) {
        kind = file.latin1(body, body + 4);
        if (kind === 'vids')
          codecs.push(
            file
              .latin1(body + 4, body + 8)
              .replace(/[^ -~]/g, '')
              .trim(),
          );
      } else if (type === 'strf' && kind === 'auds' && body + 12 <= file.length) {
        codecs.push(audioCodecs[file.u16(body)] ?? `audio ${file.u16(body)}`);
        facts.channels = file.u16(body + 2);
        facts.sampleRate = file.u32(body + 4);
      } else if (type === 'IART') artists.push(file.utf8(body, stop).replace(/\0[\s\S]*$/, ''));
      else if (info[type] !== undefined)
        facts[info[type]] = file.utf8(body, Math.min(stop, body + 8192)).replace(/\0[\s\S]*$/, '');
      at = body + length + (length % 2);
    }
  };
  const notes: string[] = [];
  attempted('A part', notes, () => read(12, file.length, 0));
  return { ...facts, codecs, artists, notes };
}
