import { RecentMap } from '../../../kernel/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import { type AddressState, NamedAddresses } from '../addresses/named-addresses.ts';
import { contained, type PageSketch } from '../addresses/page-sketch.ts';
import type { Enumerated, Remembered } from '../enumerator.ts';
import type { Candidate } from './frontier.ts';
import { folderOf, IndexDoubles, isFolder } from './index-page-duplicates.ts';

/** A document's content in this run: read, or unchanged. */
export interface Content {
  readonly candidate: Candidate;
  readonly remember: Remembered;
  /** Present when the body was read. */
  readonly document?: DocumentInput;
  /** The same bytes as in the URL's row. */
  readonly same: boolean;
  /** A summary of exactly this content exists under this URL. */
  readonly summarised: boolean;
  /** The URL that it doubled in the last run. */
  readonly doubled: string | undefined;
  /** Another address of the site that it names as its own; of an unchanged double, the page that it was equal to. */
  readonly named?: string | undefined;
  readonly sketch?: PageSketch | undefined;
  /** Whether it gets a summary: no rule of the operator or the page forbids it. */
  readonly kept: boolean;
}

export interface PageReportsOptions {
  readonly root: string;
  readonly admit: (candidate: Candidate) => AsyncGenerator<Enumerated>;
  readonly push: (candidate: Candidate) => Promise<void>;
  readonly follow: (candidate: Candidate, page: Remembered) => AsyncGenerator<Enumerated>;
  /** Called for a body that is not yielded. */
  readonly drop: (document: DocumentInput) => void;
}

const maxSketches = 200;
/** Waiting pages whose text is kept for the comparison. */
const maxWaitingSketches = 1000;
/** A canonical page has the text of the page that names it (RFC 6596 3), give or take. */
const minContained = 0.5;
const minContainedAtHome = 0.8;
/** Pieces of text below which a share says little. */
const minPieces = 8;

/** Max contents whose first address is known at a time; the one met least recently is forgotten first. */
const maxContents = 50_000;
const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e';

/** The address under which each content was met first in a run. */
class EqualContents {
  readonly #first = new RecentMap<string, string>(maxContents);

  /** The address of a content; undefined when it is new, forgotten or empty. */
  first(md5: string | undefined): string | undefined {
    return md5 === undefined ? undefined : this.#first.get(md5);
  }

  /** Note the address of a content. */
  claim(md5: string | undefined, url: string): void {
    // Two empty documents are not the same document.
    if (md5 !== undefined && md5 !== emptyMd5) this.#first.set(md5, url);
  }

  /** Give the contents of addresses to others. */
  rename(names: ReadonlyMap<string, string>): void {
    for (const [md5, url] of [...this.#first.entries()]) {
      const name = names.get(url);
      if (name !== undefined) this.#first.set(md5, name);
    }
  }
}

/** Reports each page once, under its own address: the folder of an index page, the address it names, or the first. */
export class PageReports {
  readonly #options: PageReportsOptions;
  readonly #folders = new IndexDoubles<Content>();
  readonly #named = new NamedAddresses<Content>();
  readonly #equal = new EqualContents();
  readonly #sketches = new Map<string, PageSketch>();
  #waitingSketches = 0;
  /** Whether any document was yielded. */
  found = false;

  constructor(options: PageReportsOptions) {
    this.#options = options;
  }

  /** Whether these bytes were met before. */
  hasMet(md5: string): boolean {
    return this.#equal.first(md5) !== undefined;
  }

  /** Report addresses that proved to be others of a page, by the page; returns pages that were reported as others of them. */
  *rename(
    depth: number,
    others: ReadonlyMap<string, readonly string[]>,
  ): Generator<Enumerated, readonly string[]> {
    const names = new Map([...others].flatMap(([page, urls]) => urls.map((url) => [url, page] as const)));
    if (names.size > 0) this.#equal.rename(names);
    for (const [url, of] of names)
      yield { url, depth, kind: 'double', of, named: true, remember: { links: [], canonicalUrl: of } };
    return [...others.keys()].filter((page) => names.get(this.#named.nameOf(page) ?? '') === page);
  }

  sketch(url: string): PageSketch | undefined {
    return this.#sketches.get(url);
  }

  /** Yield a read or unchanged document under the right name and follow its links. */
  async *report(content: Content): AsyncGenerator<Enumerated> {
    const { candidate, remember, sketch } = content;
    const { url } = candidate;
    if (sketch !== undefined) this.#keep(url, sketch);
    const folder = folderOf(url);
    if (folder !== undefined && content.doubled === folder && !candidate.whole) {
      // It was a double: its folder must be read first.
      if (this.#folders.folder(folder) === undefined)
        yield* this.#options.admit({ url: folder, depth: candidate.depth, from: url, ...leafOf(candidate) });
      if (this.#folders.folder(folder) === undefined) {
        this.#folders.park(folder, { url, md5: remember.md5, waiting: this.#withoutBody(content) });
        this.#drop(content);
        yield* this.#options.follow(candidate, remember);
        return;
      }
    }
    yield* this.#reportIndexPage(content, folder);
    yield* this.#options.follow(candidate, remember);
    if (isFolder(url)) yield* this.#settleFolder(url, { kind: 'present', md5: remember.md5 });
  }

  /** Note a URL that is no page of its own in this run. */
  async *ended(url: string, state: AddressState): AsyncGenerator<Enumerated> {
    yield* this.#settle(url, state);
    if (isFolder(url) && this.#folders.folder(url) === undefined)
      yield* this.#settleFolder(url, { kind: state.kind === 'failed' ? 'failed' : 'absent' });
  }

  /** Report the pages that wait for each other when nothing else is left to read. */
  async *finish(): AsyncGenerator<Enumerated> {
    for (const content of this.#named.rest()) yield* this.#reportEqual(content);
  }

  async *#reportIndexPage(content: Content, folder: string | undefined): AsyncGenerator<Enumerated> {
    const { candidate, remember } = content;
    if (folder !== undefined) {
      const { md5 } = remember;
      if (this.#folders.isDouble(folder, md5, content.doubled === folder && content.same))
        return yield* this.#reportDouble(content, folder);
      this.#folders.noteYielded(folder, { url: candidate.url, md5, waiting: this.#withoutBody(content) });
    }
    yield* this.#reportNamed(content);
  }

  async *#reportNamed(content: Content): AsyncGenerator<Enumerated> {
    const { candidate, named } = content;
    const { url } = candidate;
    if (named === undefined || candidate.own) return yield* this.#reportEqual(content);
    let found = this.#named.find(named, url);
    if (found.kind === 'unknown') {
      yield* this.#options.admit({ url: found.url, depth: candidate.depth, from: url, ...leafOf(candidate) });
      found = this.#named.find(named, url);
    }
    if (found.kind === 'unknown' && this.#named.wait(found.url, this.#withoutBody(content)))
      return this.#drop(content);
    // Of two equal pages, the contents decide.
    const isEqual = isUnreadDouble(content);
    if (found.kind === 'present' && !isEqual && !this.#isMistaken(content, found.url))
      yield* this.#reportDouble(content, found.url, true);
    else if (found.kind === 'failed' && content.doubled !== undefined)
      yield* this.#reportDouble(content, content.doubled, isEqual ? undefined : true);
    else yield* this.#reportEqual(content);
  }

  /** Whether the address that a page names is obviously that of another page. */
  #isMistaken({ sketch, doubled }: Content, named: string): boolean {
    const other = this.#sketches.get(named);
    const isHome = named === this.#options.root || /^[^/]*\/\/[^/]*\/$/.test(named);
    if (sketch === undefined || other === undefined) return isHome && doubled !== named;
    const share = contained(sketch, other);
    if (isHome) return sketch.pieces.size === 0 || share < minContainedAtHome;
    // Of few pieces, one that both have is enough.
    return sketch.pieces.size < minPieces ? sketch.pieces.size > 1 && share === 0 : share < minContained;
  }

  async *#reportEqual(content: Content): AsyncGenerator<Enumerated> {
    const { candidate, remember, document } = content;
    const { url } = candidate;
    const first = this.#equal.first(remember.md5);
    if (first !== undefined && first !== url && folderOf(first) !== url)
      return yield* this.#reportDouble(content, first);
    if (content.kept) this.#equal.claim(remember.md5, url);
    if (content.summarised || document) this.found = true;
    const met = metAs(candidate);
    if (content.summarised) {
      yield { ...met, kind: 'unchanged', remember, readBytes: document?.bytes.length };
      this.#drop(content);
    } else if (document) yield { ...met, kind: 'document', document, remember };
    else {
      // Unchanged, but never summarised under its own name: the body is needed.
      await this.#options.push({
        ...candidate,
        whole: true,
        ...(content.named !== undefined && { own: true }),
      });
      return;
    }
    yield* this.#settle(url, { kind: content.kept ? 'present' : 'absent' });
  }

  async *#reportDouble(content: Content, of: string, named?: true): AsyncGenerator<Enumerated> {
    const { candidate } = content;
    const { md5, ...other } = content.remember;
    this.#drop(content);
    // Without its MD5 the row shows that the page names the other address.
    const remember = { ...other, ...(named === undefined && md5 !== undefined && { md5 }), canonicalUrl: of };
    yield { ...metAs(candidate), kind: 'double', of, remember, ...(named && { named }) };
    yield* this.#settle(candidate.url, { kind: 'other', of });
  }

  async *#settle(url: string, state: AddressState): AsyncGenerator<Enumerated> {
    for (const waiting of this.#named.settle(url, state)) yield* this.#reportNamed(waiting);
  }

  /** Record a folder's state: yield index pages equal to it as doubles, and those that waited for it. */
  async *#settleFolder(
    folder: string,
    state: Parameters<IndexDoubles<Content>['settle']>[1],
  ): AsyncGenerator<Enumerated> {
    const { doubles, parked } = this.#folders.settle(folder, state);
    for (const { waiting } of doubles) yield* this.#reportDouble(waiting, folder);
    for (const { waiting } of parked) yield* this.#reportIndexPage(waiting, folder);
  }

  #keep(url: string, sketch: PageSketch): void {
    this.#sketches.set(url, sketch);
    if (this.#sketches.size <= maxSketches) return;
    for (const oldest of this.#sketches.keys())
      if (oldest !== this.#options.root) {
        this.#sketches.delete(oldest);
        return;
      }
  }

  #drop({ document }: Content): void {
    if (document !== undefined) this.#options.drop(document);
  }

  /** A page that waits holds no body. */
  #withoutBody({ document: _, sketch, ...content }: Content): Content {
    if (sketch === undefined || this.#waitingSketches >= maxWaitingSketches) return content;
    this.#waitingSketches += 1;
    return { ...content, sketch };
  }
}

/** Whether it is an unchanged page that had the same bytes as another, instead of naming it. */
function isUnreadDouble({ doubled, named, remember }: Content): boolean {
  return (
    doubled !== undefined &&
    doubled === named &&
    remember.md5 !== undefined &&
    remember.canonicalUrl === doubled
  );
}

export function metAs({ url, depth, from }: Candidate) {
  return { url, depth, ...(from !== undefined && { discoveredFrom: from }) };
}

export function leafOf({ leaf }: Candidate) {
  return leaf ? { leaf } : {};
}
