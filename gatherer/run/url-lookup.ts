import { withoutUser } from '../../fetch/index.ts';
import { type Enumerator, normaliseUrl, type ScopeVerdict } from '../enumerate/index.ts';
import type { FetchRow, FetchStore } from '../publish/index.ts';

/** The data for looking up documents. */
export interface LookupContext {
  readonly enumerators: readonly Enumerator[];
  readonly fetchStore: FetchStore;
  /** The URL under which a document is published, if it may differ. */
  readonly published?: (url: string) => string;
}

/** Max roots named in the answer for a URL below none of them. */
const rootsNamed = 3;
const maxRootLength = 200;

/** Split a URL into the document's URL and the place in it, with its `#`. */
function split(url: string): readonly [whole: string, part: string] {
  const hash = url.indexOf('#');
  return hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
}

/** Possible spellings of a document's URL that a person wrote, the likeliest first. */
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

/** The known document of a URL, under which it is read or published, in any spelling; undefined if there is none. */
export async function knownDocument(
  requested: string,
  { enumerators, fetchStore }: LookupContext,
): Promise<readonly [url: string, row: FetchRow] | undefined> {
  const [whole, part] = split(requested);
  const urls = [
    requested,
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
 * The URL under which a document is or would be read, the verdict of the roots, and the place in the document. A
 * document published elsewhere is found by the root whose documents are published there, else by searching every row.
 */
export async function lookUpDocument(
  requested: string,
  known: LookupContext,
  signal?: AbortSignal,
): Promise<{ readonly verdict: ScopeVerdict; readonly part: string }> {
  const { enumerators, published } = known;
  const found = await knownDocument(requested, known);
  const [whole, part] = split(found?.[0] ?? requested);
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

/** The URL under which a document is read that is or would be published under `at`. */
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
 * The verdict of the roots on a URL: that of a root that includes it, else of one that covers it, else of one on the
 * same server. If it belongs to none of several roots, the rule names the first of them.
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
  return decided ?? { url: withoutUser(url), included: false, rule: belongsToNone(enumerators) };
}

function isSameServer(root: string | undefined, url: string): boolean {
  const [one, other] = [URL.parse(root ?? ''), URL.parse(url)];
  return Boolean(one?.host) && one?.protocol === other?.protocol && one?.host === other?.host;
}

function belongsToNone(enumerators: readonly Enumerator[]): string {
  if (enumerators.length === 0)
    return 'there is no root; give the garner.yaml that has the roots with --config';
  const roots = enumerators.flatMap(({ root }) => (root === undefined ? [] : withoutUser(root)));
  const named = roots.slice(0, rootsNamed).map((root) => root.slice(0, maxRootLength));
  const more = roots.length > named.length ? ' and others' : '';
  const list = named.length === 0 ? '' : ` (${named.join(', ')}${more})`;
  return `it is below none of the ${enumerators.length} roots${list}`;
}
