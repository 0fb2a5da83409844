import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../kernel/index.ts';

// Phrases that only one page of a corpus has, found without Garner's code, so that gathering, indexing and search are
// judged independently.

/** One of Debian's documentation packages. */
export interface Corpus {
  readonly name: string;
  readonly path: string;
}

export const corpora: readonly Corpus[] = [
  { name: 'python3.11-doc', path: '/usr/share/doc/python3.11/html' },
  { name: 'postgresql-doc-15', path: '/usr/share/doc/postgresql-doc-15/html' },
  { name: 'git-doc', path: '/usr/share/doc/git-doc' },
];

/** The reason why a test over these corpora cannot run here, or undefined. */
export function missingCorpus(wanted: readonly Corpus[]): string | undefined {
  const missing = wanted.filter(({ path }) => !existsSync(path)).map(({ name }) => name);
  return missing.length === 0 ? undefined : `SKIPPED: apt-get install ${missing.join(' ')}`;
}

/** Copy the pages of a corpus, or the files whose names match, and nothing else of it; links become files. */
export function copyPages(from: string, to: string, names = /\.html$/): void {
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => names.test(path) || statSync(path).isDirectory(),
  });
}

/** Paths of a folder's HTML files, relative to it, in order. */
export function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .sort();
}

const inline =
  /<\/?(?:a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var)\b[^>]*>/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Remove elements whose start tag matches, with their contents; elements of the same name nest. */
function without(html: string, start: RegExp): string {
  let kept = '';
  let at = 0;
  for (let found = start.exec(html); found !== null; found = start.exec(html)) {
    kept += html.slice(at, found.index);
    const tags = new RegExp(`<(/?)${found[1]}\\b`, 'gi');
    tags.lastIndex = found.index;
    let depth = 0;
    let tag = tags.exec(html);
    for (; tag !== null; tag = tags.exec(html)) {
      depth += tag[1] === '/' ? -1 : 1;
      if (depth === 0) break;
    }
    at = tag === null ? html.length : html.indexOf('>', tag.index) + 1;
    start.lastIndex = at;
  }
  return kept + html.slice(at);
}

function unescaped(text: string): string {
  return text.replace(/&(#x?)?(\w+);/gi, (whole, number: string | undefined, name: string) => {
    if (number === undefined) return entities[name.toLowerCase()] ?? whole;
    const code = Number.parseInt(name, number.length === 2 ? 16 : 10);
    return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : whole;
  });
}

/** The visible text of a page, one line for each block. `main` leaves out navigation. */
function plainText(html: string, main: boolean): string {
  let text = html.replace(/<!--[\s\S]*?-->|<(script|style|template|noscript)\b[\s\S]*?<\/\1\s*>/gi, ' ');
  if (main) {
    text = text.replace(/<head\b[\s\S]*?<\/head\s*>/i, ' ');
    text = without(text, /<(nav|header|footer|aside)\b/gi);
    text = without(
      text,
      /<(\w+)[^>]*\brole\s*=\s*"?(?:navigation|banner|contentinfo|complementary|search)\b/gi,
    );
    text = without(text, /<(a)\b[^>]*\bclass="headerlink"/gi);
  }
  text = text
    .replace(/\s+/g, ' ')
    .replace(inline, '')
    .replace(/<[^>]*>/g, '\n');
  return unescaped(text);
}

const phraseWords = 6;

/** A number for the first two letters of a word, which stemming does not change. */
function code(word: string): number {
  return (word.charCodeAt(0) % 677) * 26 + (word.length < 2 ? 0 : word.charCodeAt(1) % 26);
}

const modulus = 2 ** 45;

/** A number for six words in a row; equal phrases have equal numbers, unequal ones hardly ever. */
function windowKey(codes: readonly number[], at: number): number {
  let key = 0;
  for (let i = at; i < at + phraseWords; i++) key = (key * 131 + (codes[i] as number) * 7919) % modulus;
  return key;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A copy in random order (Fisher-Yates). */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    [order[i], order[j]] = [order[j] as Item, order[i] as Item];
  }
  return order;
}

/** Six plain consecutive words of one line, as a reader could quote them. */
function candidates(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const words = line.split(' ').filter((word) => word !== '');
    for (let at = 0; at + phraseWords <= words.length; at++) {
      const phrase = words.slice(at, at + phraseWords);
      if (phrase.every((word) => /^[A-Za-z]{2,}$/.test(word))) found.push(phrase.join(' '));
    }
  }
  return found;
}

/** A page with a phrase that no other page of the corpus has in any form of its words. */
export interface PhrasedPage {
  readonly page: string;
  readonly phrase: string;
}

/** Take `count` pages at random that have such a phrase; all of them when there are fewer. */
export function phrasedPages(folder: string, random: Random, count: number): PhrasedPage[] {
  const pages = shuffled(pagesOf(folder), random);
  const drawn = new Map<string, { readonly phrase: string; readonly key: number }[]>();
  const owners = new Map<number, Set<string>>();
  // Some pages have no such phrase: indexes, lists of names.
  for (const page of pages.slice(0, Math.ceil(count * 1.25))) {
    const text = plainText(readFileSync(join(folder, page), 'utf8'), true);
    const phrases = shuffled(candidates(text), random)
      .slice(0, 24)
      .map((phrase) => ({ phrase, key: windowKey(wordsOf(phrase).map(code), 0) }));
    drawn.set(page, phrases);
    for (const { key } of phrases) owners.set(key, new Set());
  }
  for (const page of pages) {
    const codes = wordsOf(plainText(readFileSync(join(folder, page), 'utf8'), false)).map(code);
    for (let at = 0; at + phraseWords <= codes.length; at++) owners.get(windowKey(codes, at))?.add(page);
  }
  const phrased: PhrasedPage[] = [];
  for (const [page, phrases] of drawn) {
    const own = phrases.find(({ key }) => owners.get(key)?.size === 1 && owners.get(key)?.has(page));
    if (own !== undefined) phrased.push({ page, phrase: own.phrase });
  }
  return phrased.slice(0, count);
}
