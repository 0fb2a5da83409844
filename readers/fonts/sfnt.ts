import type { ByteView } from '../bytes/index.ts';
import { attempted, decodeAs } from '../text/index.ts';
import type { FontFacts } from './font-facts.ts';
import { scriptsOf } from './font-scripts.ts';

/** Returns a table of a font by its tag, or undefined; bounded by the font's own bytes. */
export type FontTables = (tag: string) => ByteView | undefined;

const maxTables = 512;
const maxNames = 2000;

/** Whether four bytes begin a TrueType or OpenType font. */
export function isSfnt(mark: number): boolean {
  return mark === 0x00010000 || mark === 0x4f54544f || mark === 0x74727565 || mark === 0x74797031;
}

/** The tables of the sfnt font at `start` of a file. */
export function sfntTables(file: ByteView, start: number): FontTables {
  const places = new Map<string, readonly [offset: number, length: number]>();
  const count = Math.min(file.u16(start + 4), maxTables);
  for (let index = 0; index < count; index++) {
    const at = start + 12 + index * 16;
    if (at + 16 > file.length) break;
    places.set(file.latin1(at, at + 4), [file.u32(at + 8), file.u32(at + 12)]);
  }
  return (tag) => {
    const place = places.get(tag);
    return place === undefined ? undefined : file.part(place[0], place[0] + place[1], false);
  };
}

/** Read a font's tables `name`, `maxp`, `OS/2`, `post` and `cmap` (OpenType specification). */
export function readSfnt(tables: FontTables, format: string): FontFacts {
  const notes: string[] = [];
  const table = <Value>(tag: string, what: string, read: (view: ByteView) => Value): Value | undefined => {
    const view = tables(tag);
    return view === undefined || view.length === 0 ? undefined : attempted(what, notes, () => read(view));
  };
  const names = table('name', 'The name table', readNames) ?? new Map<number, string>();
  const codes = table('cmap', 'The character map', characterRanges);
  const weight = table('OS/2', 'The OS/2 table', (view) => view.u16(4));
  return {
    format,
    family: names.get(16) ?? names.get(1),
    style: names.get(17) ?? names.get(2),
    fullName: names.get(4),
    postScriptName: names.get(6),
    version: names.get(5),
    copyright: names.get(0),
    trademark: names.get(7),
    manufacturer: names.get(8),
    designer: names.get(9),
    description: names.get(10),
    licence: licenceText(names.get(13), names.get(14)),
    glyphs: table('maxp', 'The maximum profile', (view) => view.u16(4)),
    weight: weight === undefined ? undefined : String(weight),
    fixedPitch: table('post', 'The PostScript table', (view) => view.u32(12) !== 0),
    scripts: codes === undefined ? [] : scriptsOf(codes),
    notes,
  };
}

/** The full name in a font's name table; undefined without one. */
export function sfntFullName(tables: FontTables): string | undefined {
  const view = tables('name');
  return view === undefined ? undefined : readNames(view).get(4);
}

function licenceText(description: string | undefined, address: string | undefined): string | undefined {
  return [description, address].filter(Boolean).join(' ') || undefined;
}

/** Names by their number; English of Windows before others. */
function readNames(view: ByteView): ReadonlyMap<number, string> {
  const found = new Map<number, { readonly rank: number; readonly text: string }>();
  const strings = view.u16(4);
  const count = Math.min(view.u16(2), maxNames);
  for (let index = 0; index < count; index++) {
    const at = 6 + index * 12;
    if (at + 12 > view.length) break;
    const [platform, language, id] = [view.u16(at), view.u16(at + 4), view.u16(at + 6)];
    const start = strings + view.u16(at + 10);
    const end = start + view.u16(at + 8);
    const wide = platform === 3 || platform === 0;
    const english = platform === 3 ? language === 0x409 : language === 0;
    const rank = (platform === 3 ? 1 : 0) + (english ? 2 : 0);
    if (id > 25 || rank <= (found.get(id)?.rank ?? -1)) continue;
    const written = wide ? view.utf16(start, end, false) : decodeAs(view.slice(start, end), 'macintosh');
    const text = written.replaceAll('\0', '').trim();
    if (text !== '') found.set(id, { rank, text });
  }
  return new Map([...found].map(([id, { text }]) => [id, text]));
}

/** Characters a font has glyphs for, as ranges [first, last]. */
export type CharacterRanges = readonly (readonly [first: number, last: number])[];

const maxRanges = 100_000;

/** The ranges of the best Unicode subtable of a character map: format 12 before 4. */
function characterRanges(view: ByteView): CharacterRanges {
  let best: { readonly at: number; readonly format: number } | undefined;
  const count = Math.min(view.u16(2), 100);
  for (let index = 0; index < count; index++) {
    const [platform, encoding, at] = [
      view.u16(4 + index * 8),
      view.u16(6 + index * 8),
      view.u32(8 + index * 8),
    ];
    const unicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10));
    if (!unicode || at + 2 > view.length) continue;
    const format = view.u16(at);
    if ((format === 4 || format === 12) && format > (best?.format ?? 0)) best = { at, format };
  }
  if (best === undefined) return [];
  return best.format === 12 ? wideRanges(view, best.at) : segmentRanges(view, best.at);
}

function wideRanges(view: ByteView, at: number): CharacterRanges {
  const groups = Math.min(view.u32(at + 12), maxRanges, Math.floor((view.length - at - 16) / 12));
  return Array.from({ length: Math.max(0, groups) }, (_, index) => {
    const group = at + 16 + index * 12;
    return [view.u32(group), view.u32(group + 4)] as const;
  });
}

function segmentRanges(view: ByteView, at: number): CharacterRanges {
  const segments = view.u16(at + 6) / 2;
  return Array.from({ length: segments }, (_, index) => {
    const last = view.u16(at + 14 + index * 2);
    return [view.u16(at + 16 + segments * 2 + index * 2), last] as const;
  }).filter(([first]) => first !== 0xffff);
}
