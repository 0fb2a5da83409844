import { type NamePath, PageListScanner } from './page-list-scanner.ts';
import { maxUrlLength } from './site-scope.ts';

/** Path of the generators' search index, which names every page, below the root of the pages. */
export const listFiles = { sphinx: 'searchindex.js', mkdocs: 'search/search_index.json' } as const;

/** Max size of a page list, without compression. */
export const pageListMaxBytes = 64 * 1024 * 1024;

const limits = { maxNames: 1_000_000, maxCharacters: 16 * 1024 * 1024, maxNameLength: maxUrlLength + 1 };

type Kind = keyof typeof listFiles;

const formats: Readonly<Record<Kind, { readonly lead: string; readonly path: NamePath }>> = {
  sphinx: { lead: 'Search.setIndex(', path: ['docnames', null] },
  mkdocs: { lead: '', path: ['docs', null, 'location'] },
};

/** Endings of Sphinx' page URLs: the first is the default, `/` that of its dirhtml builder. */
const suffixes: readonly [string, ...string[]] = ['.html', '/', '', '.htm', '.xhtml'];

// If this many pages agree, the others do not differ.
const enoughVotes = 50;
const maxVoters = 10_000;

function kindOf(listUrl: string): Kind {
  return listUrl.endsWith(`/${listFiles.mkdocs}`) ? 'mkdocs' : 'sphinx';
}

/** The names in a page list, each once; other content, or too much, is refused with a rule as text. */
export async function readPageList(
  chunks: AsyncIterable<Uint8Array>,
  listUrl: string,
): Promise<{ readonly names: readonly string[] } | { readonly refused: string }> {
  const { lead, path } = formats[kindOf(listUrl)];
  const scanner = new PageListScanner(lead, path, limits);
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    scanner.write(decoder.decode(chunk, { stream: true }));
    if (scanner.state !== 'open') break;
  }
  if (scanner.state === 'complete') return { names: scanner.names };
  if (scanner.state === 'full')
    return {
      refused: `no page list of more than ${limits.maxNames} names or ${limits.maxCharacters} characters`,
    };
  return { refused: `it is no page list: ${path[0]} is missing or has no end` };
}

/**
 * The URLs of the names in a page list, not yet in normal spelling. The list does not contain the ending of Sphinx'
 * page URLs: the most frequent ending among the URLs that were `met` holds for all.
 */
export function* pageUrls(
  listUrl: string,
  names: readonly string[],
  met: (url: string) => boolean,
): Generator<string> {
  const kind = kindOf(listUrl);
  const root = listUrl.slice(0, -listFiles[kind].length);
  if (kind === 'sphinx') {
    const suffix = suffixOf(root, names, met);
    for (const name of names) yield root + withSuffix(quoted(name), suffix);
    return;
  }
  // Headings of pages are listed too.
  const pages = new Set(names.map((name) => name.replace(/#.*$/s, '')));
  for (const page of pages) if (URL.canParse(page, root)) yield new URL(page, root).href;
}

function suffixOf(root: string, names: readonly string[], met: (url: string) => boolean): string {
  const votes = new Map<string, number>(suffixes.map((suffix) => [suffix, 0]));
  const step = Math.ceil(names.length / maxVoters);
  for (let at = 0; at < names.length; at += step) {
    const path = quoted(names[at] as string);
    // Every file server has both forms of a folder's own page.
    if (isIndex(path)) continue;
    for (const suffix of suffixes) {
      const count = (votes.get(suffix) ?? 0) + (met(root + path + suffix) ? 1 : 0);
      if (count >= enoughVotes) return suffix;
      votes.set(suffix, count);
    }
  }
  return suffixes.reduce((best, suffix) =>
    (votes.get(suffix) ?? 0) > (votes.get(best) ?? 0) ? suffix : best,
  );
}

const isIndex = (path: string) => /(^|\/)index$/.test(path);

function withSuffix(path: string, suffix: string): string {
  return suffix === '/' && isIndex(path) ? path.slice(0, -'index'.length) : path + suffix;
}

/** A document name as Sphinx writes it into links: everything except letters, digits, `_.-~` and slashes is escaped. */
function quoted(name: string): string {
  const hex = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  // A URL cannot contain a lone surrogate.
  const whole = Buffer.from(name).toString();
  return whole
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, hex))
    .join('/');
}
