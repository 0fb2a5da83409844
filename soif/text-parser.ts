import { type ErrorKind, failure, type GarnerError } from '../kernel/index.ts';
import { Salvage } from './damage-recovery.ts';
import { type SoifPlace, soifErrors } from './errors.ts';
import { defaultLimits, type SoifLimits } from './limits.ts';
import { nameParts } from './multi-value.ts';
import type { SummaryObject } from './summary-object.ts';
import * as syntax from './syntax.ts';
import { AT, CLOSE, COLON, describeByte, OPEN, TAB } from './syntax.ts';
import { TextCursor } from './text-cursor.ts';
import { ValueArena } from './value-arena.ts';

/** One object of a SOIF text and its place. */
export interface SoifItem {
  /** The stream section that it is in; undefined outside of sections. */
  readonly section: syntax.SoifSection | undefined;
  /** Its values are views of one buffer that belongs to this object alone. */
  readonly object: SummaryObject;
  /** Offset of its `@`. */
  readonly byte: number;
  readonly line: number;
  /** Places of the attribute names, with the option `places`. */
  readonly places?: readonly SoifPlace[];
}

/** Bytes between objects that belong to nothing. */
export interface SoifJunk extends SoifPlace {
  readonly bytes: number;
}

/** Options of a parser. */
export interface SoifParserOptions {
  /** Report a fault, discard the damaged object and go on, instead of throwing. */
  readonly recover?: boolean;
  /** Receives each fault in recover mode. */
  readonly onFault?: (fault: GarnerError) => void;
  /** Receives each run of foreign bytes between objects. */
  readonly onJunk?: (junk: SoifJunk) => void;
  /** Give each item the places of its attributes. */
  readonly places?: boolean;
  readonly limits?: Partial<SoifLimits>;
}

type State = 'between' | 'junk' | 'type' | 'brace' | 'url' | 'attribute' | 'value' | 'salvage';

/** More input is needed, the parser made progress, or an object is complete. */
type Step = 'more' | 'on' | SoifItem;

const delimiters = [COLON, TAB];
// More digits than any safe integer needs.
const maxSizeDigits = 15;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parser of SOIF text (RFC 2655 section 3; Harvest stream sections) in chunks of any size. Values are taken
 * by count and may hold any byte. README.md of this folder lists the decision for each doubtful case.
 */
export class SoifParser {
  readonly #limits: SoifLimits;
  readonly #options: SoifParserOptions;
  readonly #arena = new ValueArena();
  readonly #cursor = new TextCursor();
  readonly #salvage: Salvage;

  #state: State = 'between';
  #failed: GarnerError | undefined;
  #section: syntax.SoifSection | undefined;
  #start: SoifPlace = { byte: 0, line: 1 };
  #type = '';
  #url = '';
  #places: SoifPlace[] = [];
  #junk: SoifJunk | undefined;
  // Bytes left of the value being collected.
  #left = 0;
  #faults = 0;
  #junkBytes = 0;

  constructor(options: SoifParserOptions = {}) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    const { maxTypeLength, maxUrlLength, maxNameLength } = this.#limits;
    // Room for an object's opening and its first attribute on one line.
    this.#salvage = new Salvage(maxTypeLength + maxUrlLength + maxNameLength + 64);
  }

  /** Faults reported so far (recover mode). */
  get faults(): number {
    return this.#faults;
  }

  /** Foreign bytes skipped between objects so far. */
  get junkBytes(): number {
    return this.#junkBytes;
  }

  /** Take in a copied chunk and yield its objects; iterate to the end. Throws SOIF_* unless recovering. */
  *push(chunk: Uint8Array): Generator<SoifItem, void, undefined> {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a SOIF parser takes chunks of bytes');
    if (this.#failed) throw this.#failed;
    this.#cursor.feed(chunk);
    yield* this.#run(false);
    this.#cursor.release();
  }

  /** Signal the end of the input. Throws or reports SOIF_TRUNCATED inside an object, value or section. */
  *end(): Generator<SoifItem, void, undefined> {
    if (this.#failed) throw this.#failed;
    yield* this.#run(true);
    this.#endJunk();
    const state = this.#state;
    if (state === 'salvage' || state === 'junk') return;
    if (state === 'between' && this.#section === undefined) return;
    let inside = state === 'value' ? 'a value' : 'an object';
    if (state === 'between') inside = `the ${this.#section} section`;
    this.#fault(soifErrors.SOIF_TRUNCATED, this.#cursor.length, { inside });
  }

  *#run(final: boolean): Generator<SoifItem, void, undefined> {
    for (;;) {
      const step = this.#step(final);
      if (step === 'more') return;
      if (step !== 'on') yield step;
    }
  }

  #step(final: boolean): Step {
    switch (this.#state) {
      case 'between':
        return this.#between();
      case 'junk':
        return this.#skipJunk();
      case 'type':
        return this.#templateType();
      case 'brace':
        return this.#brace();
      case 'url':
        return this.#urlToken();
      case 'attribute':
        return this.#attribute();
      case 'value':
        return this.#value();
      case 'salvage':
        return this.#seekGround(final);
    }
  }

  #between(): Step {
    const cursor = this.#cursor;
    if (!cursor.skipWhite()) return 'more';
    const byte = cursor.buffer[cursor.at];
    if (byte === AT) {
      this.#start = cursor.placeOf(cursor.at);
      this.#places = [];
      return this.#take(1, 'type');
    }
    if (this.#section === undefined) {
      this.#junk = { ...cursor.placeOf(cursor.at), bytes: 0 };
      this.#state = 'junk';
      return 'on';
    }
    if (byte === CLOSE) {
      this.#section = undefined;
      return this.#take(1, 'between');
    }
    const found = describeByte(byte);
    this.#damaged(soifErrors.SOIF_SECTION, cursor.at, { section: this.#section, found });
    // No object is open here: the next brace is the section's.
    this.#salvage.begin(cursor, 1);
    return 'on';
  }

  #skipJunk(): Step {
    const cursor = this.#cursor;
    const to = cursor.buffer.indexOf(AT, cursor.at);
    const end = to < 0 ? cursor.length : to;
    if (this.#junk) this.#junk = { ...this.#junk, bytes: this.#junk.bytes + end - cursor.at };
    cursor.consume(end);
    if (to < 0) return 'more';
    this.#endJunk();
    this.#state = 'between';
    return 'on';
  }

  #templateType(): Step {
    const cursor = this.#cursor;
    const { maxTypeLength } = this.#limits;
    const end = cursor.tokenEnd(syntax.TYPE_BYTE, maxTypeLength);
    if (end - cursor.at > maxTypeLength) return this.#tooLarge('A template type', maxTypeLength, cursor.at);
    if (end === cursor.length) return 'more';
    if (end === cursor.at) return this.#badHeader('a template type');
    this.#type = cursor.textTo(end);
    return this.#take(end - cursor.at, 'brace');
  }

  #brace(): Step {
    const cursor = this.#cursor;
    if (!cursor.skipWhite()) return 'more';
    if (cursor.buffer[cursor.at] !== OPEN) return this.#badHeader('"{"');
    const section = syntax.sectionTypes.get(this.#type);
    if (section === undefined) return this.#take(1, 'url');
    if (this.#section !== undefined) {
      const found = `the ${section} section's opening`;
      this.#fault(soifErrors.SOIF_SECTION, cursor.at, { section: this.#section, found });
    }
    this.#section = section;
    return this.#take(1, 'between');
  }

  #urlToken(): Step {
    const cursor = this.#cursor;
    if (!cursor.skipWhite()) return 'more';
    if (cursor.buffer[cursor.at] === CLOSE)
      return this.#damaged(soifErrors.SOIF_URL, cursor.at, { problem: 'is missing' });
    const { maxUrlLength } = this.#limits;
    const end = cursor.tokenEnd(syntax.URL_BYTE, maxUrlLength);
    if (end - cursor.at > maxUrlLength) return this.#tooLarge('A URL', maxUrlLength, cursor.at);
    if (end === cursor.length) return 'more';
    let problem: string | undefined;
    try {
      this.#url = utf8.decode(cursor.buffer.subarray(cursor.at, end));
      problem = syntax.urlProblem(this.#url, this.#limits);
    } catch {
      problem = 'is not UTF-8';
    }
    if (problem) return this.#damaged(soifErrors.SOIF_URL, cursor.at, { problem });
    return this.#take(end - cursor.at, 'attribute');
  }

  #attribute(): Step {
    const cursor = this.#cursor;
    if (!cursor.skipWhite()) return 'more';
    const { buffer, at: start, length } = cursor;
    if (buffer[start] === CLOSE) return this.#finish();
    if (buffer[start] === AT) return this.#damaged(soifErrors.SOIF_UNCLOSED, start, {});

    const { maxNameLength } = this.#limits;
    const nameEnd = cursor.tokenEnd(syntax.NAME_BYTE, maxNameLength);
    if (nameEnd - start > maxNameLength) return this.#tooLarge('An attribute name', maxNameLength, start);
    if (nameEnd === length) return 'more';
    if (nameEnd === start) return this.#badAttribute('an attribute name or "}"', start);
    if (buffer[nameEnd] !== OPEN) return this.#badAttribute('"{"', nameEnd);

    const sizeAt = nameEnd + 1;
    let end = cursor.tokenEnd(syntax.DIGIT_BYTE, maxSizeDigits, sizeAt);
    if (end - sizeAt > maxSizeDigits) return this.#tooLarge('A value', this.#limits.maxValueBytes, sizeAt);
    if (end === length) return 'more';
    if (end === sizeAt) return this.#badAttribute('a size in digits', end);
    if (buffer[end] !== CLOSE) return this.#badAttribute('"}"', end);

    let size = 0;
    for (let at = sizeAt; at < end; at++) size = size * 10 + (buffer[at] as number) - 48;
    for (const delimiter of delimiters) {
      if (++end === length) return 'more';
      if (buffer[end] !== delimiter) return this.#badDelimiter(nameEnd, end, size);
    }
    return this.#beginValue(nameEnd, end + 1, size);
  }

  /** A complete attribute header up to `end`: check the limits, then collect `size` bytes. */
  #beginValue(nameEnd: number, end: number, size: number): Step {
    const { maxValueBytes, maxAttributes, maxObjectBytes, maxDepth } = this.#limits;
    const { at } = this.#cursor;
    const name = this.#cursor.textTo(nameEnd);
    const refuse = (what: string, limit: number, place: number) => {
      this.#damaged(soifErrors.SOIF_TOO_LARGE, place, { what, limit });
      this.#salvage.beginAtValue(size, false);
      return this.#take(end - at, 'salvage');
    };
    if (size > maxValueBytes) return refuse(`The size of ${name}`, maxValueBytes, nameEnd + 1);
    if (this.#arena.count >= maxAttributes) return refuse('The number of attributes', maxAttributes, at);
    if (this.#arena.size + name.length + size > maxObjectBytes)
      return refuse('The size of an object', maxObjectBytes, nameEnd + 1);
    if (name.includes('<') && nameParts(name).embed.length > maxDepth)
      return refuse('The nesting of an attribute name', maxDepth, at);
    if (this.#options.places) this.#places.push(this.#cursor.placeOf(at));
    this.#arena.begin(name, size);
    this.#left = size;
    return this.#take(end - at, 'value');
  }

  #value(): Step {
    const cursor = this.#cursor;
    const end = Math.min(cursor.length, cursor.at + this.#left);
    this.#arena.append(cursor.buffer, cursor.at, end);
    this.#left -= end - cursor.at;
    cursor.consume(end);
    if (this.#left > 0) return 'more';
    this.#state = 'attribute';
    return 'on';
  }

  #finish(): Step {
    this.#take(1, 'between');
    const object = { templateType: this.#type, url: this.#url, attributes: this.#arena.take() };
    const item = { section: this.#section, object, ...this.#start };
    return this.#options.places ? { ...item, places: this.#places } : item;
  }

  #seekGround(final: boolean): Step {
    const step = this.#salvage.step(this.#cursor, final);
    if (step === 'more' || step === 'on') return step;
    if (step === 'resume-outside') this.#section = undefined;
    this.#state = 'between';
    return 'on';
  }

  #badHeader(expected: string): Step {
    const { at, buffer } = this.#cursor;
    return this.#damaged(soifErrors.SOIF_HEADER, at, { expected, found: describeByte(buffer[at]) });
  }

  #badAttribute(expected: string, at: number): Step {
    const found = describeByte(this.#cursor.buffer[at]);
    return this.#damaged(soifErrors.SOIF_ATTRIBUTE, at, { expected, found });
  }

  #tooLarge(what: string, limit: number, at: number): Step {
    return this.#damaged(soifErrors.SOIF_TOO_LARGE, at, { what, limit });
  }

  /** The size was read, so the value can be skipped although its delimiter is wrong. */
  #badDelimiter(nameEnd: number, at: number, size: number): Step {
    const name = this.#cursor.textTo(nameEnd);
    const found = describeByte(this.#cursor.buffer[at]);
    this.#damaged(soifErrors.SOIF_DELIMITER, at, { name, found });
    this.#salvage.beginAtValue(size, true);
    // A byte other than a blank replaces the colon or the TAB: the value is behind it.
    const blank =
      ((syntax.byteClasses[this.#cursor.buffer[at] as number] as number) & syntax.BLANK_BYTE) !== 0;
    return this.#take(at - this.#cursor.at + (blank ? 0 : 1), 'salvage');
  }

  /** Discard the current object; the current token is read again, since a size may still be found in it. */
  #damaged<Data>(kind: ErrorKind<SoifPlace & Data>, at: number, data: Data): Step {
    this.#fault(kind, at, data);
    this.#arena.clear();
    this.#salvage.begin(this.#cursor, 0);
    this.#state = 'salvage';
    return 'on';
  }

  #fault<Data>(kind: ErrorKind<SoifPlace & Data>, at: number, data: Data): void {
    const error = failure(kind, { ...data, ...this.#cursor.placeOf(at) });
    if (!this.#options.recover) {
      this.#failed = error;
      throw error;
    }
    this.#faults++;
    this.#options.onFault?.(error);
  }

  #endJunk(): void {
    if (!this.#junk) return;
    this.#junkBytes += this.#junk.bytes;
    this.#options.onJunk?.(this.#junk);
    this.#junk = undefined;
  }

  #take(length: number, next: State): Step {
    this.#cursor.consume(this.#cursor.at + length);
    this.#state = next;
    return 'on';
  }
}

/**
 * Parse SOIF text as it arrives. Throws the first fault (SOIF_*) unless `recover`; see SoifParser.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { attributeText, parseSoif } from 'garner/soif';
 *
 * const text = '@FILE { https://harbour.example/\nTitle{7}:\tHarbour\n}\n';
 * const found = [];
 * // Such as the body of `GET /soif` of a Gatherer.
 * for await (const { object } of parseSoif([Buffer.from(text)]))
 *   found.push([object.url, attributeText(object, 'Title')]);
 * assert.deepEqual(found, [['https://harbour.example/', 'Harbour']]);
 */
export async function* parseSoif(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: SoifParserOptions = {},
): AsyncGenerator<SoifItem, void, undefined> {
  const parser = new SoifParser(options);
  for await (const chunk of chunks) yield* parser.push(chunk);
  yield* parser.end();
}
