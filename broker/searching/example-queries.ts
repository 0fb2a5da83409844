import type { Clock, Random } from '../../kernel/index.ts';
import { parseQuery } from '../../query/index.ts';
import { Attributes, attributeText, decodeObject, isOid } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { SearchEngine } from '../engines/index.ts';

export interface ExampleQueriesOptions {
  readonly store: Pick<ObjectStore, 'snapshot'>;
  readonly engine: Pick<SearchEngine, 'search' | 'count'>;
  readonly clock: Clock;
  readonly random: Random;
}

const wanted = 3;
const titlesRead = 24;
const searchesMade = 10;

/** How long examples are kept, so that a reader sees the same ones. Too few are kept for the shorter time. */
const freshMs = 10 * 60_000;
const fewKeptMs = 5_000;

/** Makes up to three queries that have matches, from the titles of random objects in the store. */
export class ExampleQueries {
  readonly #options: ExampleQueriesOptions;
  #made: { readonly examples: Promise<readonly string[]>; readonly at: number; until: number } | undefined;

  constructor(options: ExampleQueriesOptions) {
    this.#options = options;
  }

  /** At most three queries; fewer while little is known. Reads and searches at times, but never scans. */
  async get(): Promise<readonly string[]> {
    const now = this.#options.clock.now();
    if (this.#made === undefined || now >= this.#made.until || now < this.#made.at) {
      const made = { examples: this.#make(), at: now, until: now + freshMs };
      this.#made = made;
      const few = () => {
        made.until = now + fewKeptMs;
      };
      made.examples.then((examples) => examples.length < wanted && few(), few);
    }
    return this.#made.examples;
  }

  async #make(): Promise<readonly string[]> {
    const { engine } = this.#options;
    const found: string[] = [];
    let searches = 0;
    for (const phrase of phrasesOf(await this.#titles())) {
      if (found.length === wanted || searches === searchesMade) break;
      const words = phrase.split(' ');
      if (found.some((other) => other.split(' ').some((word) => words.includes(word)))) continue;
      searches++;
      const { total } = await engine.search({ query: parseQuery(phrase).query, limit: 1, offset: 0 });
      // A phrase that more than a third of all objects match is a poor example.
      if (total > 0 && total <= Math.max(10, engine.count / 3)) found.push(phrase);
    }
    return found;
  }

  async #titles(): Promise<readonly string[]> {
    const titles = new Set<string>();
    await using snapshot = await this.#options.store.snapshot();
    for (let read = 0; read < titlesRead; read++) {
      const from = Buffer.from(this.#options.random.bytes(32)).toString('base64url');
      if (!isOid(from)) continue;
      for await (const { oid } of snapshot.scan(from)) {
        const stored = await snapshot.get(oid);
        const title = stored && attributeText(decodeObject(stored.body), Attributes.title);
        if (title !== undefined) titles.add(title.slice(0, 200));
        break;
      }
    }
    return [...titles];
  }
}

const separator = /\s+(?:[-–—|·•»:]{1,3})\s+|:\s+/;
const numbering = /^(?:(?:appendix|chapter|part|section)\s+)?(?:[A-Z]|[IVXLC]+|\d+)(?:\.\d+)*\.\s+/i;
const fileName = /\S\.\p{L}\p{L}{1,4}\d?$/u;
const little = new Set(
  'a an and are as at be by can do for from how if in into is it its of on or that the their this to using was what when where which who why with you your'.split(
    ' ',
  ),
);

/**
 * Likely queries for pages with these titles. Each is one to three words from the part of a title that no
 * other title has, without numbering. Phrases of two or three words come first.
 */
export function phrasesOf(titles: readonly string[]): readonly string[] {
  // Readers do not type markup or code.
  const plain = titles.filter((title) => !/[`<>{}\\=$%]|::/.test(title));
  const parts = plain.map((title) => [...new Set(title.trim().split(separator))]);
  const counts = new Map<string, number>();
  for (const part of parts.flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
  const phrases = new Set<string>();
  for (const own of parts) {
    const part = own.find((text) => counts.get(text) === 1 && !fileName.test(text));
    const phrase = part === undefined ? undefined : phraseOf(part.replace(numbering, ''));
    if (phrase !== undefined) phrases.add(phrase);
  }
  const isOne = (phrase: string) => (phrase.includes(' ') ? 0 : 1);
  return [...phrases].sort((a, b) => isOne(a) - isOne(b));
}

/** The first run of two significant words or more, else of one. Undefined if it has more than three. */
function phraseOf(text: string): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:['’.+-][\p{L}\p{N}_]+)*/gu) ?? [];
  const runs: string[][] = [[]];
  for (const word of words) {
    if (little.has(word)) runs.push([]);
    else runs.at(-1)?.push(word);
  }
  const run = runs.find((some) => some.length >= 2) ?? runs.find((some) => some.length === 1);
  // The first three words of a longer run may be nonsense.
  if (run === undefined || run.length > 3) return undefined;
  const phrase = run.join(' ');
  const says = run.some((word) => /^[\p{L}_-]{4,}$/u.test(word) || /^[^\p{Script=Latin}\d]{2,}$/u.test(word));
  return says && phrase.length <= 32 ? phrase : undefined;
}
