import type { Block, Field, SummaryText } from '../../readers/document/index.ts';
import { Attributes } from '../../soif/index.ts';
import { type Condensed, condense } from './condense.ts';
import type { ReadDocument } from './read-document.ts';

const encoder = new TextEncoder();

/** Hands out bytes of UTF-8 for the values of one summary until there are none. */
class ByteBudget {
  #left: number;
  /** Whether something did not fit. */
  cut = false;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Parts on lines of their own, as many as fit; the one that does not is cut at a character. */
  lines(parts: readonly string[]): string {
    const kept: string[] = [];
    for (const part of parts) {
      const separator = kept.length === 0 ? 0 : 1;
      const bytes = Buffer.byteLength(part) + separator;
      if (bytes <= this.#left) {
        kept.push(part);
        this.#left -= bytes;
        continue;
      }
      this.cut = true;
      const room = Math.max(0, this.#left - separator);
      const rest = part.slice(0, encoder.encodeInto(part, new Uint8Array(room)).read);
      this.#left = 0;
      if (rest !== '') kept.push(rest);
      break;
    }
    return kept.join('\n');
  }
}

/** How much of a document a summary says: its best words, the parts worth keeping, or everything. */
export type SummaryLevel = Exclude<SummaryText, 'none'>;

/** The attributes that a level makes of a document. */
export interface LevelFields {
  /**
   * `Keywords`, `Headings`, `Partial-Text` or `Full-Text`, in this order and as far as there are any. They take the
   * place of the document's own fields of these names, which they hold where the level keeps them.
   */
  readonly fields: readonly Field[];
  /** Whether something was left out because of `maxTextBytes`. */
  readonly cut: boolean;
  /** Whether the document has more words than are looked at. */
  readonly unread: boolean;
}

/** Longer texts are never shorter than the words chosen of them; UTF-16 units. */
const shortText = 16 * 1024;

/**
 * Make the attributes of a level. `terse`: Keywords. `selected`: Keywords, Headings and Partial-Text (the sentences
 * worth keeping, one a line). `full`: Headings and Full-Text. Keywords hold the document's own first, then those
 * that were found, one a line, best first. A level never comes to more bytes than the one above it: a text so short
 * that nothing would be saved is kept whole, as Partial-Text. `maxTextBytes`: bytes of UTF-8 of all that is made, at
 * most. `size` scales what a level keeps, 1 is the level's own.
 */
export function levelFields(
  document: ReadDocument,
  level: SummaryLevel,
  maxTextBytes: number,
  size = 1,
): LevelFields {
  if (level === 'full') return wholeFields(document, Attributes.fullText, true, maxTextBytes);
  const read = withOwnHeadings(document);
  const made = (wanted: 'terse' | 'selected') => condensedFields(read, wanted, maxTextBytes, size);
  const choices = [made(level)];
  if (lengthOf(document.blocks) <= shortText) {
    if (level === 'terse') choices.push(made('selected'));
    choices.push(wholeFields(document, Attributes.partialText, level === 'selected', maxTextBytes));
  }
  return choices.reduce((best, other) => (bytesOf(other) < bytesOf(best) ? other : best));
}

function condensedFields(
  document: ReadDocument,
  level: 'terse' | 'selected',
  maxTextBytes: number,
  size: number,
): LevelFields {
  const condensed = condense(document, level, size);
  const room = new ByteBudget(maxTextBytes);
  const fields = present([
    [Attributes.keywords, keywordsOf(document, condensed, room)],
    [Attributes.headings, room.lines(condensed.headings)],
    [Attributes.partialText, room.lines(condensed.sentences)],
  ]);
  return { fields, cut: room.cut, unread: condensed.cut };
}

/** The document's own keywords and headings and all of its text. */
function wholeFields(
  document: ReadDocument,
  textName: string,
  headings: boolean,
  maxTextBytes: number,
): LevelFields {
  const { blocks } = document;
  const room = new ByteBudget(maxTextBytes);
  const found = () => room.lines([...new Set(blocks.filter(isHeading).map(({ text }) => text))]);
  const ownHeadings = ownOf(document, Attributes.headings).join('\n');
  const fields = present([
    [Attributes.keywords, ownOf(document, Attributes.keywords).join('\n')],
    [Attributes.headings, headings ? ownHeadings || found() : ''],
    [textName, room.lines(blocks.map(({ text }) => text))],
  ]);
  return { fields, cut: room.cut, unread: false };
}

const isHeading = ({ role }: Block) => role === 'heading';

const present = (fields: readonly Field[]) => fields.filter(([, value]) => value !== '');

const lengthOf = (blocks: readonly Block[]) => blocks.reduce((sum, { text }) => sum + text.length, 0);

const bytesOf = ({ fields }: LevelFields) =>
  fields.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);

/** Values of a field that the document has itself, as they are written. */
function ownOf({ fields }: ReadDocument, name: string): string[] {
  const wanted = name.toLowerCase();
  return fields
    .filter(([own, value]) => own.toLowerCase() === wanted && value !== '')
    .map(([, value]) => value);
}

/** Headings that stand in a field alone, such as the outline of a PDF, come before the text. */
function withOwnHeadings(document: ReadDocument): ReadDocument {
  if (document.blocks.some(isHeading)) return document;
  const lines = ownOf(document, Attributes.headings).flatMap((value) => value.split('\n'));
  const headings = lines.map((text): Block => ({ role: 'heading', text }));
  return { ...document, blocks: [...headings, ...document.blocks] };
}

/** The keywords that the document names itself, as they are written, before those that were found. */
function keywordsOf(document: ReadDocument, { keywords }: Condensed, room: ByteBudget): string {
  const own = ownOf(document, Attributes.keywords);
  const said = new Set(own.flatMap((value) => value.split(/\s*[,;\n]\s*/).map((word) => word.toLowerCase())));
  const found = room.lines(keywords.filter((keyword) => !said.has(keyword.toLowerCase())));
  return [...own, found].filter((value) => value !== '').join('\n');
}
