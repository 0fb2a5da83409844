import { Attributes } from '../../soif/index.ts';
import type { Field } from '../summariser.ts';
import type { ReadDocument } from './block.ts';
import { type Condensed, condense } from './condense.ts';

/** How much of a document a summary says: its best words, the parts worth keeping, or everything. */
export type SummaryLevel = 'terse' | 'selected' | 'full';

/** The attributes that a level adds to a document's own fields. */
export interface LevelFields {
  /** `Keywords`, `Headings`, `Partial-Text` or `Full-Text`; they take the place of fields of the same name. */
  readonly fields: readonly Field[];
  /** Whether something was left out because of a bound. */
  readonly cut: boolean;
}

/**
 * Make the attributes of a level. `terse`: Keywords. `selected`: Keywords, Headings and Partial-Text (the sentences
 * worth keeping, one a line). `full`: Headings and Full-Text. Keywords hold the document's own first, then those
 * that were found, one a line, best first. `maxTextBytes`: bytes of UTF-8 of all of it at most.
 */
export function levelFields(document: ReadDocument, level: SummaryLevel, maxTextBytes: number): LevelFields {
  const room = new Room(maxTextBytes);
  const fields: Field[] = [];
  const add = (name: string, parts: readonly string[]) => {
    const value = room.lines(parts);
    if (value !== '') fields.push([name, value]);
  };
  if (level === 'full') {
    const headings = document.blocks.filter(({ role }) => role === 'heading').map(({ text }) => text);
    add(Attributes.headings, [...new Set(headings)]);
    add(
      Attributes.fullText,
      document.blocks.map(({ text }) => text),
    );
    return { fields, cut: room.cut };
  }
  const condensed = condense(document, level);
  add(Attributes.keywords, withOwnKeywords(document, condensed));
  add(Attributes.headings, condensed.headings);
  add(Attributes.partialText, condensed.sentences);
  return { fields, cut: room.cut || condensed.cut };
}

/** The keywords that the document names itself, as they are written, before those that were found. */
function withOwnKeywords({ fields }: ReadDocument, { keywords }: Condensed): string[] {
  const wanted = Attributes.keywords.toLowerCase();
  const own = fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const said = new Set(own.flatMap((value) => value.split(/\s*[,;\n]\s*/).map((word) => word.toLowerCase())));
  return [...own, ...keywords.filter((keyword) => !said.has(keyword.toLowerCase()))];
}

const encoder = new TextEncoder();

/** Hands out bytes until there are none. */
class Room {
  #left: number;
  cut = false;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Parts on lines of their own, as many as fit; the one that does not is cut at a character. */
  lines(parts: readonly string[]): string {
    const kept: string[] = [];
    for (const part of parts) {
      const bytes = Buffer.byteLength(part) + 1;
      if (bytes <= this.#left) {
        kept.push(part);
        this.#left -= bytes;
        continue;
      }
      this.cut = true;
      const rest = part.slice(0, encoder.encodeInto(part, new Uint8Array(Math.max(0, this.#left - 1))).read);
      this.#left = 0;
      if (rest !== '') kept.push(rest);
      break;
    }
    return kept.join('\n');
  }
}
