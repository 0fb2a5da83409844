import { scanWords, termOf } from '../../query/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import { impactSlot } from './impact.ts';
import { allField, fieldNames, fieldValues, pieces } from './index-fields.ts';
import { positionsKey, postingsKey, wordKey } from './index-keys.ts';
import type { FieldLength } from './index-state.ts';
import { Pacing } from './pacing.ts';
import { PositionList } from './position-codec.ts';
import { encodeTerm } from './posting-codec.ts';
import type { PostingWrite } from './posting-database.ts';
import { PostingIndex } from './posting-index.ts';
import { byUtf8, encodeWords, type WordCount, wordsPerBlock } from './word-blocks.ts';

/** Terms of one field of one object, with their positions. */
interface FieldTerms {
  readonly positions: Map<string, number[]>;
  length: number;
  next: number;
  textLength: number;
}

interface FieldWriter {
  readonly index: PostingIndex;
  readonly positions: Map<string, PositionList>;
}

// English text has about one token for six bytes: what a field's average is taken to be before there is any.
const bytesPerToken = 6;
const averageAfterObjects = 100;

/** Words offered as completions: they begin with a letter and are neither a sign nor a hash. */
const completable = /^\p{L}.{1,31}$/u;

/**
 * Makes one segment out of a batch of objects, in memory: about 15 times the text. Give objects in the order of
 * their docnos, then take the writes.
 */
export class SegmentWriter {
  readonly #base: number;
  readonly #known: readonly FieldLength[];
  readonly #objects = fieldNames.map(() => 0);
  readonly #tokens = fieldNames.map(() => 0);
  readonly #fields: FieldWriter[] = fieldNames.map(() => ({
    index: new PostingIndex(),
    positions: new Map(),
  }));
  readonly #words = new Map<string, number>();
  readonly #pacing = new Pacing(64 * 1024);

  /** `base` is below every docno to come; `known` says how long fields were so far. */
  constructor(base: number, known: readonly FieldLength[]) {
    this.#base = base;
    this.#known = known;
  }

  /** Index one object; lets the event loop turn while a long text is read. */
  async add(docno: number, object: SummaryObject): Promise<void> {
    const fields = new Map<number, FieldTerms>();
    const words = new Set<string>();
    for (const [text, numbers] of fieldValues(object)) {
      const targets = numbers.map((number) => {
        let terms = fields.get(number);
        if (terms === undefined) {
          terms = { positions: new Map(), length: 0, next: 0, textLength: 0 };
          fields.set(number, terms);
        }
        terms.textLength += text.length;
        return terms;
      });
      const collects = numbers.includes(allField);
      for (const piece of pieces(text)) {
        this.#read(piece, targets, collects ? words : undefined);
        await this.#pacing.pause(piece.length + 500);
      }
      // One position stays free, so that no phrase reaches from one value into the next.
      for (const target of targets) target.next++;
    }
    for (const [number, terms] of fields) this.#addField(docno, number, terms);
    for (const word of words) this.#words.set(word, (this.#words.get(word) ?? 0) + 1);
  }

  #read(text: string, targets: readonly FieldTerms[], words: Set<string> | undefined): void {
    const passed = scanWords(text, (word, position) => {
      const term = termOf(word);
      words?.add(word);
      for (const target of targets) {
        const positions = target.positions.get(term);
        if (positions === undefined) target.positions.set(term, [target.next + position]);
        else positions.push(target.next + position);
      }
      return false;
    });
    for (const target of targets) {
      target.length += passed;
      target.next += passed;
    }
  }

  #addField(docno: number, number: number, { positions, length, textLength }: FieldTerms): void {
    if (length === 0) return;
    const { index, positions: lists } = this.#fields[number] as FieldWriter;
    const average = this.#averageLength(number, textLength);
    index.add(docno, positions.keys(), (term) =>
      impactSlot(positions.get(term)?.length ?? 1, length, average),
    );
    for (const [term, list] of positions) {
      let target = lists.get(term);
      if (target === undefined) {
        target = new PositionList(this.#base);
        lists.set(term, target);
      }
      target.add(docno, list);
    }
    this.#objects[number] = (this.#objects[number] ?? 0) + 1;
    this.#tokens[number] = (this.#tokens[number] ?? 0) + length;
  }

  /** The average over what was indexed so far; at the very start a guess joins in. */
  #averageLength(number: number, textLength: number): number {
    const objects = (this.#known[number]?.objects ?? 0) + (this.#objects[number] ?? 0);
    const tokens = (this.#known[number]?.tokens ?? 0) + (this.#tokens[number] ?? 0);
    if (objects >= averageAfterObjects) return tokens / objects;
    return Math.max(1, (tokens + textLength / bytesPerToken) / (objects + 1));
  }

  /** Field lengths with this segment's objects counted. */
  get lengths(): FieldLength[] {
    return fieldNames.map((_, number) => ({
      objects: (this.#known[number]?.objects ?? 0) + (this.#objects[number] ?? 0),
      tokens: (this.#known[number]?.tokens ?? 0) + (this.#tokens[number] ?? 0),
    }));
  }

  /** The writes that make it segment `id`, the bytes of their values and the terms of each field. */
  async take(id: number): Promise<{ writes: PostingWrite[]; bytes: number; terms: string[][] }> {
    const writes: PostingWrite[] = [];
    const pacing = new Pacing(4_000);
    let bytes = 0;
    const put = (key: Uint8Array, value: Uint8Array) => {
      bytes += value.length;
      writes.push({ type: 'put', key, value });
    };
    const terms: string[][] = [];
    for (const [number, { index, positions }] of this.#fields.entries()) {
      const taken = await index.take();
      terms.push([...taken.keys()]);
      for (const [term, slots] of taken) {
        const encoded = encodeTerm(slots, positions.get(term)?.bytes ?? [], this.#base);
        put(postingsKey(id, number, term), encoded.postings);
        if (encoded.positions !== undefined) put(positionsKey(id, number, term), encoded.positions);
        await pacing.pause(1);
      }
    }
    const words: WordCount[] = [...this.#words].filter(([word]) => completable.test(word)).sort(byUtf8);
    for (let at = 0; at < words.length; at += wordsPerBlock) {
      const block = words.slice(at, at + wordsPerBlock);
      put(wordKey(id, (block[0] as WordCount)[0]), encodeWords(block));
    }
    return { writes, bytes, terms };
  }
}
