import { withoutUser } from '../../fetch/index.ts';
import { type Enumerator, normaliseUrl, type ScopeVerdict } from '../enumerate/index.ts';
import type { FetchRow, FetchStore } from '../publish/index.ts';

/** What is known of the documents that somebody may ask about. */
export interface LookupContext {
  readonly enumerators: readonly Enumerator[];
  readonly fetchStore: FetchStore;
  /** The URL under which a document is published, where that may be another. */
  readonly published?: (url: string) => string;
}

/** So many roots are named to somebody who asks about what is below none of them. */
const rootsNamed = 3;
const maxRootLength = 200;

/** A URL and the place in its document, with its `#`. */
function split(url: string): readonly [whole: string, part: string] {
  const hash = url.indexOf('#');
  return hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
}

/** How the URL of a document that a person wrote may be spelled where it is known, the likeliest first. */
function spellingsOf(whole: string, enumerators: readonly Enumerator[]): readonly string[] {
  // A stray % is part of a name.
  const escaped = whole.replace(/%(?![0-9a-f]{2})/gi, '%25');
  const parsed = [whole, escaped].flatMap((url) => URL.parse(url)?.href ?? []);
  const written = [whole, ...parsed];
  const own = enumerators.flatMap((one) => written.flatMap((url) => one.spelled?.(url) ?? []));
  const web = normaliseUrl(whole);
  return [...new Set([...own, ...(web === undefined ? [] : [web]), ...parsed, whole])];
}

/** The same for a place in it. */
function partSpellings(part: string): readonly string[] {
  try {
    const segments = part.slice(1).split('/');
    const own = segments.map((segment) => encodeURIComponent(decodeURIComponent(segment))).join('/');
    return [...new Set([part, part === '' ? '' : `#${own}`])];
  } catch {
    return [part];
  }
}

/** The document that is known by a URL, read or published there, however that is spelled; undefined if none is. */
export async function knownDocument(
  asked: string,
  { enumerators, fetchStore }: LookupContext,
): Promise<readonly [url: string, row: FetchRow] | undefined> {
  const [whole, part] = split(asked);
  const urls = [
    asked,
    ...spellingsOf(whole, enumerators).flatMap((url) => partSpellings(part).map((own) => url + own)),
  ];
  for (const url of urls) {
    const found = await fetchStore.publishedAs(url);
    if (found !== undefined) return found;
  }
  for (const url of urls) {
    const row = await fetchStore.recall(url);
    if (row !== undefined) return [url, row];
  }
  return undefined;
}

/**
 * Where a document is or would be read that somebody asks about, what the roots say of it, and the place in it. What is
 * published elsewhere is found by the root whose documents are published there, else by a look at every row.
 */
export async function lookUpDocument(
  asked: string,
  known: LookupContext,
  signal?: AbortSignal,
): Promise<{ readonly verdict: ScopeVerdict; readonly part: string }> {
  const { enumerators, published } = known;
  const found = await knownDocument(asked, known);
  const [whole, part] = split(found?.[0] ?? asked);
  const own = partSpellings(part).at(-1) ?? part;
  if (found !== undefined) return { verdict: await verdictOf(enumerators, whole, signal), part };
  const spellings = spellingsOf(whole, enumerators);
  let first: ScopeVerdict | undefined;
  for (const url of spellings) {
    const verdict = await verdictOf(enumerators, url, signal);
    if (verdict.included) return { verdict, part: own };
    first ??= verdict;
  }
  if (published !== undefined)
    for (const url of spellings) {
      const read = await readAt(url, published, known, signal);
      if (read !== undefined) return { verdict: await verdictOf(enumerators, read, signal), part: own };
    }
  return { verdict: first ?? (await verdictOf(enumerators, whole, signal)), part: own };
}

/** Where a document is read that is or would be published under a URL. */
async function readAt(
  at: string,
  published: (url: string) => string,
  { enumerators, fetchStore }: LookupContext,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const folders = enumerators.flatMap(({ urlPrefix, root }) => urlPrefix ?? folderOf(root) ?? []);
  const guesses = folders.flatMap((folder) => {
    const prefix = published(folder);
    const read = folder + at.slice(prefix.length);
    return prefix !== folder && at.startsWith(prefix) && published(read) === at ? [read] : [];
  });
  for (const guess of guesses) if ((await fetchStore.recall(guess)) !== undefined) return guess;
  for await (const [url, row] of fetchStore.rows()) {
    signal?.throwIfAborted();
    if (row.part === undefined && published(url) === at) return url;
  }
  const { named } = await fetchStore.skipReasons();
  return named.map(([url]) => split(url)[0]).find((url) => published(url) === at) ?? guesses[0];
}

function folderOf(root: string | undefined): string | undefined {
  const url = URL.parse(root ?? '');
  return url?.host ? new URL('./', url).href : undefined;
}

/**
 * What the roots say of a URL: who takes it in decides, else who covers it, else one of the same server. Where there are
 * several and it is nobody's, that is said with the first of them.
 */
export async function verdictOf(
  enumerators: readonly Enumerator[],
  url: string,
  signal?: AbortSignal,
): Promise<ScopeVerdict> {
  const verdicts = await Promise.all(enumerators.map((enumerator) => enumerator.decide(url, signal)));
  const covering = enumerators.findIndex((enumerator) => enumerator.covers?.(url) === true);
  const beside = enumerators.findIndex(({ root }) => isSameServer(root, url));
  const decided =
    verdicts.find(({ included }) => included) ??
    verdicts[covering] ??
    verdicts[beside] ??
    (verdicts.length === 1 ? verdicts[0] : undefined);
  return decided ?? { url: withoutUser(url), included: false, rule: nobodys(enumerators) };
}

function isSameServer(root: string | undefined, url: string): boolean {
  const [one, other] = [URL.parse(root ?? ''), URL.parse(url)];
  return Boolean(one?.host) && one?.protocol === other?.protocol && one?.host === other?.host;
}

function nobodys(enumerators: readonly Enumerator[]): string {
  if (enumerators.length === 0) return 'there is no root; name the garner.yaml that has them with --config';
  const roots = enumerators.flatMap(({ root }) => (root === undefined ? [] : withoutUser(root)));
  const named = roots.slice(0, rootsNamed).map((root) => root.slice(0, maxRootLength));
  const more = roots.length > named.length ? ' and others' : '';
  const list = named.length === 0 ? '' : ` (${named.join(', ')}${more})`;
  return `it is below none of the ${enumerators.length} roots${list}`;
}
