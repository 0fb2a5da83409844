import { ByteView } from '../../bytes/index.ts';
import type { Field } from '../../document/index.ts';
import { fact, type StructuredText } from '../../text/index.ts';
import type { CompoundFile } from './compound-file.ts';

// Records (MS-PPT section 2.13.24).
const slide = 0x03ee;
const mainMaster = 0x03f8;
const handout = 0x0fc9;
const textHeader = 0x0f9f;
const wideText = 0x0fa0;
const narrowText = 0x0fa8;
const plainString = 0x0fba;
// Containers whose strings are read, with the numbers of those strings: comments, headers and footers.
const spoken: ReadonlyMap<number, readonly number[]> = new Map([
  [0x2ee0, [1]],
  [0x0fd9, [1, 2]],
]);
const titles = new Set([0, 6]);

/** Read a presentation (MS-PPT) with comments and footers, each text once; returns the slides. Throws RangeError for none. */
export function readPowerPointBinary(file: CompoundFile, text: StructuredText): readonly Field[] {
  const bytes = file.stream('PowerPoint Document');
  if (bytes === undefined) throw new RangeError('no presentation');
  const view = new ByteView(bytes, true);
  const seen = new Set<string>();
  let slides = 0;
  let kind = -1;
  let holder = -1;
  for (let at = 0; at + 8 <= view.length; ) {
    const type = view.u16(at + 2);
    const length = view.u32(at + 4);
    const container = (view.u16(at) & 0xf) === 0xf;
    const start = at + 8;
    if (type === slide && container) slides++;
    if (container) holder = type;
    if (type === plainString && spoken.get(holder)?.includes(view.u16(at) >> 4) === true)
      addOnce(text, seen, view.utf16(start, Math.min(start + length, view.length)), false);
    if (type === textHeader && length >= 4 && start + 4 <= view.length) kind = view.u32(start);
    else if (type === wideText || type === narrowText) {
      const end = Math.min(start + length, view.length);
      const shown = type === wideText ? view.utf16(start, end) : view.latin1(start, end);
      addOnce(text, seen, shown, titles.has(kind));
    }
    const inside = container && type !== mainMaster && type !== handout;
    at = inside ? start : start + length;
  }
  return [fact('Slides', slides)];
}

const maxSeen = 100_000;

function addOnce(text: StructuredText, seen: Set<string>, shown: string, title: boolean): void {
  if (seen.has(shown) || seen.size >= maxSeen) return;
  seen.add(shown);
  // The mark is replaced by a slide number or another field.
  const lines = shown.split(/[\r\v]/).map((line) => line.replaceAll('*', ''));
  if (title) text.heading(lines.join(' '));
  else for (const line of lines) text.paragraph(line);
}
