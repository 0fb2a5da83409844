import type { Block, Field, SummaryText } from '../../readers/document/index.ts';
import { Attributes } from '../../soif/index.ts';
import { type Condensed, condense, type Weighed, weigh } from './condense.ts';
import type { ReadDocument } from './tokenised-document.ts';

const encoder = new TextEncoder();

/** The bytes of UTF-8 that are left for the values of one summary. */
class ByteBudget {
  #left: number;
  /** Whether something did not fit. */
  cut = false;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Parts on lines of their own, as many as fit; the first that does not fit is cut at a character. */
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

/** How much of a document's text a summary holds: its best words, its most significant parts, or everything. */
export type SummaryLevel = Exclude<SummaryText, 'none'>;

/** The attributes of a level. */
export interface LevelFields {
  /**
   * `Keywords`, `Headings`, `Partial-Text` or `Full-Text`, in this order, without empty ones. They replace the
   * document's own fields of these names and include them where the level has them.
   */
  readonly fields: readonly Field[];
  /** Whether something was left out because of `maxTextBytes`. */
  readonly cut: boolean;
  /** Whether the document has more words than are weighed. */
  readonly unread: boolean;
}

/** A longer text is never shorter than the words chosen from it; UTF-16 units. */
const shortText = 16 * 1024;

/**
 * Make the attributes of a level. `terse`: Keywords. `selected`: Keywords, Headings and Partial-Text (the chosen
 * sentences, one per line). `full`: Headings and Full-Text. Keywords hold the document's own first, then the extracted
 * ones, one per line, best first. A level never has more bytes than the level above it: a text that would not become
 * shorter is stored whole, as Partial-Text. `maxTextBytes`: max bytes of UTF-8 of all values. `size` scales the amounts
 * of a level; 1 is the level's own.
 */
export function levelFields(
  document: ReadDocument,
  level: SummaryLevel,
  maxTextBytes: number,
  size = 1,
): LevelFields {
  if (level === 'full') return wholeFields(document, Attributes.fullText, true, maxTextBytes);
  const weighed = weigh(withOwnHeadings(document));
  const made = (wanted: 'terse' | 'selected') => condensedFields(weighed, wanted, maxTextBytes, size);
  const choices = [made(level)];
  if (lengthOf(document.blocks) <= shortText) {
    if (level === 'terse') choices.push(made('selected'));
    choices.push(wholeFields(document, Attributes.partialText, level === 'selected', maxTextBytes));
  }
  return choices.reduce((best, other) => (bytesOf(other) < bytesOf(best) ? other : best));
}

function condensedFields(
  weighed: Weighed,
  level: 'terse' | 'selected',
  maxTextBytes: number,
  size: number,
): LevelFields {
  const condensed = condense(weighed, level, size);
  const room = new ByteBudget(maxTextBytes);
  const fields = present([
    [Attributes.keywords, keywordsOf(weighed.document, condensed, room)],
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

/** Values of a document's own field, unchanged. */
function ownOf({ fields }: ReadDocument, name: string): string[] {
  const wanted = name.toLowerCase();
  return fields
    .filter(([own, value]) => own.toLowerCase() === wanted && value !== '')
    .map(([, value]) => value);
}

/** Put headings that only a field holds, such as the outline of a PDF, before the text. */
function withOwnHeadings(document: ReadDocument): ReadDocument {
  if (document.blocks.some(isHeading)) return document;
  const lines = ownOf(document, Attributes.headings).flatMap((value) => value.split('\n'));
  const headings = lines.map((text): Block => ({ role: 'heading', text }));
  return { ...document, blocks: [...headings, ...document.blocks] };
}

/** The document's own keywords, unchanged, before the extracted ones. */
function keywordsOf(document: ReadDocument, { keywords }: Condensed, room: ByteBudget): string {
  const own = ownOf(document, Attributes.keywords);
  const named = new Set(
    own.flatMap((value) => value.split(/\s*[,;\n]\s*/).map((word) => word.toLowerCase())),
  );
  const found = room.lines(keywords.filter((keyword) => !named.has(keyword.toLowerCase())));
  return [...own, found].filter((value) => value !== '').join('\n');
}
