import { oneLine } from '../text/index.ts';
import type { ArgumentRole } from './latex-commands.ts';

const maxPeople = 64;
const maxSet = 2000;
const maxAbstract = 16 * 1024;

/** The facts of a TeX document, collected from the arguments of its commands. */
export class LatexFindings {
  readonly authors: string[] = [];
  readonly institutions: string[] = [];
  readonly keywords: string[] = [];
  readonly index = new Set<string>();
  readonly citations = new Set<string>();
  date: string | undefined;
  documentClass: string | undefined;
  abstract = '';
  /** Number of other files that it includes. */
  inputs = 0;

  /** Take the words of an argument; the reader handles those of titles, headings and notes. */
  take(role: ArgumentRole, raw: string): void {
    const words = oneLine(raw);
    if (role === 'author') this.#people(raw);
    else if (role === 'keywords') this.addKeywords(words);
    else if (role === 'abstract') this.addAbstract(words);
    else if (role === 'date' && !/^\W*(?:today)?\W*$/.test(words)) this.date ??= words;
    else if (role === 'institution' && this.institutions.length < maxPeople) this.institutions.push(words);
    else if (role === 'index' && this.index.size < maxSet)
      this.index.add((words.split('|', 1)[0] ?? '').replace(/^.*@/, '').replaceAll('!', ' '));
  }

  /** Lines below a name give the person's affiliation. */
  #people(raw: string): void {
    for (const person of raw.split(/\band\b|,\s*(?=\p{Lu})/u, maxPeople)) {
      const [name = '', ...where] = person.split('\n').map(oneLine).filter(Boolean);
      if (name !== '' && this.authors.length < maxPeople)
        this.authors.push(name.replace(/^[,;\s]+|[,;\s]+$/g, ''));
      if (where.length > 0 && this.institutions.length < maxPeople) this.institutions.push(where.join(', '));
    }
  }

  addKeywords(words: string): void {
    for (const word of words.split(/[,;·•]/, 200))
      if (this.keywords.length < maxSet) this.keywords.push(word.trim());
  }

  addAbstract(words: string): void {
    if (this.abstract.length < maxAbstract) this.abstract += (this.abstract === '' ? '' : '\n') + words;
  }

  cite(keys: string): void {
    for (const key of keys.split(',', 100))
      if (key.trim() !== '' && this.citations.size < maxSet) this.citations.add(key.trim());
  }
}
