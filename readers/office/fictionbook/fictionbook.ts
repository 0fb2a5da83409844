import { beginning, oneLine, type StructuredText } from '../../text/index.ts';
import { localName, scanXml, type XmlEvents } from '../../xml/index.ts';

/** What a FictionBook says of itself. */
export interface FictionBookFacts {
  readonly title: string;
  readonly authors: readonly string[];
  readonly translators: readonly string[];
  readonly description: string;
  readonly genres: readonly string[];
  readonly keywords: readonly string[];
  readonly language: string | undefined;
  readonly date: string;
  readonly series: string;
  readonly publisher: string;
  readonly year: string;
  readonly isbn: string;
  readonly identifier: string;
  readonly pictures: number;
  readonly found: boolean;
}

const maxValue = 64 * 1024;
const maxValues = 200;
// Deeper elements are a part of the one around them.
const maxDepth = 100;
const maxParagraph = 1024 * 1024;
const nameParts = ['first-name', 'middle-name', 'last-name'];
const blocks: ReadonlySet<string> = new Set(['p', 'v', 'subtitle', 'text-author', 'td', 'th', 'date']);

/** Reads FictionBook 2: the description, then the bodies' titles and paragraphs; pictures are counted. */
export function readFictionBook(source: string, text: StructuredText): FictionBookFacts {
  const reader = new FictionBookReader(text);
  scanXml(source, reader);
  return reader.facts();
}

class FictionBookReader implements XmlEvents {
  readonly #text: StructuredText;
  readonly #values = new Map<string, string[]>();
  /** Local names of the open elements, as far as they are remembered. */
  readonly #path: string[] = [];
  #value = '';
  #person = new Map<string, string>();
  #titleDepth = 0;
  #titleText = '';
  #sections = 0;
  #pictures = 0;
  #found = false;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  facts(): FictionBookFacts {
    const all = (name: string) => this.#values.get(name) ?? [];
    const first = (name: string) => all(name)[0] ?? '';
    const info = (name: string) => all(`title-info ${name}`);
    const publish = (name: string) => first(`publish-info ${name}`);
    return {
      title: info('book-title')[0] || publish('book-name'),
      authors: info('author'),
      translators: info('translator'),
      description: info('annotation').join(' '),
      // Programs write this where a genre must be.
      genres: info('genre').filter((genre) => !/^unrecogni[sz]ed$/.test(genre)),
      keywords: info('keywords').flatMap((list) => list.split(/[,;]/)),
      language: info('lang')[0],
      date: info('date')[0] ?? '',
      series: info('sequence').join(', '),
      publisher: publish('publisher'),
      year: publish('year'),
      isbn: publish('isbn'),
      identifier: first('document-info id'),
      pictures: this.#pictures,
      found: this.#found,
    };
  }

  get #inBody(): boolean {
    return this.#path[1] === 'body';
  }

  /** The part of the description that is open, such as `title-info`. */
  get #info(): string | undefined {
    return this.#path[1] === 'description' ? this.#path[2] : undefined;
  }

  open(written: string, attributes: ReadonlyMap<string, string>, depth: number): void {
    const name = localName(written).toLowerCase();
    if (depth === 1) this.#found = name === 'fictionbook';
    if (depth <= maxDepth) {
      this.#path.length = Math.min(this.#path.length, depth - 1);
      this.#path.push(name);
    }
    if (name === 'binary' && depth === 2) this.#pictures++;
    if (name === 'a')
      for (const [key, url] of attributes)
        if (localName(key) === 'href' && !url.startsWith('#')) this.#text.references.add(url, true);
    if (this.#inBody) this.#openInBody(name, depth);
    else if (this.#info !== undefined && depth === 4) this.#openInfo(name, attributes);
    else if (depth <= 5 || blocks.has(name)) this.#space();
  }

  #openInBody(name: string, depth: number): void {
    if (name === 'section') this.#sections++;
    if (name === 'title' && this.#titleDepth === 0) {
      this.#endBlock();
      this.#titleDepth = depth;
      this.#titleText = '';
    } else if (blocks.has(name)) this.#endBlock();
    else if (name === 'empty-line') this.#space();
  }

  #openInfo(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#value = '';
    this.#person = new Map();
    if (name === 'date') this.#add(name, attributes.get('value') ?? '');
    if (name !== 'sequence') return;
    this.#add(name, [attributes.get('name') ?? '', attributes.get('number') ?? ''].filter(Boolean).join(' '));
  }

  text(part: string): void {
    if (this.#path[1] !== 'body' && this.#path[1] !== 'description') return;
    if (this.#value.length < (this.#inBody ? maxParagraph : maxValue)) this.#value += part;
  }

  close(_written: string, depth: number): void {
    const name = this.#path[depth - 1] ?? '';
    if (this.#inBody) this.#closeInBody(name, depth);
    else if (this.#info !== undefined) this.#closeInfo(name, depth);
    this.#path.length = Math.min(this.#path.length, depth - 1);
  }

  #closeInBody(name: string, depth: number): void {
    if (name === 'section') this.#sections--;
    if (depth === this.#titleDepth) {
      this.#endBlock();
      this.#titleDepth = 0;
      this.#text.heading(this.#titleText, Math.min(this.#sections + 1, 6));
    } else if (blocks.has(name) || depth === 2) this.#endBlock();
  }

  #closeInfo(name: string, depth: number): void {
    const value = oneLine(this.#value);
    if (depth === 5) {
      const parent = this.#path[3] ?? '';
      // Of a person only the name is taken, not the address.
      if (parent === 'author' || parent === 'translator') {
        if (!this.#person.has(name)) this.#person.set(name, value);
        this.#value = '';
      } else this.#space();
      return;
    }
    if (depth !== 4) {
      this.#space();
      return;
    }
    const full = nameParts.map((part) => this.#person.get(part) ?? '').filter(Boolean);
    this.#add(name, full.join(' ') || this.#person.get('nickname') || value);
    this.#value = '';
  }

  #space(): void {
    this.#value += ' ';
  }

  #add(name: string, value: string): void {
    if (value === '') return;
    const key = `${this.#info ?? ''} ${name}`;
    const list = this.#values.get(key);
    if (list === undefined) this.#values.set(key, [value]);
    else if (list.length < maxValues) list.push(value);
  }

  #endBlock(): void {
    const value = this.#value;
    this.#value = '';
    if (value.trim() === '') return;
    if (this.#titleDepth > 0) this.#titleText = beginning(`${this.#titleText} ${value}`, maxValue);
    else this.#text.paragraph(value);
  }
}
