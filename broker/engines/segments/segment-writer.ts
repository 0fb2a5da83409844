import { Pacing } from '../../../kernel/index.ts';
import { type Language, variantsOf } from '../../../query/index.ts';
import type { SummaryObject } from '../../../soif/index.ts';
import { PositionEncoder } from '../codecs/position-codec.ts';
import { encodePostings } from '../codecs/posting-codec.ts';
import {
  allField,
  fieldNames,
  fieldValues,
  pieces,
  titlesField,
  valuesField,
} from '../index-database/index-fields.ts';
import { termKey } from '../index-database/index-keys.ts';
import type { FieldLength } from '../index-database/index-state.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';
import { impactSlot } from '../postings/impact.ts';
import { TermRows } from '../postings/term-rows.ts';
import { TermNumbers, valueEndNumber } from '../vocabulary/term-numbers.ts';
import { TermReader } from '../vocabulary/term-reader.ts';
import { namesIn, titleTermsOf } from '../vocabulary/title-terms.ts';
import { valueTermsOf } from '../vocabulary/value-terms.ts';
import { vocabularyRows } from '../vocabulary/vocabulary-rows.ts';
import { inUtf8Order } from '../vocabulary/word-blocks.ts';
import type { MadeSegment, SegmentBuilder } from './segment-part.ts';
import { TokenLists } from './token-lists.ts';

/** Collects terms without positions of a batch's objects, for one field. */
class ValueLists {
  readonly #field: number;
  readonly #docnos = new Map<string, number[]>();

  constructor(field: number) {
    this.#field = field;
  }

  /** Add the terms of objects in the order of their docnos. */
  add(docno: number, terms: Iterable<string>): void {
    for (const term of terms) {
      const known = this.#docnos.get(term);
      if (known === undefined) this.#docnos.set(term, [docno]);
      else known.push(docno);
    }
  }

  /** Keys and lists in the order of keys, docnos counted from `base`. */
  async lists(base: number, pacing: Pacing): Promise<(readonly [key: Uint8Array, postings: Uint8Array])[]> {
    const lists: (readonly [Uint8Array, Uint8Array])[] = [];
    for (const term of inUtf8Order([...this.#docnos.keys()])) {
      const docnos = Uint32Array.from(this.#docnos.get(term) as number[]);
      const slots = new Uint8Array(docnos.length);
      const postings = encodePostings({ docnos, slots, occurrences: docnos.length }, base);
      lists.push([termKey(this.#field, term), postings]);
      await pacing.pause(64 + docnos.length);
    }
    return lists;
  }
}

interface FieldWriter {
  readonly tokens: TokenLists;
  /** Their typed forms at the same positions. */
  readonly typed: TokenLists;
  /** For each object in `tokens`: its number of tokens, and the average at the time. */
  readonly lengths: number[];
  readonly averages: number[];
}

/** What an occurrence of another spelling counts: words as they are written come first, and their typed forms above all. */
const variantShare = 0.25;
const variantShareOfTyped = 0.05;

/** The same variant counts no more often in one value: names of code recur. */
const maxTimes = 8;

// English text has about one token for six bytes: the first guess of a field's average.
const bytesPerToken = 6;
const averageAfterObjects = 100;

/** Makes one segment from a batch of objects in docno order, in memory: about 5 times the text. */
export class SegmentWriter implements SegmentBuilder {
  readonly #base: number;
  readonly #positions: boolean;
  readonly #known: readonly FieldLength[];
  readonly #objects = fieldNames.map(() => 0);
  readonly #tokens = fieldNames.map(() => 0);
  readonly #fields: (FieldWriter | undefined)[] = fieldNames.map(() => undefined);
  readonly #terms = new TermNumbers();
  readonly #reader = new TermReader(this.#terms);
  /** In the order of their fields: numbers and times, whole titles and headings. */
  readonly #values = new ValueLists(valuesField);
  readonly #titles = new ValueLists(titlesField);
  readonly #pacing = new Pacing(64 * 1024);

  /** `base` is below every docno to come; `known` has the lengths of fields so far. */
  constructor(base: number, known: readonly FieldLength[], positions: boolean) {
    this.#base = base;
    this.#known = known;
    this.#positions = positions;
  }

  /** Index one object. Yields to the event loop while a long text is read. */
  async add(docno: number, object: SummaryObject, language: Language): Promise<void> {
    this.#terms.speak(language);
    this.#values.add(docno, valueTermsOf(object));
    const titles = titleTermsOf(object, language);
    const textLengths = new Map<number, number>();
    for (const [value, numbers] of fieldValues(object)) {
      const text = Buffer.from(value.buffer, value.byteOffset, value.length);
      const targets = numbers.map((number) => {
        const known = textLengths.get(number);
        textLengths.set(number, (known ?? 0) + (this.#guesses(number) ? text.toString().length : 0));
        const field = this.#field(number);
        for (const lists of known === undefined ? [field.tokens, field.typed] : []) lists.begin(docno);
        return field;
      });
      const completes = numbers.includes(allField);
      for (const [from, to] of pieces(text)) {
        for (let at = from; at < to; ) {
          at = this.#reader.read(text, at, to, completes ? docno : undefined);
          for (const { tokens, typed } of targets) {
            tokens.append(this.#reader.terms);
            typed.append(this.#reader.typed);
          }
        }
        await this.#pacing.pause(to - from + 500);
      }
      for (const { tokens, typed } of targets) {
        tokens.endValue();
        typed.endValue();
      }
      await this.#addVariants(text, targets, completes ? titles : undefined);
    }
    this.#titles.add(docno, titles);
    for (const [number, textLength] of textLengths) this.#measure(number, textLength);
  }

  /**
   * Add the variants of a value to its fields, each as a value of its own, where they do not count as its length; and its
   * names with signs to `names`.
   */
  async #addVariants(
    text: Buffer,
    targets: readonly FieldWriter[],
    names: Set<string> | undefined,
  ): Promise<void> {
    const times = new Map<string, number>();
    for (const [from, to] of pieces(text)) {
      const piece = text.toString('utf8', from, to);
      for (const name of names === undefined ? [] : namesIn(piece)) names?.add(name);
      for (const { text: variant } of variantsOf(piece)) {
        const known = times.get(variant) ?? 0;
        if (known === maxTimes) continue;
        times.set(variant, known + 1);
        const bytes = Buffer.from(variant);
        this.#reader.read(bytes, 0, bytes.length, undefined);
        for (const { tokens, typed } of targets) {
          tokens.append(this.#reader.terms, true);
          tokens.endValue();
          typed.append(this.#reader.typed, true);
          typed.endValue();
        }
      }
      await this.#pacing.pause((to - from) >> 2);
    }
  }

  #field(number: number): FieldWriter {
    let field = this.#fields[number];
    if (field === undefined) {
      const tokens = new TokenLists(valueEndNumber, variantShare);
      const typed = new TokenLists(valueEndNumber, variantShareOfTyped);
      field = { tokens, typed, lengths: [], averages: [] };
      this.#fields[number] = field;
    }
    return field;
  }

  #measure(number: number, textLength: number): void {
    const { tokens, lengths, averages } = this.#field(number);
    const length = tokens.lastLength;
    lengths.push(length);
    averages.push(this.#averageLength(number, textLength));
    if (length === 0) return;
    this.#objects[number] = (this.#objects[number] ?? 0) + 1;
    this.#tokens[number] = (this.#tokens[number] ?? 0) + length;
  }

  /** The average over the tokens indexed so far; at the very start combined with a guess. */
  #averageLength(number: number, textLength: number): number {
    const { objects, tokens } = this.#lengthOf(number);
    if (objects >= averageAfterObjects) return tokens / objects;
    return Math.max(1, (tokens + textLength / bytesPerToken) / (objects + 1));
  }

  /** Whether the average of a field may still be a guess from lengths of texts, in UTF-16 units. */
  #guesses(number: number): boolean {
    return this.#lengthOf(number).objects < averageAfterObjects;
  }

  #lengthOf(number: number): FieldLength {
    return {
      objects: (this.#known[number]?.objects ?? 0) + (this.#objects[number] ?? 0),
      tokens: (this.#known[number]?.tokens ?? 0) + (this.#tokens[number] ?? 0),
    };
  }

  /** Field lengths with this segment's objects counted. */
  get #lengths(): FieldLength[] {
    return fieldNames.map((_, number) => this.#lengthOf(number));
  }

  /** The writes that make it segment `id`. */
  async take(id: number): Promise<MadeSegment> {
    const writes: PostingWrite[] = [];
    const rows = new TermRows(id);
    const sorted = await this.#terms.sorted(this.#pacing);
    for (const [number, field] of this.#fields.entries()) {
      if (field === undefined) continue;
      await this.#encode(number, field, sorted, rows);
      for (const write of rows.take()) writes.push(write);
    }
    for (const lists of [this.#values, this.#titles])
      for (const [key, postings] of await lists.lists(this.#base, this.#pacing))
        rows.add(key, postings, undefined);
    for (const write of rows.end()) writes.push(write);
    for (const write of await vocabularyRows(id, this.#terms, sorted, this.#pacing)) writes.push(write);
    let bytes = 0;
    for (const write of writes) if (write.type === 'put') bytes += write.value.length;
    return { writes, bytes, lengths: this.#lengths };
  }

  /** `order`: the terms in the order of their keys. */
  async #encode(number: number, field: FieldWriter, order: Int32Array, rows: TermRows): Promise<void> {
    const { tokens, typed, lengths, averages } = field;
    const pacing = new Pacing(64 * 1024);
    const sorted = await tokens.sorted(this.#terms.size, pacing);
    const sortedTyped = await typed.sorted(this.#terms.size, pacing);
    const docnos = new Uint32Array(tokens.objects);
    const slots = new Uint8Array(tokens.objects);
    const encoder = new PositionEncoder();
    let count = 0;
    let lists = sorted;
    const see = (object: number, docno: number, from: number, to: number, origin: number) => {
      docnos[count] = docno;
      slots[count++] = impactSlot(
        lists.frequency(from, to),
        lengths[object] as number,
        averages[object] as number,
      );
      if (this.#positions) encoder.add(lists.offsets, from, to, origin);
    };
    for (const term of order) {
      // Among typed forms, the mark of an end takes the place of words without a typed form.
      lists = term === valueEndNumber || sorted.occurrences(term) > 0 ? sorted : sortedTyped;
      const occurrences = lists.occurrences(term);
      if (occurrences === 0) continue;
      count = 0;
      lists.visit(term, see);
      const postings = { docnos: docnos.subarray(0, count), slots: slots.subarray(0, count), occurrences };
      rows.add(
        termKey(number, this.#terms.name(term)),
        encodePostings(postings, this.#base),
        this.#positions ? encoder.take() : undefined,
      );
      const pause = pacing.pause(occurrences + 20);
      if (pause !== undefined) await pause;
    }
  }
}
