import {
  analyse,
  defaultLanguage,
  isStopWord,
  languageOfObject,
  rarity,
  typeFacet,
} from '../../query/index.ts';
import { Attributes, attributeText, decodeObject, type SummaryObject } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { Counted } from './figures.ts';

/** What a store's objects are about. */
export interface SampledCollection {
  /** A few telling words, the most telling first. */
  readonly topic: readonly string[];
  /** Largest first; without numbers where the store has more objects than the sample. */
  readonly types: readonly Counted[];
  readonly languages: readonly Counted[];
  /** Update-Time of the newest content; undefined for an empty store. */
  readonly changedAt: number | undefined;
}

/** An OID is a hash, so the first objects are a fair sample. */
const sampleSize = 100;
/** Changes read at the end of the log for the time of the last one. */
const changesRead = 20;
const topicWords = 8;
/** A word of this rarity is in every eighth document of any kind. */
const commonRarity = 3;
/** Characters read of each object. */
const textRead = 3000;
const read = [
  ...[Attributes.title, Attributes.description, Attributes.keywords, Attributes.headings],
  ...[Attributes.abstract, Attributes.partialText, Attributes.fullText],
];

/** Reads a sample of a store. Asking again while nothing has changed reads nothing. */
export class CollectionSample {
  readonly #store: Pick<ObjectStore, 'snapshot' | 'lsn' | 'epoch' | 'count'>;
  #made: { readonly of: string; readonly sampled: Promise<SampledCollection> } | undefined;
  #changedAt: number | undefined;

  constructor(store: Pick<ObjectStore, 'snapshot' | 'lsn' | 'epoch' | 'count'>) {
    this.#store = store;
  }

  get(): Promise<SampledCollection> {
    const of = `${this.#store.epoch} ${this.#store.lsn}`;
    if (this.#made?.of !== of) {
      const made = { of, sampled: this.#read() };
      this.#made = made;
      made.sampled.catch(() => {
        if (this.#made === made) this.#made = undefined;
      });
    }
    return this.#made.sampled;
  }

  async #read(): Promise<SampledCollection> {
    await using snapshot = await this.#store.snapshot();
    const objects: SummaryObject[] = [];
    let newest: number | undefined;
    for await (const { oid } of snapshot.scan()) {
      const stored = await snapshot.get(oid);
      if (stored !== undefined) {
        objects.push(decodeObject(stored.body));
        newest = Math.max(newest ?? 0, stored.updatedAt);
      }
      if (objects.length === sampleSize) break;
    }
    const { lsn } = snapshot.state;
    let changed: number | undefined;
    for await (const change of snapshot.changesSince(Math.max(0, lsn - changesRead)))
      if (change.kind === 'put') changed = Math.max(changed ?? 0, change.object.updatedAt);
    // A renewal of what is here is no change.
    this.#changedAt = changed ?? this.#changedAt ?? newest;
    const isWhole = objects.length === snapshot.state.count;
    return {
      topic: tellingWords(objects),
      types: counted(
        objects.map((object) => typeFacet(object)),
        isWhole,
      ),
      languages: counted(
        objects.map((object) => languageOfObject(object, defaultLanguage)),
        isWhole,
      ),
      changedAt: this.#changedAt,
    };
  }
}

function counted(values: readonly string[], isWhole: boolean): readonly Counted[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([value, count]) => (isWhole ? { value, count } : { value }));
}

function textOf(object: SummaryObject): string {
  let text = '';
  for (const name of read) {
    if (text.length >= textRead) break;
    text += `${(attributeText(object, name) ?? '').slice(0, textRead)}\n`;
  }
  return text.slice(0, textRead);
}

/** Words that many of these objects have and few others do, the most telling first. */
export function tellingWords(objects: readonly SummaryObject[]): readonly string[] {
  const terms = new Map<string, { objects: number; readonly word: string }>();
  for (const object of objects) {
    const language = languageOfObject(object, defaultLanguage);
    const own = new Map<string, string>();
    for (const { term, word } of analyse(textOf(object), language))
      if (/^\p{L}{2}[\p{L}\p{N}]*$/u.test(word) && !own.has(term) && !isStopWord(word, language))
        own.set(term, word);
    for (const [term, word] of own) {
      const known = terms.get(term) ?? { objects: 0, word };
      known.objects++;
      terms.set(term, known);
    }
  }
  return [...terms.entries()]
    .filter(([term]) => rarity(term) >= commonRarity)
    .map(([term, { objects: count, word }]) => ({ word, score: count * rarity(term) ** 1.5 }))
    .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
    .slice(0, topicWords)
    .map(({ word }) => word);
}
