import { Pacing } from '../../../kernel/index.ts';
import {
  isSearchedByBareWords,
  type Language,
  scanWords,
  termOf,
  urlAttribute,
  variantsOf,
  wordOf,
  writtenForm,
} from '../../../query/index.ts';
import { baseName, type SummaryObject } from '../../../soif/index.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';
import { byUtf8 } from '../vocabulary/word-blocks.ts';
import { languageKind, vocabularyKey } from './glimpse-keys.ts';
import { listFor, type ObjectSpan } from './object-lists.ts';
import type { PlaceWriter } from './place-writer.ts';
import { encodeEntries, entriesPerValue, type VocabularyEntry } from './vocabulary-block.ts';

/** The values that a vocabulary covers: those that bare words search, or the few others with a vocabulary. */
export const VocabularyKind = { bare: 0, named: 1 } as const;
export type VocabularyKind = (typeof VocabularyKind)[keyof typeof VocabularyKind];

/** Attributes that bare words do not search and whose words are indexed too. */
const named: ReadonlySet<string> = new Set([urlAttribute, 'type', 'language']);

/** The vocabulary of an attribute (lower-case name, undefined for bare words), if there is one. */
export function vocabularyOf(attribute: string | undefined): VocabularyKind | undefined {
  if (attribute === undefined || isSearchedByBareWords(attribute)) return VocabularyKind.bare;
  return named.has(baseName(attribute)) ? VocabularyKind.named : undefined;
}

interface Collected {
  readonly words: Map<string, boolean>;
  readonly docnos: number[];
}

const decoder = new TextDecoder();

/** Collects the words of a batch of objects, given in the order of their docnos. */
export class VocabularyWriter {
  readonly #from: number;
  readonly #blockBits: number;
  /** The last docno added. */
  #to: number;
  readonly #kinds: readonly [Map<string, Collected>, Map<string, Collected>] = [new Map(), new Map()];
  /** The docnos of each language. */
  readonly #languages = new Map<Language, number[]>();
  readonly #pacing = new Pacing(64 * 1024);

  readonly #places: PlaceWriter | undefined;

  /**
   * `from` is the first docno. Common words list blocks of 2^`blockBits` objects. `places`, if given,
   * receives the place of each word.
   */
  constructor(from: number, blockBits: number, places?: PlaceWriter) {
    this.#from = from;
    this.#to = from;
    this.#blockBits = blockBits;
    this.#places = places;
  }

  /** Yields to the event loop while a long text is read. */
  async add(docno: number, object: SummaryObject, language: Language): Promise<void> {
    this.#to = docno;
    const inLanguage = this.#languages.get(language);
    if (inLanguage === undefined) this.#languages.set(language, [docno]);
    else inLanguage.push(docno);
    this.#places?.begin(docno, language);
    for (const { name, value } of object.attributes) {
      const kind = vocabularyOf(name.toLowerCase());
      if (kind === undefined) continue;
      this.#read(kind, name, decoder.decode(value), docno, language);
      await this.#pacing.pause(value.length + 100);
    }
    if (object.url !== '-') this.#read(VocabularyKind.named, urlAttribute, object.url, docno, language);
    this.#places?.end();
  }

  #read(kind: VocabularyKind, name: string, text: string, docno: number, language: Language): void {
    this.#readWords(kind, name, text, docno, language, true);
    const known = new Set<string>();
    for (const { text: variant } of variantsOf(text)) {
      if (known.has(variant)) continue;
      known.add(variant);
      // The bytes of the object do not have these words.
      this.#readWords(kind, name, variant, docno, language, false);
    }
  }

  #readWords(
    kind: VocabularyKind,
    name: string,
    text: string,
    docno: number,
    language: Language,
    isInBytes: boolean,
  ): void {
    const terms = this.#kinds[kind];
    const places = this.#places;
    const from = places?.value(name) ?? 0;
    const tokens = scanWords(
      text,
      (seen, position, start, end, written) => {
        const word = written ? wordOf(seen) : seen;
        const term = termOf(word, language);
        let collected = terms.get(term);
        if (collected === undefined) {
          collected = { words: new Map(), docnos: [] };
          terms.set(term, collected);
        }
        collected.words.set(word, isInBytes && written && collected.words.get(word) !== false);
        if (collected.docnos.at(-1) !== docno) collected.docnos.push(docno);
        const form = written || places === undefined ? seen : writtenForm(text.slice(start, end));
        places?.add(kind, term, word, form, from + position);
        return false;
      },
      undefined,
      true,
    );
    places?.valueEnded(tokens);
  }

  /** The writes that make it segment `id`, and the bytes of their values. */
  take(id: number): { readonly writes: readonly PostingWrite[]; readonly bytes: number } {
    const writes: PostingWrite[] = [];
    const span = { from: this.#from, to: this.#to, blockBits: this.#blockBits };
    let bytes = 0;
    const put = (kind: number, part: readonly VocabularyEntry[], own: ObjectSpan) => {
      const value = encodeEntries(part, own);
      bytes += value.length;
      writes.push({ type: 'put', key: vocabularyKey(id, kind, part[0]?.term ?? ''), value });
    };
    for (const [kind, terms] of this.#kinds.entries()) {
      const entries: VocabularyEntry[] = [...terms]
        .sort(([a], [b]) => byUtf8([a, 0], [b, 0]))
        .map(([term, { words, docnos }]) => ({
          ...{ term, list: listFor(span, { blockBits: 0, blocks: docnos }) },
          words: Array.from(words, ([word, plain]) => ({ word, plain })),
        }));
      for (let at = 0; at < entries.length; at += entriesPerValue)
        put(kind, entries.slice(at, at + entriesPerValue), span);
    }
    const languages = Array.from(this.#languages, ([term, blocks]) => ({
      ...{ term, words: [], list: { blockBits: 0, blocks } },
    })).sort((a, b) => (a.term < b.term ? -1 : 1));
    if (languages.length > 0) put(languageKind, languages, { ...span, blockBits: 0 });
    for (const write of this.#places?.take(id) ?? []) {
      writes.push(write);
      if (write.type === 'put') bytes += write.value.length;
    }
    return { writes, bytes };
  }
}
