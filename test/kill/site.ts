import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../../kernel/index.ts';

/** A word of every page. */
export const commonWord = 'everywhere';

/** Words with distinct stems: one letter for each digit, and an ending that no suffix rule knows. */
function uniqueWord(n: number): string {
  const letters = [...String(n).padStart(6, '0')].map((digit) => 'bcdfghjkmv'[Number(digit)]);
  return `zq${letters.join('')}kw`;
}

const folders = 6;
const fewest = 250;
const max = 350;
const lately = 15;

/**
 * A folder of changing pages, and the truth about it: the present word of each page, and the removed words. A word is
 * never used twice.
 */
export class ChangingSite {
  readonly root: string;
  readonly baseUrl = 'http://site.example/';
  /** The word of each page, by URL. */
  readonly pages = new Map<string, string>();
  readonly goneWords: string[] = [];
  /** Number of changes. */
  changes = 0;
  readonly #random: Random;
  #words = 0;
  #names = 0;

  constructor(root: string, random: Random) {
    this.root = root;
    this.#random = random;
    for (let i = 0; i < folders; i++) mkdirSync(join(root, `part-${i}`), { recursive: true });
    while (this.pages.size < 300) this.#add();
  }

  /** Edit, add, delete or rename a page, or several at once. */
  change(): void {
    const count = this.#random.next() < 0.1 ? 2 + this.#below(30) : 1;
    for (let i = 0; i < count; i++) this.#changeOne();
  }

  #changeOne(): void {
    this.changes++;
    const roll = this.#random.next();
    // Half of the time it is a recently changed page: a kill can break work in progress.
    const urls = [...this.pages.keys()].slice(this.#random.next() < 0.5 ? -lately : 0);
    const url = urls[this.#below(urls.length)] as string;
    if (roll < 0.5) this.#write(url);
    else if (roll < 0.6) this.#rename(url);
    else if (roll < 0.8 ? this.pages.size < max : this.pages.size <= fewest) this.#add();
    else this.#delete(url);
  }

  #add(): void {
    const n = this.#names++;
    this.#write(`${this.baseUrl}part-${n % folders}/page-${n}.html`);
  }

  #delete(url: string): void {
    rmSync(this.#path(url));
    this.#forget(url);
  }

  /** The page continues with its words under another URL. */
  #rename(url: string): void {
    const n = this.#names++;
    const to = `${this.baseUrl}part-${n % folders}/page-${n}.html`;
    renameSync(this.#path(url), this.#path(to));
    this.pages.set(to, this.pages.get(url) as string);
    this.pages.delete(url);
  }

  #write(url: string): void {
    this.#forget(url);
    const word = uniqueWord(this.#words++);
    const filler = Array.from({ length: this.#below(400) }, () => `filler${this.#below(3000)}`).join(' ');
    const text = `<title>Page ${word}</title><p>${commonWord} ${word} ${filler}</p>`;
    const path = this.#path(url);
    // Some editors write in place, others replace.
    if (this.#random.next() < 0.5) writeFileSync(path, text);
    else {
      const fresh = join(dirname(path), `.fresh-${this.#words}`);
      writeFileSync(fresh, text);
      renameSync(fresh, path);
    }
    this.pages.set(url, word);
  }

  #forget(url: string): void {
    const word = this.pages.get(url);
    if (word !== undefined) this.goneWords.push(word);
    this.pages.delete(url);
  }

  #path(url: string): string {
    return join(this.root, url.slice(this.baseUrl.length));
  }

  #below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }
}
