import { defaultLanguage, type Language, maxWordLength } from '../../../query/index.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';
import { byUtf8 } from '../vocabulary/word-blocks.ts';
import { chunkOf, chunkStart, placeKey, valuesKey } from './glimpse-keys.ts';
import { encodeValues, type ValuePlace } from './object-values.ts';
import {
  encodePlaced,
  encodePlaces,
  type ObjectPlaces,
  type PlacedForm,
  type PlacedTerm,
} from './place-block.ts';

interface CollectedForm {
  readonly word: string;
  readonly written: string | undefined;
  /** Alternating docnos and positions. */
  readonly places: number[];
}

/** The object whose words are being added. */
interface OpenObject {
  readonly docno: number;
  readonly language: Language;
  readonly values: ValuePlace[];
  /** The position of the next token. */
  next: number;
}

type Terms = Map<string, Map<string, CollectedForm>>;

/** A stored value is full after this many bytes or terms. The places of one term stay together. */
const fullBytes = 4096;
const fullTerms = 64;

function* objectsOf(places: readonly number[]): Generator<ObjectPlaces> {
  for (let at = 0; at < places.length; ) {
    const docno = places[at] as number;
    const positions: number[] = [];
    for (; places[at] === docno; at += 2) positions.push(places[at + 1] as number);
    yield { docno, positions };
  }
}

const byWord = (a: PlacedForm, b: PlacedForm) =>
  a.word < b.word ? -1 : a.word > b.word ? 1 : (a.written ?? '') < (b.written ?? '') ? -1 : 1;

/** Fills stored values with terms in their order. */
export class PlacedValues {
  #terms: PlacedTerm[] = [];
  #bytes = 0;

  /** Returns a value that this term completes, and the first term of that value, if there is one. */
  add({ term, forms }: PlacedTerm): readonly [first: string, value: Uint8Array] | undefined {
    this.#terms.push({ term, forms: [...forms].sort(byWord) });
    for (const { places } of forms) this.#bytes += places.length + 8;
    return this.#bytes >= fullBytes || this.#terms.length >= fullTerms ? this.take() : undefined;
  }

  take(): readonly [first: string, value: Uint8Array] | undefined {
    const [first] = this.#terms;
    if (first === undefined) return undefined;
    const value = encodePlaced(this.#terms);
    this.#terms = [];
    this.#bytes = 0;
    return [first.term, value];
  }
}

/** Collects the places of words in a batch of objects, given in the order of their docnos. */
export class PlaceWriter {
  readonly #chunks = new Map<number, [Terms, Terms]>();
  readonly #values: (readonly [docno: number, bytes: Uint8Array])[] = [];
  #open: OpenObject = { docno: 0, language: defaultLanguage, values: [], next: 0 };

  /** The following words are of this object. */
  begin(docno: number, language: Language): void {
    this.#open = { docno, language, values: [], next: 0 };
  }

  /** The following words are of this attribute. Returns the position of its first token. */
  value(name: string): number {
    this.#open.values.push({ name, from: this.#open.next });
    return this.#open.next;
  }

  /** End a value of this many tokens. */
  valueEnded(tokens: number): void {
    // One position stays free, so that no token follows the last one of the value before.
    this.#open.next += tokens + 1;
  }

  add(kind: number, term: string, word: string, written: string, position: number): void {
    const { docno } = this.#open;
    const chunk = chunkOf(docno);
    let terms = this.#chunks.get(chunk);
    if (terms === undefined) {
      terms = [new Map(), new Map()];
      this.#chunks.set(chunk, terms);
    }
    const stored = written.length <= maxWordLength ? written : undefined;
    const own = terms[kind] as Terms;
    let forms = own.get(term);
    if (forms === undefined) {
      forms = new Map();
      own.set(term, forms);
    }
    // Few words are written alike and normalised differently.
    const key = stored === undefined || stored.toLowerCase() !== word ? `${word}\0${stored ?? '\0'}` : stored;
    const form = forms.get(key);
    if (form === undefined) forms.set(key, { word, written: stored, places: [docno, position] });
    else form.places.push(docno, position);
  }

  end(): void {
    const { docno, language, values } = this.#open;
    this.#values.push([docno, encodeValues({ language, values })]);
  }

  /** The writes that put them into segment `id`. */
  *take(id: number): Generator<PostingWrite> {
    for (const [docno, value] of this.#values) yield { type: 'put', key: valuesKey(id, docno), value };
    for (const [chunk, kinds] of this.#chunks)
      for (const [kind, terms] of kinds.entries()) {
        const values = new PlacedValues();
        const base = chunkStart(chunk);
        const put = ([first, value]: readonly [string, Uint8Array]): PostingWrite => ({
          ...{ type: 'put', key: placeKey(id, chunk, kind, first), value },
        });
        for (const [term, forms] of [...terms].sort(([a], [b]) => byUtf8([a, 0], [b, 0]))) {
          const full = values.add({
            term,
            forms: Array.from(forms.values(), ({ word, written, places }) => ({
              ...{ word, written, places: encodePlaces(objectsOf(places), base) },
            })),
          });
          if (full !== undefined) yield put(full);
        }
        const last = values.take();
        if (last !== undefined) yield put(last);
      }
  }
}
