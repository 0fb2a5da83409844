/** One revision of an RCS file. */
export interface RcsRevision {
  readonly number: string;
  readonly date: string;
  readonly author: string;
  readonly log: string;
}

/** The facts of an RCS file (rcsfile(5)). */
export interface RcsFile {
  readonly head: string;
  readonly branch: string;
  readonly description: string;
  /** In the order of the file: the newest of the trunk first. */
  readonly revisions: readonly RcsRevision[];
  /** Names of tags and their revisions. */
  readonly symbols: readonly string[];
  /** The file as the head revision has it. */
  readonly text: string;
  /** Whether the file ended within a string. */
  readonly cut: boolean;
}

const maxRevisions = 20_000;
const maxSymbols = 1000;

interface Draft {
  date: string;
  author: string;
  log: string;
}

/** Read an RCS file: words, numbers and strings between `@` in which `@@` means one `@`. Linear. */
export function readRcsFile(source: string): RcsFile {
  const scanner = new RcsScanner(source);
  const revisions = new Map<string, Draft>();
  const symbols: string[] = [];
  let head = '';
  let branch = '';
  let description = '';
  let text = '';
  let current = '';
  const draft = (): Draft => {
    const known = revisions.get(current);
    if (known !== undefined) return known;
    const fresh = { date: '', author: '', log: '' };
    if (revisions.size < maxRevisions && current !== '') revisions.set(current, fresh);
    return fresh;
  };
  for (let word = scanner.word(); word !== undefined; word = scanner.word()) {
    if (/^\d+(?:\.\d+)+$/.test(word)) {
      current = word;
      draft();
    } else if (word === 'head') head = scanner.phrase()[0] ?? '';
    else if (word === 'branch' && current === '') branch = scanner.phrase()[0] ?? '';
    else if (word === 'symbols') symbols.push(...scanner.phrase().slice(0, maxSymbols));
    else if (word === 'date') draft().date = scanner.phrase()[0] ?? '';
    else if (word === 'author') draft().author = scanner.phrase()[0] ?? '';
    else if (word === 'desc') description = scanner.string() ?? '';
    else if (word === 'log') draft().log = scanner.string() ?? '';
    else if (word === 'text') {
      const body = scanner.string() ?? '';
      if (current === head) text = body;
    } else if (/^(?:access|locks|strict|comment|expand|state|branches|next|commitid)$/.test(word))
      scanner.phrase();
  }
  return {
    head,
    branch,
    description,
    revisions: [...revisions].map(([number, found]) => ({ number, ...found, date: isoDate(found.date) })),
    symbols,
    text,
    cut: scanner.cut,
  };
}

/** `99.01.02.03.04.05` or with four digits of the year, as ISO 8601. */
function isoDate(date: string): string {
  const parts = /^(\d{2,4})\.(\d\d)\.(\d\d)\.(\d\d)\.(\d\d)\.(\d\d)$/.exec(date);
  if (parts === null) return '';
  const [, year = '', month, day, hour, minute, second] = parts;
  return `${year.length === 2 ? `19${year}` : year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}

class RcsScanner {
  cut = false;
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** The next word; a string in its place is skipped. */
  word(): string | undefined {
    for (;;) {
      while (/[\s;:]/.test(this.#source.charAt(this.#at))) this.#at++;
      if (this.#at >= this.#source.length) return undefined;
      if (this.#source.charAt(this.#at) !== '@') break;
      this.string();
    }
    const start = this.#at;
    while (this.#at < this.#source.length && !/[\s;:@]/.test(this.#source.charAt(this.#at))) this.#at++;
    return this.#source.slice(start, Math.min(this.#at, start + 1000));
  }

  /** Words up to the next `;`. */
  phrase(): string[] {
    const words: string[] = [];
    for (;;) {
      while (/\s/.test(this.#source.charAt(this.#at))) this.#at++;
      const mark = this.#source.charAt(this.#at);
      if (mark === '' || mark === ';') {
        this.#at++;
        return words;
      }
      if (mark === '@') {
        this.string();
        continue;
      }
      const start = this.#at;
      while (this.#at < this.#source.length && !/[\s;@]/.test(this.#source.charAt(this.#at))) this.#at++;
      if (words.length < maxSymbols) words.push(this.#source.slice(start, Math.min(this.#at, start + 1000)));
    }
  }

  /** The next string, or undefined when there is none at this place. */
  string(): string | undefined {
    while (/\s/.test(this.#source.charAt(this.#at))) this.#at++;
    if (this.#source.charAt(this.#at) !== '@') return undefined;
    const start = ++this.#at;
    for (let end = this.#source.indexOf('@', start); ; end = this.#source.indexOf('@', end + 2)) {
      if (end < 0) {
        this.cut = true;
        this.#at = this.#source.length;
        return this.#source.slice(start).replaceAll('@@', '@');
      }
      if (this.#source.charAt(end + 1) === '@') continue;
      this.#at = end + 1;
      return this.#source.slice(start, end).replaceAll('@@', '@');
    }
  }
}
