import { ByteView } from '../bytes/index.ts';
import type { ImageFacts } from './image-facts.ts';

/** Whether a file begins with the box of an AVIF or HEIC picture; its brand. */
export function heifBrand(bytes: Uint8Array): 'AVIF' | 'HEIC' | undefined {
  if (bytes.length < 16) return undefined;
  const start = new ByteView(bytes);
  if (start.latin1(4, 8) !== 'ftyp') return undefined;
  const brands = start.latin1(8, Math.min(start.u32(0), 64));
  if (/avi[fs]/.test(brands)) return 'AVIF';
  return /hei[cxms]|hev[cx]|mif1|msf1/.test(brands) ? 'HEIC' : undefined;
}

const maxBoxes = 10_000;
const containers: ReadonlySet<string> = new Set(['meta', 'iprp', 'ipco', 'jp2h']);

interface Box {
  readonly type: string;
  /** The offsets of its content. */
  readonly start: number;
  readonly end: number;
}

/** Read AVIF, HEIC (ISO/IEC 23008-12) or JPEG 2000: the size of the first shown picture, else the largest. */
export function readImageBoxes(bytes: Uint8Array, format: string): ImageFacts {
  const file = new ByteView(bytes);
  const properties: Box[] = [];
  const others = new Map<string, Box>();
  collect(file, properties, others);
  const header = others.get('ihdr');
  if (header !== undefined)
    return {
      format,
      height: file.u32(header.start),
      width: file.u32(header.start + 4),
      depth: (file.u8(header.start + 10) & 127) + 1,
    };
  const shown = primaryProperties(file, others);
  const ofPrimary = properties.filter((_, index) => shown.has(index + 1));
  const chosen = ofPrimary.some(({ type }) => type === 'ispe') ? ofPrimary : properties;
  let [width, height] = [0, 0];
  let depth: number | undefined;
  for (const { type, start, end } of chosen) {
    if (type === 'ispe' && end - start >= 12) {
      const [wide, high] = [file.u32(start + 4), file.u32(start + 8)];
      if (wide * high > width * height) [width, height] = [wide, high];
    } else if (type === 'pixi' && end - start >= 6) depth ??= file.u8(start + 5);
  }
  for (const { type, start, end } of chosen)
    if (type === 'clap' && end - start >= 16) {
      // The visible part of a picture that fills whole blocks.
      const [wide, high] = [
        file.u32(start) / file.u32(start + 4),
        file.u32(start + 8) / file.u32(start + 12),
      ];
      if (wide >= 1 && high >= 1 && wide <= width && high <= height)
        [width, height] = [Math.round(wide), Math.round(high)];
    }
  return { format, width: width || undefined, height: height || undefined, depth };
}

/** Find the boxes: properties in their order, of others the first of each type. */
function collect(file: ByteView, properties: Box[], others: Map<string, Box>): void {
  let boxes = 0;
  const read = (from: number, end: number, around: string, level: number): void => {
    let at = from;
    while (at + 8 <= end && boxes++ < maxBoxes) {
      const size = file.u32(at);
      const type = file.latin1(at + 4, at + 8);
      const head = size === 1 ? 16 : 8;
      if (at + head > end) return;
      const stop = size === 0 ? end : Math.min(end, at + (size === 1 ? file.u64(at + 8) : size));
      if (stop < at + head) return;
      const box = { type, start: at + head, end: stop };
      if (around === 'ipco') properties.push(box);
      else if (!others.has(type)) others.set(type, box);
      if (containers.has(type) && level < 4)
        read(box.start + (type === 'meta' ? 4 : 0), stop, type, level + 1);
      at = stop;
    }
  };
  read(0, file.length, '', 0);
}

/** The numbers of the properties, counted from 1, that belong to the primary item. */
function primaryProperties(file: ByteView, boxes: ReadonlyMap<string, Box>): ReadonlySet<number> {
  const [primary, associations] = [boxes.get('pitm'), boxes.get('ipma')];
  const found = new Set<number>();
  if (primary === undefined || associations === undefined) return found;
  const item = file.u8(primary.start) === 0 ? file.u16(primary.start + 4) : file.u32(primary.start + 4);
  const wideItems = file.u8(associations.start) > 0;
  const wideIndexes = (file.u8(associations.start + 3) & 1) === 1;
  let at = associations.start + 8;
  const entries = Math.min(file.u32(associations.start + 4), maxBoxes);
  for (let entry = 0; entry < entries && at + 3 <= associations.end; entry++) {
    const id = wideItems ? file.u32(at) : file.u16(at);
    at += wideItems ? 4 : 2;
    const count = file.u8(at++);
    for (let index = 0; index < count; index++) {
      if (id === item) found.add(wideIndexes ? file.u16(at) & 0x7fff : file.u8(at) & 0x7f);
      at += wideIndexes ? 2 : 1;
    }
  }
  return found;
}
