import { codeFacts, languageOf, plainCode } from '../../../../readers/code/index.ts';
import { keptLines, NameList } from '../../../../readers/text/index.ts';
import { byPlace } from './nearest-top.ts';

const maxSources = 5000;
const maxSourceBytes = 4 * 1024 * 1024;
const maxBytes = 32 * 1024 * 1024;
const maxRights = 64;
/** A name, perhaps with an address; not a comment about authors. */
const personal = /^\p{Lu}[\p{L}\p{M}.,'’ -]{1,80}(?:[<(][^<>()]{1,80}[>)])?$/u;
/** Cost of a comment besides its characters. */
const commentCost = 64;

/** Collects facts from the sources of a distribution, one source at a time. */
export class SourceFacts {
  readonly functions = new NameList();
  readonly copyrights = new Set<string>();
  readonly authors = new Set<string>();
  readonly #licences = new Map<string, number>();
  readonly #comments: { readonly path: string; readonly texts: readonly string[] }[] = [];
  readonly #maxComments: number;
  #commentLength = 0;
  #read = 0;
  #bytes = 0;
  #left = 0;

  /** `maxComments`: UTF-16 units of all comments together. */
  constructor(maxComments: number) {
    this.#maxComments = maxComments;
  }

  /** Whether a source of this size is still read; otherwise it is counted. */
  takes(bytes: number): boolean {
    const takes = this.#read < maxSources && bytes <= maxSourceBytes && this.#bytes + bytes <= maxBytes;
    if (!takes) this.#left++;
    return takes;
  }

  add(path: string, source: string): void {
    this.#count(source);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const facts = codeFacts(source, languageOf({ name, type: '' }, source));
    for (const symbol of facts.names.function.names) this.functions.add(symbol);
    for (const line of facts.copyrights) if (this.copyrights.size < maxRights) this.copyrights.add(line);
    for (const author of facts.authors)
      if (this.authors.size < maxRights && personal.test(author)) this.authors.add(author);
    if (facts.licence !== undefined && (this.#licences.size < maxRights || this.#licences.has(facts.licence)))
      this.#licences.set(facts.licence, (this.#licences.get(facts.licence) ?? 0) + 1);
    this.#keep(path, facts.comments);
  }

  /** A makefile: its comments alone. */
  addMakefile(path: string, source: string): void {
    this.#count(source);
    this.#keep(path, codeFacts(source, plainCode).comments);
  }

  /** The licence that most sources name. */
  get licence(): string | undefined {
    return [...this.#licences].sort((a, b) => b[1] - a[1])[0]?.[0];
  }

  /** Comments, those of files nearer the top first. */
  *comments(): Iterable<string> {
    for (const { texts } of this.#comments.toSorted(byPlace)) yield* texts;
  }

  /** Sources that were not read: too many or too large. */
  get left(): number {
    return this.#left;
  }

  #count(source: string): void {
    this.#read++;
    this.#bytes += source.length;
  }

  #keep(path: string, comments: readonly string[]): void {
    const texts: string[] = [];
    for (const comment of comments) {
      if (this.#commentLength >= this.#maxComments) break;
      const text = keptLines(comment);
      texts.push(text);
      this.#commentLength += text.length + commentCost;
    }
    if (texts.length > 0) this.#comments.push({ path, texts });
  }
}
