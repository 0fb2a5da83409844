import { createHash } from 'node:crypto';
import { isGarnerError, systemClock } from '../../kernel/index.ts';
import {
  type Abridged,
  bytesFromStart,
  type DocumentInput,
  documentName,
  type Extract,
  type Field,
  type RecognisedDocument,
  type SummariseOptions,
} from '../../readers/document/index.ts';
import {
  type LinkHeader,
  readLinkHeader,
  robotsDirectives,
  withoutMarkup,
} from '../../readers/html/index.ts';
import { isLicenceText, preceding, withoutPartialCharacter } from '../../readers/text/index.ts';
import { Attributes } from '../../soif/index.ts';
import { looksBinary } from '../recognise/index.ts';
import type { Summary } from '../summarise/index.ts';
import { type LevelledExtract, levelledExtract } from './levelled-extract.ts';

/** The attribute whose sentences name omissions of a summary, with reasons. */
export const summaryNote = 'Summary-Note';

/** The attribute that names the types under which the document was not read, one per line. */
export const typesTried = 'Types-Tried';

const nothing = {
  fields: [],
  references: [],
  links: [],
  index: true,
  follow: true,
  notes: [],
} as const satisfies Extract;

/** Types whose readers use the end of a document that is too large. */
const readsBothEnds: ReadonlySet<string> = new Set(['Audio', 'PCCompressed', 'PDF', 'Video']);

function abridgedNote(read: number, { head }: Abridged): string {
  if (read === 0) return 'The document is too large and was not read (gatherer.max-document-bytes).';
  const end = read === head ? '' : ` and its last ${read - head}`;
  return `Only its first ${head}${end} bytes were read, because it is too large (gatherer.max-document-bytes).`;
}

/** Types read as bytes whose documents may be empty. */
const mayBeEmpty: ReadonlySet<string> = new Set(['Bibliographic', 'Data', 'Mail', 'News']);

/** Attributes that many programs fill with HTML. */
const mayBeHtml: ReadonlySet<string> = new Set(['Description', 'Abstract']);

/** Clocks of other machines may be ahead by this, in seconds. */
const maxAhead = 24 * 60 * 60;

/** Whether a modification time, in seconds since 1970, may be true: a later one would come first by date for ever. */
function isPlausible(seconds: number): boolean {
  return seconds >= 0 && seconds <= systemClock.now() / 1000 + maxAhead;
}

/** Whether a value is a date of blanks and noughts (unknown by Exif 2.3, 4.6.5), or a licence as a description. */
function saysNothing(name: string, value: string): boolean {
  if (name === 'Description') return isLicenceText(value);
  return /(?:^|-)Date$/.test(name) && !/[^\P{L}TZ]|[^\P{Nd}0]/u.test(value);
}

const isKeywords = (name: string) => name.toLowerCase() === Attributes.keywords.toLowerCase();

/** Builds one summary: the attributes of every document, and the summariser's extract or the reason for none. */
export class SummaryDraft {
  /** The summariser's input; undefined when there is nothing to read. */
  readonly readable: RecognisedDocument | undefined;
  readonly #document: RecognisedDocument;
  readonly #options: SummariseOptions;
  readonly #notes: string[] = [];
  /** What the server says of the document. */
  readonly #header: LinkHeader | undefined;
  #read: Extract = nothing;
  #extract: LevelledExtract = nothing;
  #tried: readonly string[] = [];

  /** `reads`: the summariser's input; a clearly binary document is not passed as text. */
  constructor(document: RecognisedDocument, options: SummariseOptions, reads: 'text' | 'bytes' | undefined) {
    this.#document = document;
    this.#options = options;
    const { bytes, type, link, url, abridged } = document;
    if (link !== undefined) this.#header = readLinkHeader(link, url);
    if (abridged !== undefined) this.#notes.push(abridgedNote(bytes.length, abridged));
    if (reads === undefined) return;
    if (bytes.length === 0) {
      if (reads === 'bytes' && !mayBeEmpty.has(type) && abridged === undefined)
        this.#notes.push('The document is empty: 0 bytes.');
      return;
    }
    if (reads === 'text' && looksBinary(bytes)) {
      this.#notes.push(`Not summarised: the content is not ${type}.`);
      return;
    }
    if (abridged !== undefined) {
      const start = bytesFromStart(document);
      this.readable = readsBothEnds.has(type)
        ? document
        : { ...document, bytes: reads === 'text' ? withoutPartialCharacter(start) : start };
      return;
    }
    const whole = bytes.length <= options.maxDocumentBytes;
    if (!whole)
      this.#notes.push(`Only the first ${options.maxDocumentBytes} bytes of the document were read.`);
    this.readable = whole
      ? document
      : { ...document, bytes: withoutPartialCharacter(bytes.subarray(0, options.maxDocumentBytes)) };
  }

  /** Take the summariser's extract, with its text by `gatherer.text`. */
  take(extract: Extract): void {
    this.#read = extract;
    this.#extract = levelledExtract(extract, this.#options);
    this.#notes.push(...this.#extract.notes);
  }

  /** Note why the summariser failed. */
  fail(error: unknown): void {
    this.note(`Not summarised: ${reasonOf(error, this.#document.type)}.`);
  }

  /** Take the types under which the document was not read. */
  tried(types: readonly string[]): void {
    this.#tried = [...types];
  }

  /** Set the operator's own fields; own Keywords count as the document's, and extracted ones stay. */
  override(fields: readonly Field[]): void {
    if (fields.length === 0) return;
    const keywords = fields.filter(([name]) => isKeywords(name));
    if (keywords.length > 0) {
      const read = { ...this.#read, fields: preceding(keywords, this.#read.fields) };
      this.#extract = { ...this.#extract, fields: levelledExtract(read, this.#options).fields };
    }
    const title = fields.find(([name]) => name.toLowerCase() === 'title')?.[1];
    const made = new Map(this.#extract.fields.map((field) => [field[0].toLowerCase(), field]));
    const own = fields
      .filter(([name]) => name.toLowerCase() !== 'title')
      .map((field) => (isKeywords(field[0]) ? (made.get(field[0].toLowerCase()) ?? field) : field));
    this.#extract = {
      ...this.#extract,
      ...(title === undefined ? {} : { title }),
      fields: preceding(own, this.#extract.fields),
    };
  }

  /** Note that something was left out, in one sentence. */
  note(sentence: string): void {
    this.#notes.push(sentence);
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  summary(): Summary {
    const { links, index, canonical = this.#header?.canonical, follow: follows } = this.#extract;
    const header = robotsDirectives([], this.#document.robots, systemClock.now());
    const follow = follows && header.follow;
    return {
      type: this.#document.type,
      attributes: this.#attributes(),
      links: follow ? [...new Set([...links, ...(this.#header?.links ?? [])])] : [],
      index: index && header.index,
      follow,
      ...(canonical === undefined ? {} : { canonical }),
    };
  }

  // Short attributes first: in a printed summary they precede the text.
  #attributes(): Field[] {
    const document: DocumentInput = this.#document;
    const { lastModified, bytes, abridged } = document;
    const { title, fields, references, text } = this.#extract;
    const attributes: Field[] = [
      [Attributes.title, title ?? documentName(document)],
      ...fields.map(([name, value]): Field => [name, mayBeHtml.has(name) ? withoutMarkup(value) : value]),
      ...(this.#header === undefined ? [] : headerFields(this.#header)),
      [Attributes.type, this.#document.type],
      [typesTried, this.#tried.join('\n')],
      [Attributes.fileSize, String(abridged === undefined ? bytes.length : (abridged.size ?? ''))],
    ];
    if (lastModified !== undefined && isPlausible(lastModified))
      attributes.push([Attributes.lastModificationTime, String(Math.floor(lastModified))]);
    if (abridged === undefined)
      attributes.push([Attributes.md5, document.md5 ?? createHash('md5').update(bytes).digest('hex')]);
    if (this.#notes.length > 0) attributes.push([summaryNote, this.#notes.join('\n')]);
    if (references.length > 0) attributes.push([Attributes.urlReferences, references.join('\n')]);
    if (text !== undefined) attributes.push(text);
    return firstOfEach(attributes.filter(([name, value]) => value !== '' && !saysNothing(name, value)));
  }
}

/** Why the summariser of a type failed, as the end of a sentence. */
export function reasonOf(error: unknown, type: string): string {
  const name = error instanceof Error ? error.name : 'unknown error';
  return isGarnerError(error)
    ? error.message.replace(/\.$/, '')
    : `it could not be read as ${type} (${name})`;
}

/** The server's words about a document; those of the document itself come first. */
function headerFields({ canonical, alternates }: LinkHeader): Field[] {
  const lines = alternates.map(({ language, url }) => `${language} ${url}`);
  return [
    ['Canonical-URL', canonical ?? ''],
    ['Alternates', [...new Set(lines)].join('\n')],
  ];
}

/** Attributes with further notes after the existing ones. */
export function withNotes(attributes: readonly Field[], notes: readonly string[]): readonly Field[] {
  if (notes.length === 0) return attributes;
  const isNote = ([name]: Field) => name.toLowerCase() === summaryNote.toLowerCase();
  const before = attributes.filter(isNote).map(([, value]) => value);
  const rest = attributes.filter((field) => !isNote(field));
  const at = rest.findIndex(([name]) => name === Attributes.md5) + 1 || rest.length;
  return rest.toSpliced(at, 0, [summaryNote, [...before, ...notes].join('\n')]);
}

/** The first attribute of each name: an operator's own field precedes Garner's. */
function firstOfEach(attributes: readonly Field[]): Field[] {
  const byName = new Map<string, Field>();
  for (const field of attributes) {
    const name = field[0].toLowerCase();
    if (!byName.has(name)) byName.set(name, field);
  }
  return [...byName.values()];
}
